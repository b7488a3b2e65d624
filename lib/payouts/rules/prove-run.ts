import { compareMoney, normalizeMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import type { Findings } from '#lib/evidence/rules/findings.ts';
import type { ReturnedItem } from '#lib/payments/rules/item-state.ts';
import { type RunLine, redecideLine } from './decide-line.ts';
import { adjustTaken, type DecidedReversal, type DriftAdjustment, decideReversal } from './decide-reversal.ts';
import type { EurRate } from './policy.ts';
import { digestContent, type RunContent } from './run-content.ts';

// Proves a run from what is stated of it and what it was made from, whether that is stored in the database or in an evidence pack.

/** What a run states of itself beside its lines. */
export interface StatedRun {
  runNo: number;
  state: string;
  snapshotId: number;
  /** Hex. */
  snapshotDigest: string;
  windowStart: string;
  windowEnd: string;
  policyNo: number;
  composedAt: string | null;
  approvalsWanted: number;
  contentDigest: string | null;
  /** Hex content digest of the run before; null: the first. */
  previousContentDigest: string | null;
  content: RunContent | null;
  /** The adjustments that are stored as part of it. */
  adjustments: RunContent['adjustments'];
  /** Payments of earlier runs that failed or came back and are stored as part of it, by run and number. */
  returned: ReturnedItem[];
  /** The rate that is stored; null: none. */
  eurRate: EurRate | null;
}

/** Proves what was approved: the content is what was digested, names what the run names, and covers its lines and reversals. */
export function proveContent(run: StatedRun, digests: { lines: string; reversals: string }, about: Findings): void {
  const { content } = run;
  if (content === null) return;
  about.same('run_content', run.contentDigest ?? '', digestContent(content));
  about.same('run_snapshot', run.snapshotDigest, content.snapshotDigest);
  about.same('run_snapshot_id', String(content.snapshotId), String(run.snapshotId));
  about.same('run_window', `${content.window.start} to ${content.window.end}`, `${run.windowStart} to ${run.windowEnd}`);
  about.same('run_policy', String(content.policy.policyNo), String(run.policyNo));
  about.same('run_composed_at', content.composedAt, run.composedAt ?? 'none');
  const { secondApprovalFrom_usd } = content.policy;
  const isLarge = secondApprovalFrom_usd !== null && compareMoney(content.totals.payable, secondApprovalFrom_usd) >= 0;
  about.same('run_approvals_wanted', isLarge ? '2' : '1', String(run.approvalsWanted));
  // A voided run has given its adjustments and returned payments back.
  if (run.state !== 'void') {
    about.same('run_adjustments', formatAdjustments(content.adjustments), formatAdjustments(run.adjustments));
    about.same('run_returned', formatReturned(content.returned ?? []), formatReturned(run.returned));
  }
  about.same('run_eur_rate', formatRate(content.eurRate ?? null), formatRate(run.eurRate));
  about.same('run_number', String(run.runNo), String(content.runNo));
  about.same('run_before', run.previousContentDigest ?? 'none', content.previous ?? 'none');
  about.same('run_lines_digest', content.lines, digests.lines);
  about.same('run_reversals_digest', content.reversals, digests.reversals);
}

function formatAdjustments(adjustments: RunContent['adjustments']): string {
  const each = adjustments.toSorted((one, other) => one.adjustmentId - other.adjustmentId);
  return each.map((a) => `${a.adjustmentId} ${a.kind} ${normalizeMoney(a.amount_usd)} of ${a.recipientId}`).join(', ') || 'none';
}

function formatReturned(items: readonly ReturnedItem[]): string {
  const each = items.map((i) => `payment ${i.itemNo} of run ${i.runNo}, ${normalizeMoney(i.amount_usd)} of ${i.recipientId}`);
  return each.join('; ') || 'none';
}

function formatRate(rate: EurRate | null): string {
  return rate === null ? 'none' : `${normalizeMoney(rate.usd_per_eur)} ${rate.source}`;
}

/** A reversal of a run with what was deducted of its period before. */
export interface StatedReversal extends Omit<DecidedReversal, 'pinned_usd'> {
  /** What the run before it that reported the period had deducted in total; null: none did, so that earlier months say it. */
  takenByRuns_usd: string | null;
  /** Adjustments of the period that runs until this one include, in order. */
  adjustments: Omit<DriftAdjustment, 'periodId'>[];
}

/**
 * Decides a reversal again from what runs and adjustments had deducted before. What months before the first run stated is not repeated. A run without content
 * was composed by the rules of its day, which it doesn't state, and a voided one gave its adjustments back: either may count them or not.
 */
export function proveReversal({ state, content }: Pick<StatedRun, 'state' | 'content'>, reversal: StatedReversal, about: Findings): void {
  const { takenBefore_usd, takenByRuns_usd, taken_usd, adjustments } = reversal;
  const again = decideReversal(reversal, takenBefore_usd).taken_usd;
  about.must('reversal_taken', compareMoney(again, taken_usd) === 0, again, taken_usd);
  if (takenByRuns_usd === null) return;
  const adjusted_usd = adjustTaken(takenByRuns_usd, adjustments);
  const expected =
    content === null || state === 'void' ? [adjusted_usd, takenByRuns_usd] : [content.rules === undefined ? takenByRuns_usd : adjusted_usd];
  const isOne = expected.some((usd) => compareMoney(usd, takenBefore_usd) === 0);
  about.must('reversal_taken_before', isOne, [...new Set(expected)].join(' or '), takenBefore_usd);
}

/** The amounts that a run states as the sum of its lines. */
export const SUMMED_AMOUNTS = ['opening', 'earned', 'reversed', 'pinned', 'adjusted', 'returned', 'payable', 'closing'] as const;
export type StatedSums = Record<(typeof SUMMED_AMOUNTS)[number], string> & { lines: number; payable_count: number };

/** By recipient or period: the amounts a run was made from. USD. */
export interface RunSources {
  /** What the snapshot reports of each recipient. */
  reported: ReadonlyMap<number, { earned_usd: string; reversed_usd: string }>;
  /** What the run before carried forward, where it isn't 0. */
  carried: ReadonlyMap<number, string>;
  /** The adjustments that are stored as part of the run, added up; null: a draft doesn't name them yet. */
  adjusted: ReadonlyMap<number, string> | null;
  /** The same of payments of earlier runs that failed or came back. */
  returned: ReadonlyMap<number, string> | null;
  /** What the snapshot reports as reversed, by period. */
  reversed: ReadonlyMap<number, string>;
}

/** Takes the reversals and the lines of a run, and compares them with their sources and with the sums of the run. */
export class RunProof {
  readonly #runNo: number;
  readonly #sources: RunSources;
  readonly #findings: Findings;
  readonly #pinned = new Map<number, string>();
  readonly #periods = new Set<number>();
  readonly #recipients = new Set<number>();
  readonly #sums = new Map<string, string[]>();
  #payableCount = 0;

  constructor(runNo: number, sources: RunSources, findings: Findings) {
    this.#runNo = runNo;
    this.#sources = sources;
    this.#findings = findings;
  }

  /** Takes a reversal; all of them come before the first line. */
  addReversal({ periodId, recipientId, reported_usd, taken_usd }: StatedReversal): void {
    const reversed = this.#sources.reversed.get(periodId);
    this.#compare(this.#about(`period ${periodId}`), 'reversal_reported', reversed ?? null, reported_usd);
    this.#periods.add(periodId);
    this.#pinned.set(recipientId, sumMoney([this.#pinned.get(recipientId) ?? '0.00', subtractMoney(reported_usd, taken_usd)]));
  }

  /** Takes a line: it is decided again, and its amounts are those of its sources. */
  addLine(line: RunLine): void {
    const { recipientId } = line;
    const about = this.#about(`recipient ${recipientId}`);
    const { reported, carried, adjusted, returned } = this.#sources;
    about.must('line_is_once', !this.#recipients.has(recipientId), 'one line', 'another one');
    this.#recipients.add(recipientId);
    proveDecision(line, about);
    const from = reported.get(recipientId) ?? { earned_usd: '0.00', reversed_usd: '0.00' };
    this.#compare(about, 'line_opening', carried.get(recipientId) ?? '0.00', line.opening_usd);
    this.#compare(about, 'line_earned', from.earned_usd, line.earned_usd);
    this.#compare(about, 'line_reversed', from.reversed_usd, line.reversed_usd);
    this.#compare(about, 'line_pinned', this.#pinned.get(recipientId) ?? '0.00', line.pinned_usd);
    if (adjusted !== null) this.#compare(about, 'line_adjusted', adjusted.get(recipientId) ?? '0.00', line.adjusted_usd);
    if (returned !== null) this.#compare(about, 'line_returned', returned.get(recipientId) ?? '0.00', line.returned_usd);
    for (const amount of SUMMED_AMOUNTS) this.#add(amount, line[`${amount}_usd`]);
    if (signOfMoney(line.payable_usd) > 0) this.#payableCount += 1;
  }

  /** Compares the sums of the run, once all lines were taken, and names what has no line. */
  close(stated: StatedSums): void {
    const { reported, carried, adjusted, returned, reversed } = this.#sources;
    for (const recipientId of new Set([...reported.keys(), ...carried.keys(), ...(adjusted?.keys() ?? []), ...(returned?.keys() ?? [])]))
      if (!this.#recipients.has(recipientId)) this.#about(`recipient ${recipientId}`).same('line_is_stored', 'a line', 'none');
    for (const [periodId, usd] of reversed)
      if (!this.#periods.has(periodId)) this.#about(`period ${periodId}`).same('reversal_reported', usd, 'none');
    const about = this.#findings.about(`run ${this.#runNo}`);
    about.same('run_lines', String(this.#recipients.size), String(stated.lines));
    about.same('run_payable_count', String(this.#payableCount), String(stated.payable_count));
    for (const amount of SUMMED_AMOUNTS) this.#compare(about, `run_${amount}`, sumMoney(this.#sums.get(amount) ?? []), stated[amount]);
  }

  #about(subject: string): Findings {
    return this.#findings.about(`run ${this.#runNo}, ${subject}`);
  }

  #compare(about: Findings, name: string, expected: string | null, actual: string): void {
    about.must(name, expected !== null && compareMoney(expected, actual) === 0, expected ?? 'none', actual);
  }

  #add(amount: string, usd: string): void {
    const known = this.#sums.get(amount) ?? [];
    known.push(usd);
    // One amount for many: 100,000 lines need no list of their amounts.
    this.#sums.set(amount, known.length < 4_096 ? known : [sumMoney(known)]);
  }
}

/** Decides a line again from its own amounts. */
function proveDecision(line: RunLine, about: Findings): void {
  const again = redecideLine(line);
  for (const amount of ['due', 'payable', 'held', 'closing'] as const)
    about.must(
      `line_${amount}`,
      compareMoney(again[`${amount}_usd`], line[`${amount}_usd`]) === 0,
      again[`${amount}_usd`],
      line[`${amount}_usd`],
    );
  about.same('line_outcome', again.outcome, line.outcome);
  about.same('line_reasons', again.also.join(', '), line.also.join(', '));
}
