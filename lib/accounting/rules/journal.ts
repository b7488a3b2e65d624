import { negateMoney, normalizeMoney, roundHalfEven, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import type { DetailFigures } from '#lib/fees/rules/detail-figures.ts';

/** The accounts a journal posts to, in the order of its lines, with the label used in files. */
export const ACCOUNT_LABELS = {
  invo_receivable: 'Receivable from Invo',
  service_fee: 'Invo service fee',
  revenue: 'Subscription revenue',
  refunds_revenue: 'Refunds of revenue',
  card_fees: 'Card fees on refunds',
  revenue_share: 'Revenue share',
  recipients_payable: 'Payable to recipients',
  recipients_receivable: 'Receivable from recipients',
  adjustments: 'Adjustments',
  opening_balances: 'Opening balances',
  payout_clearing: 'Payout clearing',
  bank_fees: 'Bank fees on returned payments',
} as const;
export type Account = keyof typeof ACCOUNT_LABELS;

/** Guarantee of the cast: the keys of a constant are its names. */
export const ACCOUNTS = Object.keys(ACCOUNT_LABELS) as Account[];

interface Direction {
  debit: Account;
  credit: Account;
}

/**
 * Every kind of transfer with the account it debits and the one it credits. Each direction is a kind of its own, so that the running total of a kind
 * only grows, except by a journal that reverses another.
 */
export const TRANSFERS = {
  revenue_settled: { debit: 'invo_receivable', credit: 'revenue' },
  service_fee: { debit: 'service_fee', credit: 'revenue' },
  revenue_reversed: { debit: 'refunds_revenue', credit: 'invo_receivable' },
  shares_earned: { debit: 'revenue_share', credit: 'recipients_payable' },
  shares_reversed: { debit: 'recipients_payable', credit: 'revenue_share' },
  adjusted_up: { debit: 'adjustments', credit: 'recipients_payable' },
  adjusted_down: { debit: 'recipients_payable', credit: 'adjustments' },
  paid_elsewhere: { debit: 'recipients_payable', credit: 'payout_clearing' },
  paid_elsewhere_corrected: { debit: 'payout_clearing', credit: 'recipients_payable' },
  brought_forward: { debit: 'opening_balances', credit: 'recipients_payable' },
  brought_forward_negative: { debit: 'recipients_payable', credit: 'opening_balances' },
  negative_balances_grew: { debit: 'recipients_receivable', credit: 'recipients_payable' },
  negative_balances_shrank: { debit: 'recipients_payable', credit: 'recipients_receivable' },
  card_fees: { debit: 'card_fees', credit: 'invo_receivable' },
  items_paid: { debit: 'recipients_payable', credit: 'payout_clearing' },
  items_returned: { debit: 'payout_clearing', credit: 'recipients_payable' },
  return_fees: { debit: 'bank_fees', credit: 'payout_clearing' },
} as const satisfies Record<string, Direction>;
export type TransferKind = keyof typeof TRANSFERS;

/** Guarantee of the cast: the keys of a constant are its names. */
export const TRANSFER_KINDS = Object.keys(TRANSFERS) as TransferKind[];

/**
 * `accrual`: what a month earned and owes; `card_fees`: what refunds cost besides; `reversal`: takes back the journals of a voided run; `payments`: what was
 * paid on a day; `returns`: what came back on a day.
 */
export const JOURNAL_KINDS = ['accrual', 'card_fees', 'reversal', 'payments', 'returns'] as const;
export type JournalKind = (typeof JOURNAL_KINDS)[number];

/** An amount that moves from one account to another, to the last digit. */
export interface ExactTransfer {
  kind: TransferKind;
  exact_usd: string;
}

/** A transfer as it is posted: in whole cents. Below zero in a journal that reverses another. */
export interface Transfer extends ExactTransfer, Direction {
  posted_usd: string;
}

/** What an approved run and its snapshot state. */
export interface AccrualFacts {
  settled_usd: string;
  serviceFee_usd: string;
  partnerReversed_usd: string;
  earned_usd: string;
  reversed_usd: string;
  pinned_usd: string;
  /** By how much negative balances of recipients grew, and by how much others shrank. */
  grew_usd: string;
  shrank_usd: string;
  adjustments: { amount_usd: string; kind: string }[];
}

/** The transfers of a run's accrual, in the order of `TRANSFERS`; those of nothing are left out. */
export function accrue(facts: AccrualFacts): ExactTransfer[] {
  const exact: Partial<Record<TransferKind, string>> = {
    revenue_settled: facts.settled_usd,
    service_fee: facts.serviceFee_usd,
    revenue_reversed: facts.partnerReversed_usd,
    shares_earned: facts.earned_usd,
    shares_reversed: subtractMoney(facts.reversed_usd, facts.pinned_usd),
    negative_balances_grew: facts.grew_usd,
    negative_balances_shrank: facts.shrank_usd,
  };
  for (const { amount_usd, kind } of facts.adjustments) {
    const isUp = signOfMoney(amount_usd) > 0;
    const into = ADJUSTED_AS[kind]?.[isUp ? 'up' : 'down'] ?? (isUp ? 'adjusted_up' : 'adjusted_down');
    exact[into] = sumMoney([exact[into] ?? '0.00', isUp ? amount_usd : negateMoney(amount_usd)]);
  }
  return listTransfers(exact);
}

/** Adjustments that are posted against an account of their own. */
const ADJUSTED_AS: Readonly<Record<string, { up: TransferKind; down: TransferKind }>> = {
  paid_elsewhere: { up: 'paid_elsewhere_corrected', down: 'paid_elsewhere' },
  brought_forward: { up: 'brought_forward', down: 'brought_forward_negative' },
};

/** The transfers that take back all of these, kind by kind. */
export function reverseTransfers(transfers: readonly ExactTransfer[]): ExactTransfer[] {
  const exact: Partial<Record<TransferKind, string>> = {};
  for (const { kind, exact_usd } of transfers) exact[kind] = subtractMoney(exact[kind] ?? '0.00', exact_usd);
  return listTransfers(exact);
}

function listTransfers(exact: Partial<Record<TransferKind, string>>): ExactTransfer[] {
  return TRANSFER_KINDS.flatMap((kind) => {
    const exact_usd = normalizeMoney(exact[kind] ?? '0.00');
    return signOfMoney(exact_usd) === 0 ? [] : [{ kind, exact_usd }];
  });
}

/** What all earlier journals of a game come to, by kind. */
export type RunningTotals = ReadonlyMap<TransferKind, { exact_usd: string; posted_usd: string }>;

/**
 * Posts transfers in whole cents: the running total of each kind, rounded half to even, less what was posted of it before. Each kind so stays within
 * half a cent of its evidence, however many journals follow. Input: each kind once.
 */
export function postTransfers(transfers: readonly ExactTransfer[], before: RunningTotals): Transfer[] {
  return transfers.map(({ kind, exact_usd }) => {
    const running = before.get(kind) ?? { exact_usd: '0.00', posted_usd: '0.00' };
    const posted_usd = subtractMoney(roundHalfEven(sumMoney([running.exact_usd, exact_usd])), running.posted_usd);
    return { kind, ...TRANSFERS[kind], exact_usd, posted_usd };
  });
}

/** One line of a journal: an account, debited or credited with an amount above zero; null: the other of the two. */
export interface JournalLine {
  account: Account;
  debit_usd: string | null;
  credit_usd: string | null;
}

/** The lines of a journal: one for each account, debits less credits; accounts that come to zero are left out. */
export function linesOf(transfers: readonly Pick<Transfer, 'debit' | 'credit' | 'posted_usd'>[]): JournalLine[] {
  return ACCOUNTS.flatMap((account) => {
    const debits = transfers.filter(({ debit }) => debit === account).map(({ posted_usd }) => posted_usd);
    const credits = transfers.filter(({ credit }) => credit === account).map(({ posted_usd }) => posted_usd);
    const net = subtractMoney(sumMoney(debits), sumMoney(credits));
    const sign = signOfMoney(net);
    if (sign === 0) return [];
    return [{ account, debit_usd: sign > 0 ? net : null, credit_usd: sign < 0 ? negateMoney(net) : null }];
  });
}

const LETTERS: Readonly<Record<JournalKind, string>> = { accrual: 'A', card_fees: 'C', reversal: 'V', payments: 'P', returns: 'R' };

/** The number of a journal, which accounting programs refuse or show twice: `202610-A`, then `202610-A2`; those of payments begin with `202610-P1`. */
export function nextJournalNo(month: string, kind: JournalKind, existing: readonly string[]): string {
  const first = `${month.replace('-', '')}-${LETTERS[kind]}`;
  const count = existing.filter((number) => number.replace(/\d*$/, '') === first).length;
  return count === 0 && !(kind === 'payments' || kind === 'returns') ? first : `${first}${count + 1}`;
}

/** The card fees on the refunds of a month, as far as they are read. */
export type CardFees =
  | { state: 'not_read' }
  /** `readCount` of `count` refunded periods have a fee that belongs to this month; `unlistedCount` refunds belong to renewals without attribution. */
  | { state: 'partial'; readCount: number; count: number; unlistedCount: number }
  /** `count` refunded periods. */
  | { state: 'whole'; count: number; amount_usd: string };

/** Card fees from the detail reports of a month: whole when every refund is listed and read, and each fee is recorded and dated in this month. */
export function cardFeesOf(figures: Pick<DetailFigures, 'refunded' | 'unlistedRefunds' | 'card_fee'> | null): CardFees {
  if (figures === null) return { state: 'not_read' };
  const { refunded, unlistedRefunds: unlistedCount, card_fee } = figures;
  const { count } = refunded;
  const readCount = refunded.read - card_fee.unrecorded - card_fee.undated;
  return readCount < count || unlistedCount > 0
    ? { state: 'partial', readCount, count, unlistedCount }
    : { state: 'whole', count, amount_usd: card_fee.amount_usd };
}

/** What of whole card fees these journals of the run lack; 0.00: nothing. null: the fees are not whole, so none are posted. */
export function cardFeesToPost(fees: CardFees, journals: readonly { transfers: readonly ExactTransfer[] }[]): string | null {
  if (fees.state !== 'whole') return null;
  const posted = journals.flatMap(({ transfers }) => transfers.filter(({ kind }) => kind === 'card_fees'));
  return normalizeMoney(subtractMoney(fees.amount_usd, sumMoney(posted.map(({ exact_usd }) => exact_usd))));
}

/** The lines of an example month, to show what accounts are for: the accrual of an October, and its card fees. */
export const SAMPLE_LINES: JournalLine[] = linesOf(
  postTransfers(
    [
      ...accrue({
        settled_usd: '900.00',
        serviceFee_usd: '100.00',
        partnerReversed_usd: '180.00',
        earned_usd: '200.00',
        reversed_usd: '102.00',
        pinned_usd: '4.00',
        grew_usd: '20.00',
        shrank_usd: '0.00',
        adjustments: [{ amount_usd: '15.00', kind: 'correction' }],
      }),
      { kind: 'card_fees', exact_usd: '6.30' },
    ],
    new Map(),
  ),
);
