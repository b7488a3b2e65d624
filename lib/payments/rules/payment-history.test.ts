import fc from 'fast-check';
import { expect, test } from 'vitest';
import { approve, type Item, isBack, isLive, PaymentModel, RECIPIENTS, stateOf } from '#e2e/support/payouts/payment-model.ts';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { TRANSFERS } from '#lib/accounting/rules/journal.ts';
import { compareMoney, negateMoney, normalizeMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { composePreview } from '#lib/payouts/rules/compose-run.ts';
import { DEFAULT_POLICY } from '#lib/payouts/rules/policy.ts';
import { BACK_STATES, type DatedState, REPORTED_STATES } from './reported-states.ts';

// Runs over months with everything that can become of their payments: reports in any order, re-issues, payments elsewhere, closing, runs that are sent back or voided. A model
// beside it knows where the money is.
const HISTORIES = proofSize(50, 10_000);

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

test(`over ${HISTORIES} histories of payments nothing is paid twice or lost, and the journals owe what recipients are owed`, {
  timeout: 1_800_000,
}, () => {
  let [runs, returns] = [0, 0];
  fc.assert(
    fc.property(fc.array(month, { minLength: 1, maxLength: 5 }), (months) => {
      const model = new PaymentModel();
      let voided: typeof months = [];
      for (let index = 0; index < months.length; index++) {
        const happened = months[index];
        if (happened === undefined) break;
        const runNo = model.runs.length + 1;
        model.returnToDraft();
        const back = model.items.filter(isBack);
        const composed = compose(model, happened.earned, back);
        // L8: what came back is in this run once, and in its sum.
        expect(normalizeMoney(composed.totals.returned)).toBe(normalizeMoney(sumMoney(back.map(({ amount_usd }) => amount_usd))));
        model.submit();
        returns += back.length;
        // Sent back or voided before anything is handed over: everything is free again, and the next run starts from the same facts.
        if (happened.isVoided && !voided.includes(happened)) {
          model.returnToDraft();
          voided = [...voided, happened];
          expect(compose(model, happened.earned, back)).toEqual(composed);
          index--;
          continue;
        }
        runs++;
        model.isSubmitted = false;
        approve(model, runNo, composed, happened.earned);
        for (const each of happened.events) apply(model, each);
        expectLaws(model);
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

function compose(model: PaymentModel, earned: readonly string[], back: readonly Item[]): ReturnType<typeof composePreview> {
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
        opening_usd: model.closing.get(recipientId) ?? '0.00',
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

/** What happens to a payment, as far as the verbs allow it. */
function apply(model: PaymentModel, each: Event): void {
  const item = model.items[each.index % Math.max(model.items.length, 1)];
  if (item === undefined) return;
  const run = model.runs[item.run - 1];
  const isOpen = run !== undefined && !run.isClosed;
  switch (each.act) {
    case 'send':
      if (isOpen && item.isSent === null && isLive(item)) item.isSent = true;
      break;
    case 'elsewhere':
      if (isOpen && item.isSent === null && isLive(item))
        model.change(item, { elsewhereOn: '2026-11-15', isElsewhereAdded: true }, () =>
          Object.assign(item, { isSent: true, isElsewhere: true }),
        );
      break;
    case 'cancel':
      // A file that wasn't handed over: a new payment replaces each of its.
      if (isOpen && item.isSent === null && isLive(item)) {
        item.isCancelled = true;
        model.items.push({ ...item, isCancelled: false, said: [] });
      }
      break;
    case 'reissue':
      // What failed or came back, or waits though its payment details changed.
      if (isOpen && (isBack(item) || (item.isSent === null && isLive(item)))) {
        item.isReissued = true;
        model.items.push({ ...item, isReissued: false, isSent: null, isElsewhere: false, said: [] });
      }
      break;
    case 'report': {
      // What comes back, and what a report states of a payment that a run in review pays again, sends that run back.
      if (item.returnedIn === model.runs.length + 1 || BACK_STATES.includes(each.state)) model.returnToDraft();
      // A report about a payment that was replaced is listed, and changes nothing.
      if (item.isSent !== true || !isLive(item)) break;
      const added: DatedState = { state: each.state, occurredOn: each.day === null ? null : `2026-11-${each.day}` };
      const fee_usd = each.state === 'returned' && each.fee ? '0.50' : null;
      model.change(item, { added: [added], fee_usd }, () => item.said.push(added));
      break;
    }
    case 'close':
      if (
        run !== undefined &&
        model.items.every(
          (other) =>
            other.run !== item.run || ['paid', 'failed', 'returned', 'to_balance', 'reissued', 'cancelled'].includes(stateOf(other)),
        )
      )
        run.isClosed = true;
      break;
    case 'submit':
      model.submit();
      break;
    case 'return':
      model.returnToDraft();
      break;
  }
}

function expectLaws(model: PaymentModel): void {
  // What a run in review pays again isn't paid yet: it is owed as before.
  const wasSubmitted = model.isSubmitted;
  model.returnToDraft();
  const live = model.items.filter(isLive);
  const isOwed = (item: Item): boolean => stateOf(item) !== 'paid';
  for (const recipientId of RECIPIENTS) {
    const own = live.filter((item) => item.recipientId === recipientId);
    // L12: what was earned and isn't paid is carried or still to be paid, and nothing else is.
    const due = sumMoney([model.closing.get(recipientId) ?? '0.00', ...own.filter(isOwed).map(({ amount_usd }) => amount_usd)]);
    expect(compareMoney(due, model.owed.get(recipientId) ?? '0.00')).toBe(0);
  }
  // L9: the same of the journals, to the last digit, and each kind within half a cent of what it posts.
  const exact = (account: string): string =>
    sumMoney(
      model.posted.flatMap(({ kind, exact_usd }) => [
        ...(TRANSFERS[kind].credit === account ? [exact_usd] : []),
        ...(TRANSFERS[kind].debit === account ? [negateMoney(exact_usd)] : []),
      ]),
    );
  const balance = sumMoney([exact('recipients_payable'), exact('recipients_receivable')]);
  const owed = sumMoney([...model.closing.values(), ...live.filter(isOwed).map(({ amount_usd }) => amount_usd)]);
  expect(compareMoney(balance, owed)).toBe(0);
  for (const kind of new Set(model.posted.map((transfer) => transfer.kind))) {
    const own = model.posted.filter((transfer) => transfer.kind === kind);
    const off = subtractMoney(sumMoney(own.map(({ posted_usd }) => posted_usd)), sumMoney(own.map(({ exact_usd }) => exact_usd)));
    expect(compareMoney(off.replace('-', ''), '0.005')).toBeLessThanOrEqual(0);
  }
  // L8: money out is what is paid.
  const out = exact('payout_clearing');
  const fees = negateMoney(exact('bank_fees'));
  const paid = sumMoney(model.items.filter((item) => stateOf(item) === 'paid').map(({ amount_usd }) => amount_usd));
  expect(compareMoney(subtractMoney(out, fees), paid)).toBe(0);
  if (wasSubmitted) model.submit();
}
