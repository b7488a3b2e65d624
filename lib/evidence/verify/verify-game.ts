import type { Db } from '#db/kit/open.ts';
import { verifyJournals } from '#lib/accounting/verify-journals.ts';
import { verifyActions } from '#lib/actions/verify-actions.ts';
import { sha256Of } from '#lib/core/canonical-digest.ts';
import { sumMoney } from '#lib/core/money.ts';
import { digestSlice } from '#lib/evidence/digest.ts';
import { COARSE_BASIS, countSheetRows, NO_IDENTITY, type SliceEvidence } from '#lib/evidence/rules/evidence.ts';
import { allMatch, reconcileSlice } from '#lib/evidence/rules/reconciliation/check-window.ts';
import { listDifferences, sumCounts } from '#lib/evidence/rules/totals.ts';
import type { PayeeKey } from '#lib/payees/seal.ts';
import { verifyDetails } from '#lib/payees/verify-details.ts';
import { verifyPaymentReports } from '#lib/payments/verify-payment-reports.ts';
import { verifyPayments } from '#lib/payments/verify-payments.ts';
import { verifyRuns } from '#lib/payouts/verify-runs.ts';
import { verifyRefunds } from '#lib/refunds/verify-refunds.ts';
import { findNextRefused, listResponses, loadSlice } from '../reads/slices.ts';
import {
  attemptStep,
  countMisplacedRows,
  findGameRef,
  findIdentities,
  findSliceRow,
  listSliceIds,
  overFrozenView,
} from '../reads/verification.ts';
import { listDriftViolations, listExceededAttributions, listLinkViolations } from '../reads/violations.ts';
import { Findings, type Violation } from '../rules/findings.ts';
import { inflate, readAnswer, rebuildSlice } from './rebuild.ts';
import { verifyCurrent, verifyRenditions } from './verify-renditions.ts';
import { verifyDetailMonths, verifyReports } from './verify-reports.ts';
import { type ChainWalk, verifySnapshots } from './verify-snapshots.ts';

export interface Verification {
  slices: number;
  snapshots: number;
  responses: number;
  refunds: number;
  /** Payout runs. */
  runs: number;
  /** Desk actions. */
  actions: number;
  /** Payment details. */
  details: number;
  /** Reports of banks and payment providers. */
  reports: number;
  /** Payment files, and payments recorded as paid elsewhere. */
  payments: number;
  journals: number;
  violations: Violation[];
  /** What contradicts no evidence: check it before paying; or bank reports of earlier rules, which aren't matched again. */
  warnings: Violation[];
}

/**
 * Recomputes everything stored of a game from the raw bytes Invo sent: digests of responses, slices and the chain, totals, lines, checks,
 * recipient figures and rendered sheets; and compares each refund with its bytes, its approval and its receipt, each journal with its run, and payment details
 * and bank reports with the audit, opened where `payeeKey` sealed them. Reads one frozen view of the database and
 * writes nothing. Names each row that no longer follows from its evidence, and each of `heads`, exported before, that the chain no longer has.
 */
export async function verifyGame(
  db: Db,
  gameId: number,
  onProgress: (line: string) => void = () => undefined,
  heads: ChainWalk['heads'] = [],
  payeeKey: PayeeKey | null = null,
): Promise<Verification> {
  return overFrozenView(db, async (view) => {
    const [findings, warnings] = [new Findings(), new Findings()];
    const identities = await findIdentities(view, gameId);
    const slices = await listSliceIds(view, gameId);
    const step = async (subject: string, work: () => Promise<void>): Promise<void> => {
      const error = await attemptStep(view, work);
      if (error !== null) findings.about(subject).must('can_be_verified', false, 'rows that can be read', error.message.slice(0, 200));
    };
    // Of what can't be read in full, none is counted.
    const counted = async (subject: string, work: () => Promise<number>): Promise<number> => {
      let count = 0;
      await step(subject, async () => void (count = await work()));
      return count;
    };
    let responses = 0;
    for (const [index, { sliceId, start }] of slices.entries()) {
      onProgress(`slice ${index + 1} of ${slices.length}: ${start.slice(0, 10)}`);
      const subject = `slice ${sliceId}`;
      responses += await counted(subject, () => verifySlice(view, gameId, sliceId, identities.erased, findings.about(subject)));
    }
    responses += await counted('refused responses', () => verifyRefused(view, gameId, findings));
    responses += await counted('detail reports', () => verifyReports(view, gameId, findings));
    await step('fees of months', () => verifyDetailMonths(view, gameId, findings));
    findings.add(await listLinkViolations(view, gameId));
    const refunds = await counted('refunds', () => verifyRefunds(view, gameId, findings));
    const actions = await counted('desk actions', () => verifyActions(view, gameId, findings));
    const runs = await counted('payout runs', () => verifyRuns(view, gameId, findings));
    const details = await counted('payment details', () => verifyDetails(view, gameId, payeeKey, findings));
    const payments = await counted('payments', () => verifyPayments(view, gameId, payeeKey, findings));
    const reports = await counted('bank reports', () => verifyPaymentReports(view, gameId, payeeKey, findings, warnings));
    const journals = await counted('journals', () => verifyJournals(view, gameId, findings));
    const verified = await verifySnapshots(view, gameId, { identities, heads, step }, findings, onProgress);
    await step('rendered sheets', () => verifyRenditions(view, gameId, findings, onProgress));
    await step('current snapshots', () => verifyCurrent(view, gameId, findings));
    await step('months', async () => warnings.add(await verifyAcrossMonths(view, gameId, findings)));
    return {
      slices: slices.length,
      snapshots: verified.snapshots,
      responses: responses + verified.responses,
      refunds,
      actions,
      runs,
      details,
      reports,
      payments,
      journals,
      violations: findings.violations,
      warnings: warnings.violations,
    };
  });
}

/**
 * Compares current snapshots with each other and with the earlier ones of their windows. Returns, as warnings, the periods whose reversals without
 * receipts exceed their attribution over several months: Invo moved them, and the earlier month was not pulled again since.
 */
async function verifyAcrossMonths(db: Db, gameId: number, findings: Findings): Promise<Violation[]> {
  const exceeded = await listExceededAttributions(db, await findGameRef(db, gameId));
  findings.add([...(await listDriftViolations(db, gameId)), ...exceeded.filter(({ isExact }) => isExact)]);
  return exceeded.filter(({ isExact }) => !isExact).map(({ isExact: _, ...warning }) => warning);
}

/** The body of a refused response need not parse; its bytes must still be the ones received. One body is held at a time: a failing Invo leaves many. */
async function verifyRefused(db: Db, gameId: number, findings: Findings): Promise<number> {
  let count = 0;
  for (let next = await findNextRefused(db, gameId, 0); next !== null; next = await findNextRefused(db, gameId, next.responseId)) {
    const { responseId, body, sha256, inflatedByteCount } = next;
    const inflated = inflate(body);
    const about = findings.about(`response ${responseId}`);
    about.same('response_digest', sha256.toString('hex'), inflated === null ? 'no gzip' : sha256Of(inflated).toString('hex'));
    about.same('response_size', String(inflatedByteCount), String(inflated?.length ?? 0));
    count += 1;
  }
  return count;
}

/** Rebuilds one slice from its raw responses and compares it with what is stored. Returns how many responses it has. */
async function verifySlice(db: Db, gameId: number, sliceId: number, erased: ReadonlySet<number>, findings: Findings): Promise<number> {
  const head = await findSliceRow(db, gameId, sliceId);
  const stored = await loadSlice(db, gameId, sliceId);
  const responses = await listResponses(db, gameId, { sliceId });
  const answers = responses.flatMap((response) => readAnswer(findings, response) ?? []);
  const rebuilt = rebuildSlice({ start: head.window_start, end: head.window_end }, answers);
  for (const { gameId: reported } of answers) findings.same('answer_of_the_pinned_game', head.invoGameId ?? 'none pinned', reported);
  findings.same('slice_answers_kept', String(head.call_count), String(responses.length));
  findings.same('slice_notices', String(head.notice_count), String(answers.length));
  findings.same('slice_digest_of_rows', head.digest.toString('hex'), digestSlice(stored).toString('hex'));
  findings.same(
    'slice_line_counts',
    `${head.renewal_line_count} and ${head.reversal_line_count}`,
    `${stored.renewals.length} and ${stored.reversals.length}`,
  );
  findings.same('slice_event_count', String(head.reversal_event_count), String(sumCounts(stored.reversals.map(countSheetRows))));
  findings.same('slice_is_consistent', String(head.is_consistent), String(allMatch(reconcileSlice(stored))));
  findings.same('slice_order_columns', '0 rows', `${await countMisplacedRows(db, gameId, sliceId)} rows`);
  findings.must('slice_pages_kept', rebuilt !== null, 'the pages it came from', 'no first page');
  if (rebuilt) {
    findings.same('slice_digest_of_raw_bytes', head.digest.toString('hex'), digestSlice(rebuilt).toString('hex'));
    findings.same('slice_totals_of_raw_bytes', '', listDifferences(rebuilt.totals, stored.totals).join(', '));
    findings.same('slice_generated_at', rebuilt.generated_at, stored.generated_at);
    const recipients = rebuilt.recipients.map((each) => (erased.has(each.recipient_player_id) ? { ...each, ...NO_IDENTITY } : each));
    compareRows(findings, stored, { ...rebuilt, recipients });
  }
  return responses.length;
}

/** Offences named for each kind of row; beyond them only their number. */
const NAMED_MAX = 20;

/** Compares each stored row of a slice with the raw bytes, field by field: also names, statuses and other fields outside the digest. */
function compareRows(findings: Findings, stored: SliceEvidence, rebuilt: SliceEvidence): void {
  compareRowsOf('recipients', 'recipient_player_id', findings, stored.recipients, rebuilt.recipients);
  compareRowsOf('renewals', 'period_id', findings, stored.renewals, rebuilt.renewals);
  compareRowsOf('reversals', 'period_id', findings, stored.reversals, rebuilt.reversals);
}

function compareRowsOf<Key extends string, Row extends Record<Key, number>>(
  kind: string,
  key: Key,
  findings: Findings,
  stored: Row[],
  rebuilt: Row[],
): void {
  const expected = new Map(rebuilt.map((row) => [row[key], write(row)]));
  const actual = new Map(stored.map((row) => [row[key], write(row)]));
  const offenders = [...new Set([...expected.keys(), ...actual.keys()])].filter((id) => expected.get(id) !== actual.get(id));
  for (const id of offenders.slice(0, NAMED_MAX)) {
    const [rebuiltField, storedField] = firstDifference(expected.get(id), actual.get(id));
    findings.must(`${kind}_of_raw_bytes`, false, `${key} ${id}: ${rebuiltField}`, storedField);
  }
  if (offenders.length > NAMED_MAX) findings.same(`${kind}_of_raw_bytes`, '0 rows differ', `${offenders.length} rows differ`);
}

/** One row as text, equal for two rows with equal facts: fields in order of their names, 1.5 and 1.50 one amount. */
function write(row: object): string {
  const isCoarse = 'reversal_basis' in row && row.reversal_basis === COARSE_BASIS;
  const fields = Object.entries(row).filter(([name]) => !(isCoarse && name === 'refund_events'));
  return fields
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, value]: [string, unknown]) =>
        `${name} ${Array.isArray(value) ? value.map((each) => `(${write(each)})`).join(' ') : writeValue(name, value)}`,
    )
    .join('\n');
}

function writeValue(name: string, value: unknown): string {
  return typeof value === 'string' && /_(usd|coins)$/.test(name) ? sumMoney([value]) : JSON.stringify(value ?? null);
}

function firstDifference(expected: string | undefined, actual: string | undefined): [string, string] {
  if (expected === undefined) return ['no such row', 'a row'];
  if (actual === undefined) return ['a row', 'no such row'];
  const [expectedFields, stored] = [expected.split('\n'), actual.split('\n')];
  const position = expectedFields.findIndex((field, index) => field !== stored[index]);
  return [expectedFields[position] ?? '', stored[position] ?? ''];
}
