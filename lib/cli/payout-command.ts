import { exportJournal, type JournalFile } from '#lib/accounting/export-journal.ts';
import type { Layout } from '#lib/accounting/rules/layouts.ts';
import { formatUnmapped, JOURNAL_REFUSALS } from '#lib/accounting/text.ts';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import type { CheckedSnapshot } from '#lib/evidence/reads/snapshots.ts';
import { takeStatement } from '#lib/payouts/draw-statements.ts';
import type { NoStatement } from '#lib/payouts/find-statement.ts';
import { countOutcomes, findRun, type Run } from '#lib/payouts/reads/find-run.ts';
import { streamLines } from '#lib/payouts/reads/run-verification.ts';
import type { StatementFormat } from '#lib/payouts/rules/statement.ts';
import { formatUsd, normalizeMoney } from '../core/money.ts';
import { monthWindow } from '../core/month.ts';
import type { OpenGame } from '../games/open-game.ts';
import { findClose, findRunPreview, type MonthClose } from '../payouts/find-close.ts';
import type { OutcomeCounts, RunTotals } from '../payouts/rules/compose-run.ts';
import type { RunLine } from '../payouts/rules/decide-line.ts';
import { formatCheck, OUTCOME_TEXT, RUN_STATE_TEXT } from '../payouts/text.ts';
import { type CommandContext, EXIT, printFile, saveFile } from './command-context.ts';

/** A run as it is printed. */
interface PrintedRun {
  run_no: number | null;
  state: string;
  window: { start: string; end: string };
  snapshot_id: number;
  snapshot_digest: string;
  content_digest: string | null;
  totals: RunTotals;
  outcomes: OutcomeCounts;
  lines: readonly RunLine[];
}

/** Prints the payout run of a month, or with `isPreview` what one drafted now would pay. */
export async function payoutCommand(
  context: CommandContext,
  game: OpenGame,
  { month, isPreview, isJson }: { month: string; isPreview: boolean; isJson: boolean },
): Promise<number> {
  const found = isPreview ? await preview(context, game, month) : await stored(context, game, month);
  if (typeof found === 'number') return found;
  context.print(isJson ? JSON.stringify(jsonOf(found)) : formatRun(found));
  return EXIT.done;
}

async function stored(context: CommandContext, game: OpenGame, month: string): Promise<PrintedRun | number> {
  const run = await findRun(game.db, game.gameId, { window: monthWindow(month, game.timeZone) });
  if (run === null) {
    const close = await findRunPreview(game, month);
    if (!close.ok) return refuse(context, close);
    return context.fail(`There is no payout run of ${month}. --preview shows what one would pay now.`);
  }
  const { runNo, state, window, snapshotId, snapshotDigest, contentDigest, totals } = run;
  const outcomes = await countOutcomes(game.db, game.gameId, run.runId);
  const lines = await Array.fromAsync(streamLines(game.db, run));
  return {
    run_no: runNo,
    state,
    window,
    snapshot_id: snapshotId,
    snapshot_digest: snapshotDigest,
    content_digest: contentDigest,
    totals,
    outcomes,
    lines,
  };
}

async function preview(context: CommandContext, game: OpenGame, month: string): Promise<PrintedRun | number> {
  const found = await findRunPreview(game, month);
  if (!found.ok) return refuse(context, found);
  const { snapshot, run } = found;
  return {
    run_no: null,
    state: 'preview',
    window: snapshot.window,
    snapshot_id: snapshot.snapshotId,
    snapshot_digest: snapshot.digest.toString('hex'),
    content_digest: null,
    totals: run.totals,
    outcomes: run.outcomes,
    lines: run.lines,
  };
}

type NoRun = { reason: 'never_pulled' } | { reason: 'not_complete'; snapshot: CheckedSnapshot };

function refuse({ fail }: CommandContext, refusal: NoRun): number {
  if (refusal.reason === 'never_pulled') return fail('This month has not been pulled. Pull it first.');
  const { snapshotId, status } = refusal.snapshot;
  return fail(
    status === 'open'
      ? `This month isn't over (snapshot ${snapshotId} is open). Pull it again after it ends; a run needs the whole month.`
      : `This month has no complete snapshot (snapshot ${snapshotId} is ${status}). Pull it again.`,
    EXIT.notReconciled,
  );
}

const COLUMNS = ['opening', 'earned', 'reversed', 'pinned', 'adjusted', 'returned', 'due'] as const;

function jsonOf({ totals, outcomes, lines, ...run }: PrintedRun): unknown {
  return {
    ...run,
    totals: Object.fromEntries(Object.entries(totals).map(([column, amount]) => [column, normalizeMoney(String(amount))])),
    outcomes: Object.fromEntries(
      Object.entries(outcomes).map(([outcome, { count, amount_usd }]) => [outcome, { count, amount_usd: normalizeMoney(amount_usd) }]),
    ),
    lines: lines.map((line) => ({
      recipient_player_id: line.recipientId,
      ...Object.fromEntries(COLUMNS.map((column) => [column, normalizeMoney(line[`${column}_usd`])])),
      payable: line.payable_usd,
      closing: normalizeMoney(line.closing_usd),
      outcome: line.outcome,
      also: line.also,
      reference: null,
    })),
  };
}

function formatRun({ run_no, state, snapshot_id, totals, outcomes }: PrintedRun): string {
  const counted = Object.entries(outcomes).map(
    ([outcome, { count, amount_usd }]) => `  ${OUTCOME_TEXT[outcome as keyof typeof OUTCOME_TEXT]}: ${count}, ${formatUsd(amount_usd)}`,
  );
  const head = run_no === null ? 'Preview' : `Run ${run_no} (${RUN_STATE_TEXT[state as Run['state']].toLowerCase()})`;
  return [
    `${head} from snapshot ${snapshot_id}: ${formatUsd(totals.payable)} payable of ${formatUsd(totals.due)} due, ${formatUsd(totals.closing)} carried forward`,
    ...counted,
  ].join('\n');
}

/** Prints the close checklist of a month: of its run, or of the run it would have. Exit code 3 while submitting now would fail. */
export async function closeCheckCommand(
  context: CommandContext,
  game: OpenGame,
  { month, isJson }: { month: string; isJson: boolean },
): Promise<number> {
  const found = await findClose(game, month);
  if (found.kind === 'none') return refuse(context, found);
  const isReady = found.kind === 'run' && found.run.state === 'draft' && !found.close.isBlocked && found.close.openNotes === 0;
  const items = found.close.items.map(({ key, group, count, amount_usd, held_usd, isAnswered }) => ({
    key,
    group,
    count,
    amount_usd,
    held_usd,
    answered: isAnswered,
  }));
  if (isJson) context.print(JSON.stringify({ month, run_no: found.kind === 'run' ? found.run.runNo : null, ready: isReady, items }));
  else context.print(formatClose(found, isReady));
  return isReady ? EXIT.done : EXIT.notReconciled;
}

const GROUP_TEXT = { blocks: 'blocks', note: 'needs a note', held: 'held', info: 'for information' } as const;

function formatClose(found: Exclude<MonthClose, { kind: 'none' }>, isReady: boolean): string {
  const head = found.kind === 'run' ? `Run ${found.run.runNo} (${RUN_STATE_TEXT[found.run.state].toLowerCase()})` : 'No run yet';
  const lines = found.close.items.map((item) => {
    const amount = item.amount_usd === null ? '' : `, ${formatUsd(item.amount_usd)}`;
    return `  ${item.isAnswered ? 'answered' : GROUP_TEXT[item.group]}: ${formatCheck(item).title}${amount}`;
  });
  return [`${head}: ${isReady ? 'ready to submit' : 'not ready to submit'}`, ...lines].join('\n');
}

interface StatementArguments {
  month: string;
  recipient: number;
  format: StatementFormat;
  out: string | null;
  isJson: boolean;
}

/** Writes the statement of a recipient in the run of a month: the same bytes as the page's. */
export async function statementCommand(context: CommandContext, game: OpenGame, command: StatementArguments): Promise<number> {
  const { month, recipient: playerId, format, out, isJson } = command;
  const run = await findRun(game.db, game.gameId, { window: monthWindow(month, game.timeZone) });
  const file = run === null ? null : await takeStatement(game, { runNo: run.runNo, playerId, format }, 'command line');
  if (file === null || !file.ok) return context.fail(sentenceOf(file?.reason ?? 'no_run', command));
  if (out === '-') {
    await printFile(context, [file.bytes]);
    return EXIT.done;
  }
  const name = out ?? file.fileName;
  await saveFile(name, { bytes: [file.bytes] });
  const sha256 = sha256Of(file.bytes).toString('hex');
  context.print(
    isJson
      ? JSON.stringify({ file: name, run_no: run?.runNo, recipient_player_id: playerId, sha256 })
      : `${name}: ${file.bytes.length} bytes`,
  );
  return EXIT.done;
}

function sentenceOf(reason: NoStatement, { month, recipient }: StatementArguments): string {
  if (reason === 'no_run') return `There is no payout run of ${month}.`;
  if (reason === 'no_line') return `The payout run of ${month} has no recipient ${recipient}.`;
  return `The payout run of ${month} isn't approved. Statements are available once it is.`;
}

/** Writes the journals of a month to a file or to stdout, and what they lack to stderr. */
export async function journalCommand(
  context: CommandContext,
  game: OpenGame,
  {
    month,
    layout,
    journalNo,
    out,
    isJson,
  }: { month: string; layout: Layout; journalNo: string | null; out: string | null; isJson: boolean },
): Promise<number> {
  const window = monthWindow(month, game.timeZone);
  const file = await exportJournal(game.db, game, { window, layout, journalNo, takenBy: 'command line' });
  if (!file.ok) return context.fail(file.reason === 'unmapped' ? formatUnmapped(layout, file.accounts) : JOURNAL_REFUSALS[file.reason]);
  if (out === '-') await printFile(context, [file.text]);
  else {
    const name = out ?? file.fileName;
    await saveFile(name, { bytes: [file.text] });
    context.print(isJson ? JSON.stringify(journalJson(name, file)) : `${name}: ${file.journals.join(', ')}`);
  }
  for (const note of file.notes) context.log(note);
  return EXIT.done;
}

function journalJson(name: string, { journals, mapNo, sha256, notes }: Extract<JournalFile, { ok: true }>): unknown {
  return { file: name, journals, map_no: mapNo, sha256, notes };
}
