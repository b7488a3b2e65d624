import { createHash } from 'node:crypto';
import { countNoun } from '#lib/core/strings.ts';
import type { Violation } from '#lib/evidence/rules/findings.ts';
import { exportPack } from '#lib/packs/export-pack.ts';
import { PACK_REFUSALS } from '#lib/packs/text.ts';
import { type GameSequence, type PacksVerification, type PackVerification, verifyPacks } from '#lib/packs/verify-pack.ts';
import { findKeyRefusal, formatOtherKey } from '#lib/payees/find-key-refusal.ts';
import { monthWindow } from '../core/month.ts';
import type { OpenGame } from '../games/open-game.ts';
import { FILE_REFUSALS } from '../payments/action-text.ts';
import { type CommandContext, EXIT, OWNER_ONLY, printFile, saveFile } from './command-context.ts';
import type { CommandOutput } from './define-command.ts';

/**
 * Writes the evidence pack of the approved run of a month to a file or to stdout: the same bytes as the page's. `withAccounts`: with the accounts, payment files and
 * bank reports, which the page's never has.
 */
export async function packCommand(
  context: CommandContext,
  game: OpenGame,
  { month, out, withAccounts, isJson }: { month: string; out: string | null; withAccounts: boolean; isJson: boolean },
): Promise<number> {
  const { payeeKey } = context.config;
  const refusal = withAccounts ? await findKeyRefusal(game.db, payeeKey) : null;
  if (refusal !== null) return context.fail(refusal.reason === 'no_key' ? FILE_REFUSALS.no_key : formatOtherKey(refusal));
  const window = monthWindow(month, game.timeZone);
  const pack = await exportPack(game, { window }, { takenBy: 'command line', accountsKey: withAccounts ? payeeKey : null });
  if (!pack.ok) return context.fail(pack.reason === 'no_run' ? `There is no payout run of ${month}.` : PACK_REFUSALS[pack.reason]);
  if (out === '-') {
    await printFile(context, pack.pieces);
    return EXIT.done;
  }
  const name = out ?? pack.fileName;
  const hash = createHash('sha256');
  let bytes = 0;
  async function* pieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
  }
  await saveFile(name, { bytes: pieces(pack.pieces), ...(withAccounts && { mode: OWNER_ONLY }) });
  const { runNo, contentDigest, snapshotDigest } = pack.run;
  const sha256 = hash.digest('hex');
  const written = { file: name, run_no: runNo, content_digest: contentDigest, snapshot_digest: snapshotDigest, bytes, sha256 };
  context.print(isJson ? JSON.stringify(written) : `${name}: run ${runNo}, ${bytes} bytes, SHA-256 ${sha256}`);
  return EXIT.done;
}

/** Verifies evidence packs without a database, and that they follow from each other, and prints each violation. */
export async function verifyPackCommand(
  { print, log }: CommandOutput,
  { files, isJson }: { files: string[]; isJson: boolean },
): Promise<number> {
  const verified = await verifyPacks(files, { onProgress: log });
  print(isJson ? JSON.stringify(jsonOf(verified)) : formatPacks(verified));
  const { packs, games, refused } = verified;
  if ([...packs, ...games].some(({ violations }) => violations.length > 0)) return EXIT.notReconciled;
  return refused.length > 0 || games.some(({ missing }) => missing.length > 0) ? EXIT.failed : EXIT.done;
}

function jsonOf({ packs, refused, games }: PacksVerification): unknown {
  return {
    packs: packs.map(({ file, index, counts, violations: own }) => {
      const { entries: _, left_out, ...stated } = index;
      return { file, ...stated, left_out, counts, violations: own };
    }),
    refused,
    games,
  };
}

function formatPacks({ packs, refused, games }: PacksVerification): string {
  return [...packs.map(formatPack), ...refused.map(({ file, reason }) => `${file}: ${reason}`), ...games.flatMap(formatSequence)].join(
    '\n',
  );
}

function formatSequence({ game, environment, sequences, missing, repeated, unread, violations }: GameSequence): string[] {
  const name = `${game} (${environment})`;
  return [
    ...sequences.map((runNos) => `${name}: ${runNos.length} packs in sequence, runs ${listOf(runNos)}: ${verdictOf(violations)}`),
    ...(sequences.length === 0 && violations.length > 0 ? [`${name}: ${verdictOf(violations)}`] : []),
    ...violations.map(formatViolation),
    ...missing.map(({ runNos, before, after }) => {
      const [noun, verb] = runNos.length === 1 ? ['run', 'is'] : ['runs', 'are'];
      return `${name}: the pack of ${noun} ${listOf(runNos)} ${verb} missing, so nothing proves that run ${after} continues from run ${before}`;
    }),
    ...repeated.map(({ runNo, files }) => `${name}: ${files.length} packs of run ${runNo} count as one: ${files.join(', ')}`),
    ...unread.map((file) => `${file}: too little of it can be read to compare it with other packs`),
  ];
}

/** `7, 8 and 9`. */
function listOf(runNos: readonly number[]): string {
  return [...runNos.slice(0, -2), runNos.slice(-2).join(' and ')].join(', ');
}

function formatPack({ file, index, counts, violations }: PackVerification): string {
  const { banner, game, environment, run_no, window_start, window_end, content_digest, snapshot_digest } = index;
  const { entries, responses, lines, journals, statements } = counts;
  const verified = [
    countNoun(entries, 'entry', 'entries'),
    countNoun(responses, 'response'),
    countNoun(lines, 'line'),
    countNoun(journals, 'journal'),
  ];
  return [
    `${file}: ${game} (${environment}), run ${run_no}, ${window_start} to ${window_end}`,
    ...(banner === null ? [] : [`  ${banner}`]),
    `  approved content ${content_digest}`,
    `  snapshot ${snapshot_digest}`,
    `  ${verified.join(', ')} and ${countNoun(statements, 'statement')} verified: ${verdictOf(violations)}`,
    ...violations.map(formatViolation),
    ...(index.pack === 1 ? ['  not compared: what people accepted of bank reports. Packs of this version lack those acts.'] : []),
    ...(index.pack <= 2 ? ['  not compared: rows of bank reports that confirmed nothing. Packs of this version lack them.'] : []),
    ...index.left_out.map(({ what, why }) => `  left out: ${what}: ${why}`),
  ].join('\n');
}

function verdictOf(violations: readonly Violation[]): string {
  return violations.length === 0 ? 'no violations' : countNoun(violations.length, 'VIOLATION', 'VIOLATIONS');
}

function formatViolation({ subject, name, expected, actual }: Violation): string {
  return `  ${subject}: ${name}: expected ${expected}, found ${actual}`;
}
