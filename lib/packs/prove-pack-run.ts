import { createHash } from 'node:crypto';
import { toMicroseconds } from '#lib/core/instant.ts';
import { normalizeMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { parseEnum } from '#lib/core/strings.ts';
import type { Findings } from '#lib/evidence/rules/findings.ts';
import { OUTCOMES, type RunLine } from '#lib/payouts/rules/decide-line.ts';
import { type DigestedLine, textOfLine, textOfReversal } from '#lib/payouts/rules/digested-rows.ts';
import { proveContent, proveReversal, RunProof, type StatedReversal, type StatedRun } from '#lib/payouts/rules/prove-run.ts';
import { type AdjustmentHistory, type PayoutEvent, proveAdjustment, proveRunHistory } from '#lib/payouts/rules/replay-run.ts';
import { digestContent, type RunContent } from '#lib/payouts/rules/run-content.ts';
import type { OpenPack } from './open-pack.ts';
import type { ProvenEvidence } from './prove-evidence.ts';
import { adjustmentsUntil, type RunHistoryFacts } from './prove-history.ts';
import {
  type AuditFileRow,
  adjustmentsFile,
  amountOf,
  contentFile,
  idOf,
  LINE_COLUMNS,
  PATHS,
  type PackAdjustment,
  REVERSAL_COLUMNS,
  type RunFile,
} from './rules/pack-files.ts';
import type { PackIndex } from './rules/pack-index.ts';

/** What a run is proven from. */
export interface RunProofInput {
  pack: OpenPack;
  index: PackIndex;
  run: RunFile;
  evidence: ProvenEvidence;
  history: RunHistoryFacts;
  audit: readonly AuditFileRow[];
}

/** What journals, statements and later runs are compared with. */
export interface ProvenLines {
  content: RunContent;
  reversals: readonly StatedReversal[];
  adjustments: readonly PackAdjustment[];
  lineCount: number;
  /** What negative balances grew and shrank by. */
  grew_usd: string;
  shrank_usd: string;
  /** By recipient, where it isn't 0. */
  closings: Map<number, string>;
  paid: Pick<RunLine, 'recipientId' | 'payable_usd' | 'detailNo'>[];
}

/** Proves the run of a pack the way `verify` does: what was approved, by whom, and each reversal and line, decided again. */
export async function proveRun(
  { pack, index, run, evidence, history, audit }: RunProofInput,
  known: Set<string>,
  findings: Findings,
): Promise<ProvenLines> {
  for (const path of [PATHS.content, PATHS.lines, PATHS.reversals, PATHS.adjustments]) known.add(path);
  const about = findings.about(`run ${run.runNo}`);
  const content = contentOf(await pack.json(PATHS.content, contentFile));
  const adjustments = await pack.json(PATHS.adjustments, adjustmentsFile);
  const stated: StatedRun = { ...run, content, snapshotDigest: evidence.snapshotDigest, adjustments };
  about.same('run_state', 'approved', run.state);
  about.same('run_index', writeIndexed(index), writeIndexed({ ...content, contentDigest: digestContent(content) }));
  about.same('run_snapshot_id', String(evidence.snapshotId), String(run.snapshotId));
  proveApprovals(run, adjustments, audit, findings);
  const proof = new RunProof(
    run.runNo,
    {
      reported: evidence.reported,
      carried: history.closings,
      adjusted: sumByRecipient(adjustments),
      returned: sumByRecipient(run.returned),
      reversed: reversedOf(evidence),
    },
    findings,
  );
  const [lines, rows] = [createHash('sha256'), createHash('sha256')];
  const reversals: StatedReversal[] = [];
  for await (const row of pack.rows(PATHS.reversals, REVERSAL_COLUMNS)) {
    rows.update(`${textOfReversal(row)}\n`);
    const reversal = reversalOf(row, run.runNo, history);
    const subject = findings.about(`run ${run.runNo}, period ${reversal.periodId}`);
    const period = evidence.periods.get(reversal.periodId);
    subject.same('reversal_recipient', String(period?.recipientId ?? 'none'), String(reversal.recipientId));
    subject.same('reversal_basis', period?.isCoarse ? 'without receipts' : 'receipts', reversal.isCoarse ? 'without receipts' : 'receipts');
    subject.same('reversal_attributed', normalizeMoney(period?.attributed_usd ?? '0'), normalizeMoney(reversal.attributed_usd));
    proveReversal(stated, reversal, subject);
    proof.addReversal(reversal);
    reversals.push(reversal);
  }
  const periods = new Set(reversals.map(({ periodId }) => periodId));
  for (const periodId of history.taken.keys())
    findings
      .about(`period ${periodId}`)
      .must('taken_of_a_reversal', periods.has(periodId), 'a period that the run reports as reversed', 'another one');
  const proven: ProvenLines = {
    content,
    reversals,
    adjustments,
    lineCount: 0,
    grew_usd: '0.00',
    shrank_usd: '0.00',
    closings: new Map(),
    paid: [],
  };
  for await (const row of pack.rows(PATHS.lines, LINE_COLUMNS)) {
    lines.update(`${textOfLine(row)}\n`);
    const line = lineOf(row);
    proof.addLine(line);
    takeLine(proven, line);
  }
  proof.close(run.sums);
  proveContent(stated, { lines: lines.digest('hex'), reversals: rows.digest('hex') }, about);
  return proven;
}

/** Guarantee of the cast: what nothing here reads has the shape that the digest of the approved content gives it. */
function contentOf(content: unknown): RunContent {
  return content as RunContent;
}

function writeIndexed(stated: PackIndex | (RunContent & { contentDigest: string })): string {
  const parts =
    'pack' in stated
      ? [
          stated.game,
          stated.environment,
          stated.run_no,
          stated.window_start,
          stated.window_end,
          stated.snapshot_digest,
          stated.content_digest,
        ]
      : [
          stated.game,
          stated.environment,
          stated.runNo,
          stated.window.start,
          stated.window.end,
          stated.snapshotDigest,
          stated.contentDigest,
        ];
  return parts.join(', ');
}

/** Compares people, times and approvals with the audit. */
function proveApprovals(run: RunFile, adjustments: readonly PackAdjustment[], audit: readonly AuditFileRow[], findings: Findings): void {
  const about = findings.about(`run ${run.runNo}`);
  const editors = new Set(run.editors.map(({ by }) => by));
  const approvers = new Set(run.approvals.filter(({ digest, by }) => digest === run.contentDigest && !editors.has(by)).map(({ by }) => by));
  about.must('run_approvals', approvers.size >= run.approvalsWanted, `${run.approvalsWanted} approvals`, String(approvers.size));
  const events = eventsOf(audit, run);
  proveRunHistory(
    {
      ...run,
      draftedAt: secondsOf(run.draftedAt),
      submittedAt: secondsOf(run.submittedAt),
      approvedAt: secondsOf(run.approvedAt),
      voidedBy: null,
      voidedAt: null,
      closedAt: secondsOf(run.closedAt),
      usdPerEur: run.eurRate?.usd_per_eur ?? null,
      eurRateSource: run.eurRate?.source ?? null,
      approvals: run.approvals.map((each) => ({ ...each, at: secondsAt(each.at), provedAt: secondsAt(each.provedAt) })),
      editors: run.editors.map((each) => ({ ...each, at: secondsAt(each.at) })),
    },
    events,
    about,
  );
  const stored = adjustments.map(
    ({ proposedAt, confirmedAt, withdrawnAt, ...rest }): AdjustmentHistory => ({
      ...rest,
      proposedAt: secondsAt(proposedAt),
      confirmedAt: secondsOf(confirmedAt),
      withdrawnAt: secondsOf(withdrawnAt),
    }),
  );
  for (const each of stored) proveAdjustment(each, { stored, events }, findings.about(`adjustment ${each.adjustmentId}`));
}

/** The audit as runs, adjustments and journals are compared with it. */
export function eventsOf(audit: readonly AuditFileRow[], { people }: Pick<RunFile, 'people'>): PayoutEvent[] {
  const ids = new Map(people.map(({ id, email }) => [email, id]));
  return audit.map(({ at: instant, actor, act, subject, detail }) => ({
    at: secondsAt(instant),
    personId: ids.get(actor) ?? null,
    act,
    subject,
    detail,
  }));
}

/** Seconds since 1970. */
export function secondsAt(instant: string): number {
  return Number(toMicroseconds(instant)) / 1_000_000;
}

function secondsOf(instant: string | null): number | null {
  return instant === null ? null : secondsAt(instant);
}

function sumByRecipient(amounts: readonly { recipientId: number; amount_usd: string }[]): Map<number, string> {
  const sums = new Map<number, string>();
  for (const { recipientId, amount_usd } of amounts) sums.set(recipientId, sumMoney([sums.get(recipientId) ?? '0.00', amount_usd]));
  return sums;
}

function reversedOf({ periods }: ProvenEvidence): Map<number, string> {
  return new Map([...periods].map(([periodId, { reported_usd }]) => [periodId, reported_usd]));
}

function reversalOf(
  row: Record<(typeof REVERSAL_COLUMNS)[number]['key'], string | null>,
  runNo: number,
  history: RunHistoryFacts,
): StatedReversal {
  const periodId = idOf(row.period_id);
  const last = history.taken.get(periodId)?.at(-1);
  return {
    periodId,
    recipientId: idOf(row.recipient_player_id),
    isCoarse: row.is_coarse === 'true',
    attributed_usd: amountOf(row.attributed_usd),
    reported_usd: amountOf(row.reported_usd),
    takenBefore_usd: amountOf(row.taken_before_usd),
    taken_usd: amountOf(row.taken_usd),
    takenByRuns_usd: last === undefined ? null : sumMoney([last.takenBefore_usd, last.taken_usd]),
    adjustments: adjustmentsUntil(history, periodId, { runNo, lastRunNo: last?.runNo ?? null }),
  };
}

/** A line of the file as a line of a run. */
export function lineOf(row: DigestedLine & { due_usd: string | null; closing_usd: string | null }): RunLine {
  const { recipient_player_id, resolved, outcome, also, detail_no, seen_snapshot_id: _, ...amounts } = row;
  return {
    ...moneyOf(amounts),
    recipientId: idOf(recipient_player_id),
    isResolved: resolved === null ? null : resolved === 'true',
    outcome: parseEnum(OUTCOMES, outcome ?? ''),
    also: (also ?? '')
      .split(',')
      .filter(Boolean)
      .map((each) => parseEnum(OUTCOMES, each)),
    detailNo: detail_no === null ? null : idOf(detail_no),
  };
}

/** Guarantee of the cast: the amounts have the keys of the cells. */
function moneyOf<Key extends string>(cells: Record<Key, string | null>): Record<Key, string> {
  const amounts = Object.entries<string | null>(cells).map(([key, cell]) => [key, amountOf(cell)]);
  return Object.fromEntries(amounts) as Record<Key, string>;
}

function takeLine(proven: ProvenLines, { recipientId, opening_usd, closing_usd, payable_usd, detailNo }: RunLine): void {
  const below = (usd: string): string => (signOfMoney(usd) < 0 ? subtractMoney('0.00', usd) : '0.00');
  const moved = subtractMoney(below(closing_usd), below(opening_usd));
  if (signOfMoney(moved) > 0) proven.grew_usd = sumMoney([proven.grew_usd, moved]);
  if (signOfMoney(moved) < 0) proven.shrank_usd = subtractMoney(proven.shrank_usd, moved);
  if (signOfMoney(closing_usd) !== 0) proven.closings.set(recipientId, closing_usd);
  if (signOfMoney(payable_usd) > 0) proven.paid.push({ recipientId, payable_usd, detailNo });
  proven.lineCount += 1;
}
