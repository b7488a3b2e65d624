import type { Period } from '../model.ts';
import { formatUsd } from '../money.ts';
import type { Book } from '../report/book.ts';
import type { RecipientAccount } from '../report/ledger.ts';
import { recipientObject } from './identity.ts';
import type { Json } from './json.ts';
import { paidAtText, renewalLine } from './renewal-line.ts';
import { reversalLine } from './reversal-line.ts';

const LINES_MAX = 500;

/** One recipient of the report: own figures over the whole window, evidence up to 500 lines of each kind. */
export function recipientReport(book: Book, account: RecipientAccount): Json {
  const { renewals, reversals } = account;
  const byPaid = inOrder(
    renewals,
    book.lineOrder,
    (period) => period.paidMs ?? 0,
    (period) => period.id,
  );
  const byRefund = inOrder(
    reversals,
    book.lineOrder,
    (reversal) => reversal.latestInWindowMs,
    (reversal) => reversal.period.id,
  );
  const [first, last] = edges(renewals);
  return {
    recipient: recipientObject(book.world.recipient(account.recipientId)),
    renewal_count: renewals.length,
    subscription_count: new Set(renewals.map((period) => period.subscription.id)).size,
    gross_attributed_usd: formatUsd(account.gross),
    reversed_attributed_usd: formatUsd(account.reversed),
    net_attributed_usd: formatUsd(account.gross - account.reversed),
    first_paid_at: first,
    last_paid_at: last,
    settled_by_invo: false,
    periods: byPaid.slice(0, LINES_MAX).map((period) => renewalLine(book, period)),
    periods_truncated: renewals.length > LINES_MAX,
    reversals: byRefund.slice(0, LINES_MAX).map((reversal) => reversalLine(book, reversal)),
    reversal_count: reversals.length,
    reversals_truncated: reversals.length > LINES_MAX,
  };
}

function edges(renewals: Period[]): [string | null, string | null] {
  const sorted = [...renewals].sort((a, b) => (a.paidMs ?? 0) - (b.paidMs ?? 0));
  const [first, last] = [sorted[0], sorted.at(-1)];
  return first === undefined || last === undefined ? [null, null] : [paidAtText(first), paidAtText(last)];
}

function inOrder<T>(list: T[], order: Book['lineOrder'], instantOf: (entry: T) => number, idOf: (entry: T) => number): T[] {
  if (order === 'shuffled') return [...list].sort((a, b) => scatter(idOf(a)) - scatter(idOf(b)));
  const sign = order === 'newest' ? -1 : 1;
  return [...list].sort((a, b) => sign * (instantOf(a) - instantOf(b) || idOf(a) - idOf(b)));
}

function scatter(id: number): number {
  return Math.imul(id % 4_294_967_291, 2_654_435_761) >>> 0;
}
