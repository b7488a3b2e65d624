import fc from 'fast-check';
import { expect, test } from 'vitest';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { type ExactTransfer, postTransfers, TRANSFERS, type Transfer, type TransferKind } from '#lib/accounting/rules/journal.ts';
import { type PaymentChange, postPaymentChanges } from '#lib/accounting/rules/payment-postings.ts';
import { compareMoney, negateMoney, normalizeMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { composePreview } from '#lib/payouts/rules/compose-run.ts';
import { DEFAULT_POLICY } from '#lib/payouts/rules/policy.ts';
import { BACK_STATES, type DatedState, newestReported, REPORTED_STATES } from './report-row.ts';

// Runs over months with everything that can become of their payments: reports in any order, re-issues, payments elsewhere, closing, runs that are sent back or voided. A model
// beside it knows where the money is.
const HISTORIES = proofSize(200, 10_000);
const RECIPIENTS = [1, 2, 3];

const report = fc.record({
  act: fc.constant('report' as const),
  index: fc.nat(),
  state: fc.constantFrom(...REPORTED_STATES),
  day: fc.option(fc.integer({ min: 10, max: 29 }), { freq: 8 }),
  fee: fc.boolean(),
});
const event = fc.oneof(
  { weight: 6, arbitrary: report },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constantFrom('send', 'elsewhere', 'reissue', 'cancel') as fc.Arbitrary<'send' | 'elsewhere' | 'reissue' | 'cancel'>,
      index: fc.nat(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom('close' as const, 'submit' as const, 'return' as const), index: fc.nat() }) },
);
const month = fc.record({
  earned: fc.array(
    fc.integer({ min: -900, max: 9_000 }).map((units) => (units / 100).toFixed(4)),
    { minLength: 3, maxLength: 3 },
  ),
  events: fc.array(event, { maxLength: 14 }),
  isVoided: fc.boolean(),
});

interface Item {
  run: number;
  recipientId: number;
  amount_usd: string;
  /** null: in no file; false: in one; true: handed over. */
  isSent: boolean | null;
  isElsewhere: boolean;
  isCancelled: boolean;
  said: DatedState[];
  isReissued: boolean;
  /** The run that pays it again; `isApproved`: for good. */
  returnedIn: number | null;
}
interface Run {
  isApproved: boolean;
  isClosed: boolean;
  closing: Map<number, string>;
}

/** What the state machine of payments derives, as the database does. */
function stateOf(item: Item): string {
  if (item.returnedIn !== null) return 'to_balance';
  if (item.isCancelled) return 'cancelled';
  if (item.isReissued) return 'reissued';
  if (item.isSent === null) return 'waiting';
  const said = newestReported(item.said);
  if (said !== null) return said.state;
  return item.isSent ? (item.isElsewhere ? 'paid' : 'sent') : 'in_file';
}

const isBack = (item: Item): boolean => BACK_STATES.some((state) => state === stateOf(item));
const isLive = (item: Item): boolean => !['to_balance', 'cancelled', 'reissued'].includes(stateOf(item));

/** One history with its books. */
class Books {
  readonly items: Item[] = [];
  readonly runs: Run[] = [];
  readonly posted: Transfer[] = [];
  /** What the model knows: earned less paid, by recipient. */
  owed = new Map<number, string>();
  closing = new Map<number, string>();

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

test(`over ${HISTORIES} histories of payments nothing is paid twice or lost, and the journals owe what recipients are owed`, {
  timeout: 1_800_000,
}, () => {
  let [runs, returns] = [0, 0];
  fc.assert(
    fc.property(fc.array(month, { minLength: 1, maxLength: 5 }), (months) => {
      const books = new Books();
      let voided: typeof months = [];
      for (let index = 0; index < months.length; index++) {
        const happened = months[index];
        if (happened === undefined) break;
        const runNo = books.runs.length + 1;
        const back = books.items.filter(isBack);
        const composed = compose(books, happened.earned, back);
        // L8: what came back is in this run once, and in its sum.
        expect(normalizeMoney(composed.totals.returned)).toBe(normalizeMoney(sumMoney(back.map(({ amount_usd }) => amount_usd))));
        for (const item of back) item.returnedIn = runNo;
        returns += back.length;
        // Sent back or voided before anything is handed over: everything is free again, and the next run starts from the same facts.
        if (happened.isVoided && !voided.includes(happened)) {
          for (const item of back) item.returnedIn = null;
          voided = [...voided, happened];
          expect(compose(books, happened.earned, back)).toEqual(composed);
          index--;
          continue;
        }
        runs++;
        approve(books, runNo, composed, happened.earned);
        for (const each of happened.events) apply(books, each);
        expectLaws(books);
      }
    }),
    { numRuns: HISTORIES },
  );
  expect(returns).toBeGreaterThan(0);
  recordFigure(
    'Histories of payments',
    `${HISTORIES.toLocaleString('en-US')} histories, ${runs.toLocaleString('en-US')} runs, ${returns.toLocaleString('en-US')} payments that came back, 0 broken laws`,
  );
});

type Event = (typeof month extends fc.Arbitrary<infer M> ? M : never)['events'][number];

function compose(books: Books, earned: readonly string[], back: readonly Item[]): ReturnType<typeof composePreview> {
  return composePreview({
    policy: { ...DEFAULT_POLICY, minimum_usd: '5.00' },
    recipients: RECIPIENTS.map((recipientId, position) => {
      const amount = earned[position] ?? '0.00';
      const isRefund = signOfMoney(amount) < 0;
      return {
        recipientId,
        seenSnapshotId: 1,
        name: null,
        identityId: `idn_${recipientId}`,
        details: { detailNo: 1, method: 'paypal' as const, identityId: `idn_${recipientId}`, reportedIdentityId: `idn_${recipientId}` },
        isResolved: true,
        opening_usd: books.closing.get(recipientId) ?? '0.00',
        earned_usd: isRefund ? '0.00' : amount,
        reversed_usd: '0.00',
        adjusted_usd: isRefund ? amount : '0.00',
        returned_usd: sumMoney(back.filter((item) => item.recipientId === recipientId).map(({ amount_usd }) => amount_usd)),
        minimum_usd: null,
      };
    }),
    reversals: [],
    holds: [],
  });
}

function approve(books: Books, runNo: number, { lines }: ReturnType<typeof composePreview>, earned: readonly string[]): void {
  const changed = earned.map((amount) => ({ amount, isUp: signOfMoney(amount) > 0 }));
  const sumOf = (isUp: boolean): string => sumMoney(changed.filter((each) => each.isUp === isUp).map(({ amount }) => amount));
  const moved = lines.map(({ opening_usd, closing_usd }) => subtractMoney(negativeOf(closing_usd), negativeOf(opening_usd)));
  const grew = sumMoney(moved.filter((amount) => signOfMoney(amount) > 0));
  const shrank = sumMoney(moved.filter((amount) => signOfMoney(amount) < 0));
  books.post([
    { kind: 'shares_earned', exact_usd: sumOf(true) },
    { kind: 'adjusted_down', exact_usd: negateMoney(sumOf(false)) },
    { kind: 'negative_balances_grew', exact_usd: grew },
    { kind: 'negative_balances_shrank', exact_usd: negateMoney(shrank) },
  ]);
  books.runs.push({ isApproved: true, isClosed: false, closing: new Map(lines.map((line) => [line.recipientId, line.closing_usd])) });
  books.closing = new Map(lines.map((line) => [line.recipientId, line.closing_usd]));
  for (const [position, recipientId] of RECIPIENTS.entries())
    books.owed.set(recipientId, sumMoney([books.owed.get(recipientId) ?? '0.00', earned[position] ?? '0.00']));
  // L7: payments are what lines pay.
  for (const { recipientId, payable_usd } of lines)
    if (signOfMoney(payable_usd) > 0)
      books.items.push({
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

/** What happens to a payment, as far as the verbs allow it. */
function apply(books: Books, each: Event): void {
  const item = books.items[each.index % Math.max(books.items.length, 1)];
  if (item === undefined) return;
  const run = books.runs[item.run - 1];
  const isOpen = run !== undefined && !run.isClosed;
  switch (each.act) {
    case 'send':
      if (isOpen && item.isSent === null && isLive(item)) item.isSent = true;
      break;
    case 'elsewhere':
      if (isOpen && item.isSent === null && isLive(item))
        books.change(item, { elsewhereOn: '2026-11-15', isElsewhereAdded: true }, () =>
          Object.assign(item, { isSent: true, isElsewhere: true }),
        );
      break;
    case 'cancel':
      // A file that wasn't handed over: a new payment replaces each of its.
      if (isOpen && item.isSent === null && isLive(item)) {
        item.isCancelled = true;
        books.items.push({ ...item, isCancelled: false, said: [] });
      }
      break;
    case 'reissue':
      if (isOpen && isBack(item)) {
        item.isReissued = true;
        books.items.push({ ...item, isReissued: false, isSent: null, isElsewhere: false, said: [] });
      }
      break;
    case 'report': {
      // A report about a payment that was replaced is listed, and changes nothing.
      if (item.isSent !== true || !isLive(item)) break;
      const added: DatedState = { state: each.state, occurredOn: each.day === null ? null : `2026-11-${each.day}` };
      const fee_usd = each.state === 'returned' && each.fee ? '0.50' : null;
      books.change(item, { added: [added], fee_usd }, () => item.said.push(added));
      break;
    }
    case 'close':
      if (
        run !== undefined &&
        books.items.every(
          (other) =>
            other.run !== item.run || ['paid', 'failed', 'returned', 'to_balance', 'reissued', 'cancelled'].includes(stateOf(other)),
        )
      )
        run.isClosed = true;
      break;
    // A run is submitted with what came back, and returned to draft: it gives it free again.
    case 'submit':
    case 'return': {
      const back = books.items.filter(isBack);
      for (const other of back) other.returnedIn = books.runs.length + 1;
      for (const other of back) other.returnedIn = null;
      break;
    }
  }
}

function expectLaws(books: Books): void {
  const live = books.items.filter(isLive);
  const isOwed = (item: Item): boolean => stateOf(item) !== 'paid';
  for (const recipientId of RECIPIENTS) {
    const own = live.filter((item) => item.recipientId === recipientId);
    // L12: what was earned and isn't paid is carried or still to be paid, and nothing else is.
    const due = sumMoney([books.closing.get(recipientId) ?? '0.00', ...own.filter(isOwed).map(({ amount_usd }) => amount_usd)]);
    expect(compareMoney(due, books.owed.get(recipientId) ?? '0.00')).toBe(0);
  }
  // L9: the same of the journals, to the last digit, and each kind within half a cent of what it posts.
  const exact = (account: string): string =>
    sumMoney(
      books.posted.flatMap(({ kind, exact_usd }) => [
        ...(TRANSFERS[kind].credit === account ? [exact_usd] : []),
        ...(TRANSFERS[kind].debit === account ? [negateMoney(exact_usd)] : []),
      ]),
    );
  const balance = sumMoney([exact('recipients_payable'), exact('recipients_receivable')]);
  const owed = sumMoney([...books.closing.values(), ...live.filter(isOwed).map(({ amount_usd }) => amount_usd)]);
  expect(compareMoney(balance, owed)).toBe(0);
  for (const kind of new Set(books.posted.map((transfer) => transfer.kind))) {
    const own = books.posted.filter((transfer) => transfer.kind === kind);
    const off = subtractMoney(sumMoney(own.map(({ posted_usd }) => posted_usd)), sumMoney(own.map(({ exact_usd }) => exact_usd)));
    expect(compareMoney(off.replace('-', ''), '0.005')).toBeLessThanOrEqual(0);
  }
  // L8: money out is what is paid.
  const out = exact('payout_clearing');
  const fees = negateMoney(exact('bank_fees'));
  const paid = sumMoney(books.items.filter((item) => stateOf(item) === 'paid').map(({ amount_usd }) => amount_usd));
  expect(compareMoney(subtractMoney(out, fees), paid)).toBe(0);
}
