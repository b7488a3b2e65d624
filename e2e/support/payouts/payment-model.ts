import { type ExactTransfer, postTransfers, type Transfer, type TransferKind } from '#lib/accounting/rules/journal.ts';
import { type PaymentChange, postPaymentChanges } from '#lib/accounting/rules/payment-postings.ts';
import { negateMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { BACK_STATES, type DatedState, newestReported } from '#lib/payments/rules/reported-states.ts';
import type { ComposedRun } from '#lib/payouts/rules/compose-run.ts';

export const RECIPIENTS = [1, 2, 3];

/** A payment of a history. */
export interface Item {
  run: number;
  recipientId: number;
  amount_usd: string;
  /** null: in no file; false: in one; true: handed over. */
  isSent: boolean | null;
  isElsewhere: boolean;
  isCancelled: boolean;
  said: DatedState[];
  isReissued: boolean;
  /** The run that pays it again, for good once it is approved. */
  returnedIn: number | null;
}
interface Run {
  isApproved: boolean;
  isClosed: boolean;
  closing: Map<number, string>;
}

/** What the state machine of payments derives, as the database does. */
export function stateOf(item: Item): string {
  if (item.returnedIn !== null) return 'to_balance';
  if (item.isCancelled) return 'cancelled';
  if (item.isReissued) return 'reissued';
  if (item.isSent === null) return 'waiting';
  const said = newestReported(item.said);
  if (said !== null) return said.state;
  return item.isSent ? (item.isElsewhere ? 'paid' : 'sent') : 'in_file';
}

/** Whether a payment has to be paid again. */
export const isBack = (item: Item): boolean => BACK_STATES.some((state) => state === stateOf(item));
/** Whether no other payment replaces a payment, and no run pays it again. */
export const isLive = (item: Item): boolean => !['to_balance', 'cancelled', 'reissued'].includes(stateOf(item));

/** One history of runs with its payments and journals, and a model that knows what each recipient is owed. */
export class PaymentModel {
  readonly items: Item[] = [];
  readonly runs: Run[] = [];
  readonly posted: Transfer[] = [];
  /** What the model knows: earned less paid, by recipient. */
  owed = new Map<number, string>();
  /** Whether the next run is in review, with what came back. */
  isSubmitted = false;
  closing = new Map<number, string>();

  /** Submits the next run with what came back. */
  submit(): void {
    if (this.isSubmitted) return;
    for (const item of this.items.filter(isBack)) item.returnedIn = this.runs.length + 1;
    this.isSubmitted = true;
  }

  /** Returns it to draft, which frees what it has. */
  returnToDraft(): void {
    if (this.isSubmitted) for (const item of this.items) if (item.returnedIn === this.runs.length + 1) item.returnedIn = null;
    this.isSubmitted = false;
  }

  post(exact: ExactTransfer[]): void {
    const totals = new Map<TransferKind, { exact_usd: string; posted_usd: string }>();
    for (const { kind, exact_usd, posted_usd } of this.posted) {
      const before = totals.get(kind) ?? { exact_usd: '0.00', posted_usd: '0.00' };
      totals.set(kind, { exact_usd: sumMoney([before.exact_usd, exact_usd]), posted_usd: sumMoney([before.posted_usd, posted_usd]) });
    }
    this.posted.push(...postTransfers(exact, totals));
  }

  change(item: Item, change: Partial<PaymentChange>, apply: () => void): void {
    const before = [...item.said];
    const was = stateOf(item);
    apply();
    const about = {
      amount_usd: item.amount_usd,
      before,
      added: [],
      fee_usd: null,
      elsewhereOn: item.isElsewhere ? '2026-11-15' : null,
      isElsewhereAdded: false,
    };
    for (const { exact } of postPaymentChanges([{ ...about, ...change }])) this.post(exact);
    // The truth: money left, or came back.
    const moved = Number(stateOf(item) === 'paid') - Number(was === 'paid');
    if (moved !== 0)
      this.owed.set(
        item.recipientId,
        sumMoney([this.owed.get(item.recipientId) ?? '0.00', moved > 0 ? negateMoney(item.amount_usd) : item.amount_usd]),
      );
  }
}

/** Approves a run: posts its accrual and makes its payments. */
export function approve(model: PaymentModel, runNo: number, { lines }: ComposedRun, earned: readonly string[]): void {
  const changed = earned.map((amount) => ({ amount, isUp: signOfMoney(amount) > 0 }));
  const sumOf = (isUp: boolean): string => sumMoney(changed.filter((each) => each.isUp === isUp).map(({ amount }) => amount));
  const moved = lines.map(({ opening_usd, closing_usd }) => subtractMoney(negativeOf(closing_usd), negativeOf(opening_usd)));
  const grew = sumMoney(moved.filter((amount) => signOfMoney(amount) > 0));
  const shrank = sumMoney(moved.filter((amount) => signOfMoney(amount) < 0));
  model.post([
    { kind: 'shares_earned', exact_usd: sumOf(true) },
    { kind: 'adjusted_down', exact_usd: negateMoney(sumOf(false)) },
    { kind: 'negative_balances_grew', exact_usd: grew },
    { kind: 'negative_balances_shrank', exact_usd: negateMoney(shrank) },
  ]);
  model.runs.push({ isApproved: true, isClosed: false, closing: new Map(lines.map((line) => [line.recipientId, line.closing_usd])) });
  model.closing = new Map(lines.map((line) => [line.recipientId, line.closing_usd]));
  for (const [position, recipientId] of RECIPIENTS.entries())
    model.owed.set(recipientId, sumMoney([model.owed.get(recipientId) ?? '0.00', earned[position] ?? '0.00']));
  // L7: payments are what lines pay.
  for (const { recipientId, payable_usd } of lines)
    if (signOfMoney(payable_usd) > 0)
      model.items.push({
        run: runNo,
        recipientId,
        amount_usd: payable_usd,
        isSent: null,
        isElsewhere: false,
        isCancelled: false,
        said: [],
        isReissued: false,
        returnedIn: null,
      });
}

/** The part of a balance below zero, as an amount above zero. */
function negativeOf(balance: string): string {
  return signOfMoney(balance) < 0 ? negateMoney(balance) : '0.00';
}
