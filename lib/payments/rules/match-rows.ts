import { compareMoney, sumMoney } from '#lib/core/money.ts';
import { mapInSteps, type Steps } from '#lib/core/steps.ts';
import { dayAfter } from './report-cells.ts';
import { compareReported, type ParsedReport, type ReportKind, type ReportRow, withPlausibleDay } from './report-row.ts';
import { contradictsDates, contradictsUndated, hadFailed, isOvertaken, newestReported, type ReportedState } from './reported-states.ts';

/** A payment of this game, as far as a report can be compared with it. */
export interface KnownPayment {
  runId: number;
  itemNo: number;
  reference: string;
  /** Of the file: exact decimal text in its currency. */
  amount: string;
  currency: string;
  amount_usd: string;
  /** The day its file was made, by the clock of the game; null: it is in none, or was recorded as paid elsewhere. */
  madeOn: string | null;
  /** Whether its file was handed over. A payment that no bank has can't be confirmed. */
  isHandedOver: boolean;
  /** Whether another payment replaced it, or an approved run pays it again: money that still moves for it may be paid twice. */
  isReplaced: boolean;
  /** Stored confirmations, in any order. */
  confirmations: readonly KnownConfirmation[];
}

/** What a report said of a payment before. */
export interface KnownConfirmation {
  state: ReportedState;
  /** The layout of the report. */
  kind: ReportKind;
  providerId: string | null;
  /** Of its row, see `ReportRow.digest`. */
  digest: string;
  /** The provider's date; null: the report has none. */
  occurredOn: string | null;
  /** Whether its row was about a whole file, whose total isn't a movement of this payment's own. */
  isOfFile: boolean;
}

/** A file with its payments. */
export interface KnownBatch {
  batchNo: number;
  runId: number;
  currency: string;
  total: string;
  payments: readonly KnownPayment[];
}

/** What is known of this game's payments, by what a row may name. */
export interface KnownPayments {
  byReference: ReadonlyMap<string, KnownPayment>;
  /** Only traces that one payment has. */
  byTrace: ReadonlyMap<string, KnownPayment>;
  byProviderId: ReadonlyMap<string, KnownPayment>;
  byBatchId: ReadonlyMap<string, KnownBatch>;
  /** Those whose reference is a word of a row but for one letter. */
  byMistyped: ReadonlyMap<string, readonly KnownPayment[]>;
  /** Rows of earlier reports that confirmed nothing, by their digest: a person has them before them, or has decided. */
  listed: ReadonlySet<string>;
}

type MatchedBy = 'reference' | 'trace' | 'provider_id' | 'message' | 'batch_total';

/** Why a row confirms nothing; a person looks at it and may accept it with a note. */
export const LISTED_REASONS = [
  'foreign',
  'two_references',
  'differs',
  'unreadable',
  'unknown_word',
  'not_handed_over',
  'paid_twice',
  'returned_in_part',
  'returned_more',
  'total_differs',
  'replaced',
  'dates_contradict',
  'before_file',
  'mistyped',
] as const;
export type ListedReason = (typeof LISTED_REASONS)[number];

/** Money that may have moved twice: the run and how much of it. */
interface PaymentAlarm {
  runId: number;
  amount_usd: string;
}

export type MatchedRow =
  | { kind: 'confirmed'; row: ReportRow; payment: KnownPayment; state: ReportedState; matchedBy: MatchedBy }
  /** `payment`: the one that it seems to be about; null: none, or several. `batchNo`: the file that it is about as a whole; null: none. */
  | {
      kind: 'listed';
      row: ReportRow;
      reason: ListedReason;
      payment: KnownPayment | null;
      batchNo: number | null;
      alarm: PaymentAlarm | null;
    }
  /** An earlier report has said the same. `payment` null: it confirmed nothing then. */
  | { kind: 'repeated'; row: ReportRow; payment: KnownPayment | null };

/**
 * Compares the rows of a report with the payments of a game. A row confirms a payment only when it names it, by one reference, by a trace or an ID of the
 * provider, or by the batch it answers for, and when amount and currency are equal where its layout has them. Everything else is listed, once for each row; one whose
 * reference has a wrong letter with the payment that it seems to be about, by its amount.
 * `addedAt`: when the report is added, an instant; a row whose date is implausible then can't be read. In steps, each of some rows.
 */
export function* matchRows(report: Pick<ParsedReport, 'kind' | 'rows'>, known: KnownPayments, addedAt: string): Steps<MatchedRow[]> {
  const { kind } = report;
  const rows = yield* mapInSteps(report.rows, (row) => withPlausibleDay(row, addedAt));
  // What earlier rows of this report state, beside the stored confirmations.
  const reported = new Map<string, KnownConfirmation[]>();
  const reportedOf: ReportedOf = ({ reference, confirmations }) => {
    const here = reported.get(reference) ?? [];
    return { kind, all: [...confirmations, ...here], here, alike: confirmations.filter((each) => each.kind === kind) };
  };
  const movements = indexMovements(rows, known);
  const byRow = yield* mapInSteps(rows, (row) => {
    const matched = matchRow(row, known, movements, reportedOf);
    for (const each of matched)
      if (each.kind === 'confirmed') {
        const { state, payment, matchedBy } = each;
        const own = reported.get(payment.reference) ?? [];
        const { providerId, digest, occurredOn } = row;
        own.push({ state, kind, providerId, digest, occurredOn, isOfFile: matchedBy === 'batch_total' || matchedBy === 'message' });
        reported.set(payment.reference, own);
      }
    return matched.map((each) =>
      each.kind === 'listed' && known.listed.has(row.digest) ? { kind: 'repeated' as const, row, payment: each.payment } : each,
    );
  });
  return byRow.flat();
}

/** What is known of a payment: by all reports, by earlier rows of this one, and by earlier reports of its layout, which date a movement alike. */
interface Reported {
  /** The layout of this report. */
  kind: ReportKind;
  all: readonly KnownConfirmation[];
  here: readonly KnownConfirmation[];
  alike: readonly KnownConfirmation[];
}
type ReportedOf = (payment: KnownPayment) => Reported;

/** The payments that rows of this report name by one reference, by the ID of their movement: a return in the same report may name that ID alone. */
function indexMovements(rows: readonly ReportRow[], known: KnownPayments): Map<string, KnownPayment> {
  const movements = new Map<string, KnownPayment>();
  for (const { references, providerId } of rows) {
    const payment = references.length === 1 ? known.byReference.get(references[0] ?? '') : undefined;
    if (payment !== undefined && providerId !== null && !movements.has(providerId)) movements.set(providerId, payment);
  }
  return movements;
}

function matchRow(
  row: ReportRow,
  known: KnownPayments,
  movements: ReadonlyMap<string, KnownPayment>,
  reportedOf: ReportedOf,
): MatchedRow[] {
  const list = (reason: ListedReason, payment: KnownPayment | null = null): MatchedRow[] => [
    { kind: 'listed', row, reason, payment, batchNo: null, alarm: null },
  ];
  const named = row.references.map((reference) => known.byReference.get(reference)).filter((payment) => payment !== undefined);
  if (row.references.length > 1 && named.length > 0) return list('two_references');
  const found = findNamed(row, named[0], known, movements);
  if (found === null) {
    const batch = row.batchId === null ? undefined : known.byBatchId.get(row.batchId);
    if (batch !== undefined) return matchBatch(row, batch, reportedOf);
    const likely = row.mistyped.flatMap((word) => known.byMistyped.get(word) ?? []);
    if (likely.length === 0) return list('foreign');
    const [first = null, ...others] = likely.filter((payment) => compareAmount(row, payment) === null);
    return list('mistyped', others.length === 0 ? first : null);
  }
  const { payment, matchedBy } = found;
  if (row.unreadable !== null) return list('unreadable', payment);
  if (row.state === null) return list('unknown_word', payment);
  const objection = compareAmount(row, payment);
  if (objection !== null) return list(objection, payment);
  return [confirm(row, payment, row.state, matchedBy, reportedOf(payment))];
}

function findNamed(
  row: ReportRow,
  named: KnownPayment | undefined,
  known: KnownPayments,
  movements: ReadonlyMap<string, KnownPayment>,
): { payment: KnownPayment; matchedBy: MatchedBy } | null {
  if (named !== undefined) return { payment: named, matchedBy: 'reference' };
  const traced = row.trace === null ? undefined : known.byTrace.get(row.trace);
  if (traced !== undefined) return { payment: traced, matchedBy: 'trace' };
  const related = row.relatedId === null ? undefined : (known.byProviderId.get(row.relatedId) ?? movements.get(row.relatedId));
  return related === undefined ? null : { payment: related, matchedBy: 'provider_id' };
}

/**
 * A row for a whole file: its total must be that of the file, or it has none and is a bank's answer to the message. Payments of which the same is known, that were
 * replaced since, or whose return an earlier date has, are left as they are: a file is paid once, so the return followed. So is one that failed by itself, while its file is
 * on its way. A second total of one file is listed, as is one with the money of a payment that had failed: it may be paid after all.
 */
function matchBatch(row: ReportRow, batch: KnownBatch, reportedOf: ReportedOf): MatchedRow[] {
  const list = (reason: ListedReason, alarm: PaymentAlarm | null = null): MatchedRow[] => [
    { kind: 'listed', row, reason, payment: null, batchNo: batch.batchNo, alarm },
  ];
  const { state } = row;
  if (row.unreadable !== null) return list('unreadable');
  if (state === null) return list('unknown_word');
  const hasTotal = row.amounts.some(({ amount, currency }) => currency === batch.currency && compareMoney(amount, batch.total) === 0);
  if (row.hasAmount && !hasTotal) return list('total_differs');
  const alarmOf = (payments: readonly KnownPayment[]): PaymentAlarm | null =>
    state === 'paid' ? { runId: batch.runId, amount_usd: sumMoney(payments.map(({ amount_usd }) => amount_usd)) } : null;
  if (batch.payments.some(({ isHandedOver }) => !isHandedOver)) return list('not_handed_over', alarmOf(batch.payments));
  const matchedBy = row.hasAmount ? 'batch_total' : 'message';
  const reported = batch.payments.map(reportedOf);
  if (reported.some(({ all }) => contradictsUndated(all, { ...row, state }))) return list('unreadable');
  const isTotal = (each: KnownConfirmation): boolean => each.isOfFile && each.state === state;
  if (state === 'paid' && reported.some((own) => isSecondMovement(row, own, isTotal))) return list('paid_twice', alarmOf(batch.payments));
  if (state !== 'paid' && batch.payments.some(({ confirmations }) => contradictsDates(confirmations, { ...row, state })))
    return list('dates_contradict');
  if (state === 'paid' && !reported.some(({ all }) => all.some(isTotal))) {
    const failed = batch.payments.filter((_, index) => hadFailed(reported[index]?.all ?? [], row.occurredOn));
    const replaced = failed.filter(({ isReplaced }) => isReplaced);
    if (replaced.length > 0) return list('replaced', alarmOf(replaced));
    if (failed.length > 0) return list('dates_contradict', alarmOf(failed));
  }
  const matched = batch.payments.map(
    (payment, index): MatchedRow =>
      payment.isReplaced || isOvertaken(reported[index]?.all ?? [], { ...row, state })
        ? { kind: 'repeated', row, payment }
        : { kind: 'confirmed', row, payment, state, matchedBy },
  );
  return matched.some((each) => each.kind === 'confirmed' && isBeforeFile(row, each.payment)) ? list('before_file') : matched;
}

/** null: equal, or the layout has no amount. A return may be smaller, since banks keep a fee of it; a person confirms that. */
function compareAmount({ hasAmount, amounts, state }: ReportRow, payment: KnownPayment): ListedReason | null {
  return hasAmount ? compareReported(amounts, state, payment) : null;
}

function confirm(row: ReportRow, payment: KnownPayment, state: ReportedState, matchedBy: MatchedBy, reported: Reported): MatchedRow {
  const { all, here } = reported;
  // Only money that left may have been paid twice: that of a payment which failed or of a file nobody handed over, too. Either is paid again.
  const alarm = state === 'paid' ? { runId: payment.runId, amount_usd: payment.amount_usd } : null;
  const list = (reason: ListedReason, own = alarm): MatchedRow => ({ kind: 'listed', row, reason, payment, batchNo: null, alarm: own });
  if (!payment.isHandedOver) return list('not_handed_over');
  const same = (each: KnownConfirmation): boolean => each.state === state;
  if (all.some((each) => same(each) && isSameRow(row, each))) return { kind: 'repeated', row, payment };
  if (payment.isReplaced) return list('replaced');
  if (contradictsUndated(all, { ...row, state })) return list('unreadable', null);
  const isOwn = (each: KnownConfirmation): boolean => same(each) && !each.isOfFile;
  if (alarm !== null && isSecondMovement(row, reported, isOwn)) return list('paid_twice');
  if (state === 'returned' && isSecondReturn(row, reported)) return list('returned_more');
  // Rows of one report have one calendar, by which what failed may be paid on a later day; two reports may date one movement differently.
  const beside = state === 'failed' ? [...payment.confirmations, ...here.filter(({ occurredOn }) => occurredOn === row.occurredOn)] : all;
  if (contradictsDates(beside, { ...row, state })) return list('dates_contradict');
  if (isBeforeFile(row, payment)) return list('before_file', null);
  return { kind: 'confirmed', row, payment, state, matchedBy };
}

/** Layouts in which the row of a payment says that it was returned, beside the row of the return. */
const RETURN_BY_TWO_ROWS: readonly ReportKind[] = ['paypal_activity', 'paypal_batch'];

/** Whether money came back another time than reports of this layout have, under another ID or without one on another day, and wasn't paid in between. */
function isSecondReturn(row: ReportRow, { kind, all, here, alike }: Reported): boolean {
  if (!row.hasAmount || RETURN_BY_TWO_ROWS.includes(kind) || newestReported(all)?.state !== 'returned') return false;
  return [...alike, ...here].some(({ state, isOfFile, providerId, occurredOn }) => {
    if (state !== 'returned' || isOfFile) return false;
    const [mine, its] = row.providerId !== null && providerId !== null ? [row.providerId, providerId] : [row.occurredOn, occurredOn];
    return mine !== null && its !== null && mine !== its;
  });
}

/** Whether a row is dated before a file was made, which no bank had then. One day less: the bank's zone may be behind that of the game. */
function isBeforeFile({ occurredOn }: ReportRow, { madeOn }: KnownPayment): boolean {
  return occurredOn !== null && madeOn !== null && dayAfter(occurredOn) < madeOn;
}

/** Whether a row is the one that was confirmed: by the provider's ID where both have one, otherwise by its cells. */
function isSameRow({ providerId, digest }: ReportRow, each: KnownConfirmation): boolean {
  return providerId !== null && each.providerId !== null ? providerId === each.providerId : digest === each.digest;
}

/**
 * Whether a debit is another one than those that are known, of which only some count: the same under another ID, a second row of this report, or without an ID on another
 * day by a report of the same layout. A bank's status isn't a debit; one payment may get several.
 */
function isSecondMovement(row: ReportRow, { all, here, alike }: Reported, counts: (each: KnownConfirmation) => boolean): boolean {
  const isOther = (each: KnownConfirmation): boolean => counts(each) && !isSameRow(row, each);
  const hasOtherId = all.some((each) => isOther(each) && row.providerId !== null && each.providerId !== null);
  const isOnOtherDay = ({ occurredOn }: KnownConfirmation): boolean =>
    row.hasAmount && row.occurredOn !== null && occurredOn !== null && occurredOn !== row.occurredOn;
  return hasOtherId || alike.some((each) => isOther(each) && isOnOtherDay(each)) || here.some(isOther);
}
