import { readFile, writeFile } from 'node:fs/promises';
import { type AuditVerification, verifyAudit } from '#lib/audit/chain-audit.ts';
import { findAuditHead } from '#lib/audit/reads.ts';
import { insertVerification } from '#lib/audit/writes.ts';
import { formatUsd } from '#lib/core/money.ts';
import { countNoun } from '#lib/core/strings.ts';
import { listChainHeads } from '#lib/evidence/reads/snapshots.ts';
import { listVerifiableGames } from '#lib/evidence/reads/verification.ts';
import { listOtherKeys } from '#lib/payees/reads/detail-keys.ts';
import { nameKey } from '#lib/payees/seal.ts';
import { listPayoutPauses } from '#lib/payouts/reads/payout-pause.ts';
import { openRestoreGuard, reportRestore } from '#lib/refunds/check-restore.ts';
import { listRestorePauses } from '#lib/refunds/reads/refund-preconditions.ts';
import { FOLDER_UNKNOWN } from '#lib/refunds/text.ts';
import { findGameConfig } from '../config.ts';
import { type ChainHeads, parseChainHeads } from '../evidence/rules/chain-head.ts';
import type { Violation } from '../evidence/rules/findings.ts';
import { type Verification, verifyGame } from '../evidence/verify/verify-game.ts';
import { type CommandContext, EXIT, failUnknownGame } from './command-context.ts';

type VerifiedGame = Verification & { game: string; environment: string };

const NO_HEADS: ChainHeads = { heads: [], audit: null };

/** Recomputes all evidence of one game, or of every stored game, and the audit, compares them with exported heads, prints each violation, and records the result. */
export async function verifyCommand(
  context: CommandContext,
  command: { game: string | null; head: string | null; isJson: boolean },
): Promise<number> {
  const { db } = context.open;
  const config = command.game === null ? null : findGameConfig(context.config, command.game);
  if (command.game !== null && !config) return failUnknownGame(context, command.game);
  const exported = command.head === null ? NO_HEADS : parseChainHeads(await readFile(command.head, 'utf8'));
  if (exported === null)
    return context.fail(`${command.head} isn't the output of chain-head and no manifest with a chain_head.`, EXIT.usage);
  const results: VerifiedGame[] = [];
  let verifiedId: number | null = null;
  for (const { gameId, slug, environment } of await listVerifiableGames(db, config ?? null)) {
    const heads = exported.heads.filter((head) => head.game === slug && head.environment === environment);
    const verification = await verifyGame(
      db,
      gameId,
      (line) => context.log(`${slug} ${environment}: ${line}`),
      heads,
      context.config.payeeKey,
    );
    results.push({ game: slug, environment, ...verification });
    verifiedId = gameId;
  }
  const audit = await verifyAudit(db, exported.audit);
  const lost = config ? [] : listLost(exported, results);
  const { payeeKey } = context.config;
  const unopened = (await listOtherKeys(db, payeeKey === null ? null : nameKey(payeeKey))).map(({ keyName, count }) => ({
    key: keyName,
    count,
  }));
  if (command.isJson)
    context.print(JSON.stringify({ games: results, audit, ...(lost.length > 0 && { lost }), ...(unopened.length > 0 && { unopened }) }));
  else {
    if (results.length === 0) context.print('Nothing is stored yet, so there is nothing to verify.');
    for (const result of results) context.print(formatVerification(result));
    context.print(formatAudit(audit));
    for (const violation of lost) context.print(formatViolation(violation));
    for (const { key, count } of unopened)
      context.print(
        `warning: payment details, sender accounts, files and reports not opened: ${count}. Set SHAREBOOK_PAYEE_KEY to key ${key}.`,
      );
  }
  const violationCount = [...results, audit, { violations: lost }].reduce((sum, { violations }) => sum + violations.length, 0);
  // A game that isn't stored has nothing to show the result of.
  if (config === null || verifiedId !== null)
    await insertVerification(db, {
      gameId: config === null ? null : verifiedId,
      snapshotCount: results.reduce((sum, { snapshots }) => sum + snapshots, 0),
      auditCount: audit.linked,
      violationCount,
      hasHeads: command.head !== null,
    });
  return violationCount === 0 ? EXIT.done : EXIT.notReconciled;
}

/** Exported heads of games that are no longer stored. */
function listLost({ heads }: ChainHeads, results: VerifiedGame[]): Violation[] {
  return heads
    .filter((head) => !results.some((result) => result.game === head.game && result.environment === head.environment))
    .map(({ game, environment, digest }) => ({
      name: 'exported_head',
      subject: `${game} (${environment})`,
      expected: digest,
      actual: 'no such game',
    }));
}

function formatVerification({ game, environment, violations, warnings, ...counts }: VerifiedGame): string {
  const parts = [
    countNoun(counts.snapshots, 'snapshot'),
    countNoun(counts.slices, 'slice'),
    countNoun(counts.responses, 'response'),
    countNoun(counts.refunds, 'refund'),
    countNoun(counts.actions, 'desk action'),
    countNoun(counts.runs, 'payout run'),
    countNoun(counts.reports, 'bank report'),
    countNoun(counts.journals, 'journal'),
  ];
  return [
    `${game} (${environment}): ${parts.slice(0, -1).join(', ')} and ${parts.at(-1)} verified: ${verdictOf(violations)}`,
    ...violations.map(formatViolation),
    ...warnings.map((each) => `  warning: ${formatViolation(each).trimStart()}`),
  ].join('\n');
}

function formatAudit({ linked, unlinked, violations }: AuditVerification): string {
  const tail = unlinked === 0 ? '' : `, ${unlinked} not chained yet`;
  return [`audit: ${countNoun(linked, 'row')} verified${tail}: ${verdictOf(violations)}`, ...violations.map(formatViolation)].join('\n');
}

function verdictOf(violations: Violation[]): string {
  return violations.length === 0 ? 'no violations' : countNoun(violations.length, 'VIOLATION', 'VIOLATIONS');
}

function formatViolation({ subject, name, expected, actual }: Violation): string {
  return `  ${subject}: ${name}: expected ${expected}, found ${actual}`;
}

/** Prints the newest link of each chain, or saves it to a file to keep elsewhere; `verify --head` compares with it. */
export async function chainHeadCommand(
  context: CommandContext,
  command: { game: string | null; out: string | null; isJson: boolean },
): Promise<number> {
  const { db } = context.open;
  const config = command.game === null ? null : findGameConfig(context.config, command.game);
  if (command.game !== null && !config) return context.fail(`No game "${command.game}" is configured.`, EXIT.usage);
  const found: ChainHeads = { heads: await listChainHeads(db, config), audit: await findAuditHead(db) };
  if (command.out !== null) await writeFile(command.out, `${JSON.stringify(found, null, 2)}\n`);
  if (command.isJson) context.print(JSON.stringify(found));
  else {
    for (const { game, environment, position, digest } of found.heads)
      context.print(`${game} (${environment}): link ${position}, ${digest}`);
    if (found.heads.length === 0) context.print('No snapshot is stored yet, so there is no link.');
    if (found.audit) context.print(`audit: link ${found.audit.position}, ${found.audit.digest}`);
    if (command.out !== null) context.print(`Saved to ${command.out}. Keep it outside the database, and compare with verify --head.`);
  }
  return EXIT.done;
}

/**
 * Compares the database with what the data folder remembers of it, and pauses all refunds and payouts when it is an older copy; `--restored` says
 * that it is one. Prints the games that are paused because of a restore, their refunds that were open at the backup, and approved runs they lack.
 */
export async function restoreCheckCommand(context: CommandContext, command: { wasRestored: boolean; isJson: boolean }): Promise<number> {
  const { open, owner, dataFolder: folder } = context;
  let isKnown = true;
  if (command.wasRestored) await reportRestore({ ...open, folder, owner });
  else if (folder === null) context.log('SHAREBOOK_DATA is not set: there is nothing to compare the database with.');
  else {
    const guard = openRestoreGuard({ ...open, folder, owner });
    await guard.check();
    isKnown = await guard.knows();
  }
  const paused = await listRestorePauses(open.db);
  const payouts = await listPayoutPauses(open.db);
  if (command.isJson) context.print(JSON.stringify({ paused, payouts, known: isKnown }));
  else if (paused.length === 0 && payouts.length === 0)
    context.print(isKnown ? 'No sign of a restore. Neither refunds nor payouts are paused because of one.' : FOLDER_UNKNOWN);
  else {
    context.print(
      'The database was restored from a backup. Two approvers of each game resume its refunds, on the refunds page, and its payouts, on the payouts page.',
    );
    for (const game of paused) {
      context.print(
        `${game.slug} (${game.environment}): ${game.open.length === 0 ? 'no refund was open at the backup' : 'open at the backup'}`,
      );
      for (const { refundId, amount_usd } of game.open) context.print(`  refund ${refundId}, ${formatUsd(amount_usd)}`);
    }
    for (const { slug, environment, missing } of payouts) {
      const about = `${slug} (${environment}): payouts are paused; `;
      if (missing === null) context.print(`${about}nothing here knows which runs were approved after the backup`);
      else context.print(`${about}${missing.length === 0 ? 'every approved run known here is stored' : 'approved runs that are missing'}`);
      for (const { runNo, window, payable_usd, contentDigest } of missing ?? [])
        context.print(`  run ${runNo}, ${window.start} to ${window.end}, ${formatUsd(payable_usd)}, digest ${contentDigest}`);
    }
  }
  return EXIT.done;
}
