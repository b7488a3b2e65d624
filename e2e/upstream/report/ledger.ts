import type { Period } from '../model.ts';
import type { Usd } from '../money.ts';
import { Refusal } from '../wire/refusal.ts';
import type { Book } from './book.ts';
import { type Reversal, reversalIn, type Span } from './reversal.ts';
import { addRenewal, addReversal, emptyTotals, type Totals } from './totals.ts';

export const RENEWALS_MAX = 20_000;
const REVERSALS_MAX = 20_000;

export interface RecipientAccount {
  recipientId: number;
  renewals: Period[];
  reversals: Reversal[];
  gross: Usd;
  reversed: Usd;
}

/** One window added up: totals of everything, accounts in the report's order (net descending, then id). */
export interface Ledger {
  totals: Totals;
  accounts: RecipientAccount[];
}

/** Adds up a window, narrowed to one subscription when asked; throws WINDOW_TOO_LARGE past either cap. */
export function buildLedger(book: Book, span: Span, subscriptionId: string | null): Ledger {
  const belongs = (period: Period): boolean => subscriptionId === null || period.subscription.id === subscriptionId;
  const renewals = book.settledBetween(span.startMs, span.endMs).filter(belongs);
  if (renewals.length > RENEWALS_MAX) {
    throw new Refusal(400, 'WINDOW_TOO_LARGE', 'The window holds too many settled renewals; ask for a shorter one.', {
      settled_renewals: renewals.length,
      max_renewals: RENEWALS_MAX,
    });
  }
  const reversals = book
    .refundedBetween(span.startMs, span.endMs)
    .filter(belongs)
    .flatMap((period) => reversalIn(book, period, span) ?? []);
  if (reversals.length > REVERSALS_MAX) {
    throw new Refusal(400, 'WINDOW_TOO_LARGE', 'The window holds too many refunded renewals; ask for a shorter one.', {
      reversals: reversals.length,
      max_rows: REVERSALS_MAX,
    });
  }
  return addUp(renewals, reversals);
}

/** Totals and accounts of given renewals and reversals, without a cap. */
export function addUp(renewals: Period[], reversals: Reversal[]): Ledger {
  const totals = emptyTotals();
  const accounts = new Map<number, RecipientAccount>();
  for (const period of renewals) {
    addRenewal(totals, period);
    if (period.attribution === null) continue;
    const account = accountOf(accounts, period.attribution.recipientId);
    account.renewals.push(period);
    account.gross += period.attribution.attributed;
  }
  for (const reversal of reversals) {
    addReversal(totals, reversal);
    if (reversal.period.attribution === null) continue;
    const account = accountOf(accounts, reversal.period.attribution.recipientId);
    account.reversals.push(reversal);
    account.reversed += reversal.reversedAttributed;
  }
  return { totals, accounts: [...accounts.values()].sort(byNet) };
}

function accountOf(accounts: Map<number, RecipientAccount>, recipientId: number): RecipientAccount {
  const known = accounts.get(recipientId);
  if (known !== undefined) return known;
  const fresh: RecipientAccount = { recipientId, renewals: [], reversals: [], gross: 0n, reversed: 0n };
  accounts.set(recipientId, fresh);
  return fresh;
}

function byNet(a: RecipientAccount, b: RecipientAccount): number {
  const difference = b.gross - b.reversed - (a.gross - a.reversed);
  return difference === 0n ? a.recipientId - b.recipientId : difference > 0n ? 1 : -1;
}
