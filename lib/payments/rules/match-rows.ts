import { compareMoney } from '#lib/core/money.ts';
import type { ReportedState, ReportRow } from './report-row.ts';

/** A payment of this game, as far as a report can be compared with it. */
export interface KnownPayment {
  runId: number;
  itemNo: number;
  reference: string;
  /** Of the file: exact decimal text in its currency. */
  amount: string;
  currency: string;
  /** Whether its file was handed over. A payment that no bank has can't be confirmed. */
  isHandedOver: boolean;
  /** Stored confirmations, in any order. */
  confirmations: readonly KnownConfirmation[];
}

/** What a report said of a payment before. */
interface KnownConfirmation {
  state: ReportedState;
  providerId: string | null;
  /** Of its row, see `ReportRow.digest`. */
  digest: string;
}

/** A file that was handed over, with its payments. */
export interface KnownBatch {
  batchId: string;
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
] as const;
export type ListedReason = (typeof LISTED_REASONS)[number];

export type MatchedRow =
  | { kind: 'confirmed'; row: ReportRow; payment: KnownPayment; state: ReportedState; matchedBy: MatchedBy }
  /** `payment`: the one that it seems to be about; null: none, or several. */
  | { kind: 'listed'; row: ReportRow; reason: ListedReason; payment: KnownPayment | null }
  /** An earlier report has said the same. */
  | { kind: 'repeated'; row: ReportRow; payment: KnownPayment };

/**
 * Compares the rows of a report with the payments of a game. A row confirms a payment only when it names it, by one reference, by a trace or an ID of the
 * provider, or by the batch it answers for, and when amount and currency are equal where its layout has them. Everything else is listed.
 */
export function matchRows(rows: readonly ReportRow[], known: KnownPayments): MatchedRow[] {
  // What rows of this report said, beside what was stored.
  const said = new Map<string, KnownConfirmation[]>();
  return rows.flatMap((row) => {
    const matched = matchRow(row, known, (payment) => [...payment.confirmations, ...(said.get(payment.reference) ?? [])]);
    for (const each of matched)
      if (each.kind === 'confirmed') {
        const { state, payment } = each;
        said.set(payment.reference, [...(said.get(payment.reference) ?? []), { state, providerId: row.providerId, digest: row.digest }]);
      }
    return matched;
  });
}

type SaidOf = (payment: KnownPayment) => readonly KnownConfirmation[];

function matchRow(row: ReportRow, known: KnownPayments, saidOf: SaidOf): MatchedRow[] {
  const list = (reason: ListedReason, payment: KnownPayment | null = null): MatchedRow[] => [{ kind: 'listed', row, reason, payment }];
  const named = row.references.map((reference) => known.byReference.get(reference)).filter((payment) => payment !== undefined);
  if (row.references.length > 1 && named.length > 0) return list('two_references');
  const found = findPayment(row, named[0], known);
  if (found === null) {
    const batch = row.batchId === null ? undefined : known.byBatchId.get(row.batchId);
    return batch === undefined ? list('foreign') : matchBatch(row, batch, saidOf);
  }
  const { payment, matchedBy } = found;
  if (row.unreadable !== null) return list('unreadable', payment);
  if (row.state === null) return list('unknown_word', payment);
  const objection = compareAmount(row, payment);
  if (objection !== null) return list(objection, payment);
  return [confirm(row, payment, row.state, matchedBy, saidOf(payment))];
}

function findPayment(
  row: ReportRow,
  named: KnownPayment | undefined,
  known: KnownPayments,
): { payment: KnownPayment; matchedBy: MatchedBy } | null {
  if (named !== undefined) return { payment: named, matchedBy: 'reference' };
  const traced = row.trace === null ? undefined : known.byTrace.get(row.trace);
  if (traced !== undefined) return { payment: traced, matchedBy: 'trace' };
  const related = row.relatedId === null ? undefined : known.byProviderId.get(row.relatedId);
  return related === undefined ? null : { payment: related, matchedBy: 'provider_id' };
}

/** A row for a whole file: its total must be that of the file, or it has none and is a bank's answer to the message. */
function matchBatch(row: ReportRow, batch: KnownBatch, saidOf: SaidOf): MatchedRow[] {
  const list = (reason: ListedReason): MatchedRow[] => [{ kind: 'listed', row, reason, payment: null }];
  const { state } = row;
  if (row.unreadable !== null) return list('unreadable');
  if (state === null) return list('unknown_word');
  const isTotal = row.amounts.some(({ amount, currency }) => currency === batch.currency && compareMoney(amount, batch.total) === 0);
  if (row.hasAmount && !isTotal) return list('total_differs');
  const matchedBy = row.hasAmount ? 'batch_total' : 'message';
  return batch.payments.map((payment) => confirm(row, payment, state, matchedBy, saidOf(payment)));
}

/** null: equal, or the layout has no amount. A return may be smaller, since banks keep a fee of it; a person confirms that. */
function compareAmount({ hasAmount, amounts, state }: ReportRow, { amount, currency }: KnownPayment): ListedReason | null {
  if (!hasAmount) return null;
  const inCurrency = amounts.filter((each) => each.currency === currency);
  if (inCurrency.some((each) => compareMoney(each.amount, amount) === 0)) return null;
  const [first] = inCurrency;
  if (state !== 'returned' || first === undefined) return 'differs';
  return compareMoney(first.amount, amount) < 0 ? 'returned_in_part' : 'returned_more';
}

function confirm(
  row: ReportRow,
  payment: KnownPayment,
  state: ReportedState,
  matchedBy: MatchedBy,
  said: readonly KnownConfirmation[],
): MatchedRow {
  if (!payment.isHandedOver) return { kind: 'listed', row, reason: 'not_handed_over', payment };
  const same = said.filter((each) => each.state === state);
  const isRepeated = same.some((each) => each.digest === row.digest || (row.providerId !== null && each.providerId === row.providerId));
  if (isRepeated) return { kind: 'repeated', row, payment };
  // Two movements of money for one payment: the same debit under another ID.
  if (state === 'paid' && row.providerId !== null && same.some((each) => each.providerId !== null))
    return { kind: 'listed', row, reason: 'paid_twice', payment };
  return { kind: 'confirmed', row, payment, state, matchedBy };
}
