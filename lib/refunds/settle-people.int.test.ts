import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findViolations, seenAtInvo } from '#e2e/support/refunds/find-violations.ts';
import { openRefundEnvironment, PERIOD_ID, type RefundEnvironment, type RefundGame } from '#e2e/support/refunds/refund-environment.ts';
import { declineRefund } from './approve-refund.ts';
import { confirmOutcome, discardOutcome, recordOutcome, rereadPeriod } from './record-outcome.ts';

let testEnv: RefundEnvironment;
let game: RefundGame;

beforeAll(async () => {
  testEnv = await openRefundEnvironment();
});
beforeEach(async () => {
  game = await testEnv.newGame();
});
afterAll(() => testEnv.close());

/** Requests a refund, and makes one call after another, each meeting its fault. */
async function askAndMeet(...faults: (string | Record<string, unknown>)[]): Promise<number> {
  const refundId = await game.ask(testEnv.people.support);
  for (const fault of faults) {
    await testEnv.spoil(fault);
    await game.hurry();
    await game.settleDue();
  }
  return refundId;
}

const proposed = (refundId: number, decision: 'landed' | 'not_landed' | 'send_again'): ReturnType<typeof recordOutcome> =>
  recordOutcome(game, testEnv.people.support, refundId, decision, 'seen at Invo');

const confirmed = (refundId: number, decisionNo = 1): ReturnType<typeof confirmOutcome> =>
  confirmOutcome(game, testEnv.people.finance, refundId, decisionNo);

async function expectSound(): Promise<void> {
  expect(await findViolations(testEnv, game.gameId, { isAtRest: true })).toEqual([]);
}

describe('a refusal after a call without an answer proves nothing', () => {
  test('when the refund was executed, the period shows it and two people confirm it', async () => {
    const refundId = await askAndMeet('drop_after', '404');
    expect(await game.row()).toMatchObject({ state: 'attention', attention_reason: 'looks_landed', proposal: 'landed' });
    expect(await proposed(refundId, 'landed')).toEqual({ ok: true });
    expect(await proposed(refundId, 'landed')).toEqual({ ok: false, reason: 'already_proposed' });
    expect(await confirmOutcome(game, testEnv.people.support, refundId, 1)).toEqual({ ok: false, reason: 'not_allowed' });
    expect(await confirmed(refundId)).toEqual({ ok: true });
    expect(await confirmed(refundId)).toEqual({ ok: false, reason: 'moved_on' });
    await game.settleToRest();
    expect(await game.row()).toMatchObject({
      state: 'landed',
      outcome_source: 'people',
      total_refunded_amount_usd: '5.00',
      unanswered_count: 0,
    });
    await expectSound();
  });

  test('when it was not, half an hour must pass before two people confirm it and the period is free', async () => {
    const refundId = await askAndMeet('drop_before', '404');
    expect(await game.row()).toMatchObject({ state: 'verifying', unanswered_count: 1 });
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: 'attention', attention_reason: 'looks_not_landed', proposal: 'not_landed' });
    expect(await game.request(testEnv.people.support)).toMatchObject({ ok: false, reason: 'another_open', refundId });
    expect(await proposed(refundId, 'not_landed')).toEqual({ ok: true });
    expect(await confirmed(refundId)).toEqual({ ok: true });
    expect((await game.row()).state).toBe('not_landed');
    await expectSound();
    expect(await game.request(testEnv.people.support)).toMatchObject({ ok: true, isNew: true });
  });

  test('a transaction that Invo named stays with a refund that two people record as not refunded', async () => {
    const refundId = await askAndMeet({
      kind: 'refuse',
      status: 200,
      code: null,
      facts: { transaction_id: 'TXN_1', note: 'already processed' },
    });
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: 'attention', attention_reason: 'not_shown', transaction_id: 'TXN_1' });
    await proposed(refundId, 'not_landed');
    expect(await confirmed(refundId)).toEqual({ ok: true });
    expect(await game.row()).toMatchObject({ state: 'not_landed', transaction_id: 'TXN_1' });
    await expectSound();
  });

  test('a refund of another transaction than the one Invo named is not taken for this one', async () => {
    await askAndMeet('drop_after');
    await game.tamper(`transaction_id = 'RFD_NAMED'`);
    await testEnv.spoil('404');
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ attention_reason: 'period_unclear', proposal: null, transaction_id: 'RFD_NAMED' });
  });

  test('confirming that it was not needs a late reading as much as recording it', async () => {
    const refundId = await askAndMeet('drop_before', '404');
    await game.settleToRest();
    await proposed(refundId, 'not_landed');
    await game.tamper('last_sent_at = clock_now()');
    expect(await confirmed(refundId)).toEqual({ ok: false, reason: 'reading_too_old' });
    expect((await game.row()).state).toBe('attention');
  });

  test('recording and confirming that it was need a reading after the last attempt', async () => {
    const refundId = await askAndMeet('lookup_failed');
    expect(await game.row()).toMatchObject({ state: 'attention', attention_reason: 'invo_asks_for_a_person' });
    expect(await proposed(refundId, 'landed')).toEqual({ ok: false, reason: 'reading_too_old' });
    expect(await rereadPeriod({ game, config: testEnv.config }, testEnv.people.support, refundId)).toEqual({ ok: true });
    expect(await proposed(refundId, 'landed')).toEqual({ ok: true });
    await game.tamper('last_sent_at = clock_now()');
    expect(await confirmed(refundId)).toEqual({ ok: false, reason: 'reading_too_old' });
    expect((await game.row()).state).toBe('attention');
  });

  test("one person alone can't decide the outcome, whatever their role", async () => {
    const refundId = await askAndMeet('drop_after', '404');
    expect(await recordOutcome(game, testEnv.people.finance, refundId, 'landed', 'x')).toEqual({ ok: true });
    expect(await confirmed(refundId)).toEqual({ ok: false, reason: 'same_person' });
    const alone = game.pool.query(`update refund_decision set confirmed_by = proposed_by, confirmed_at = clock_now() where game_id = $1`, [
      game.gameId,
    ]);
    await expect(alone).rejects.toThrow(/check constraint/);
    expect(await discardOutcome(game, testEnv.people.support, refundId, 1)).toEqual({ ok: true });
    expect(await confirmOutcome(game, testEnv.people.otherFinance, refundId, 1)).toEqual({ ok: false, reason: 'moved_on' });
    expect((await game.row()).state).toBe('attention');
  });

  test('another refund of the period at the same time makes the outcome unclear', async () => {
    await askAndMeet('drop_before');
    await testEnv.control('POST', 'refunds', { period_id: PERIOD_ID, amount_usd: '3.00' });
    await testEnv.spoil('404');
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: 'attention', attention_reason: 'period_unclear', proposal: null });
  });

  test("a refund whose period can't be read for 45 minutes needs attention", async () => {
    await askAndMeet('drop_after');
    await testEnv.spoil('404');
    await testEnv.control('POST', 'faults', { kind: '403', times: 9, match: { route: 'period' } });
    await game.hurry();
    await game.settleDue();
    expect(await game.row()).toMatchObject({ state: 'verifying', last_error_code: 'not_live' });
    await game.tamper(`state_since = state_since - interval '1 hour'`);
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: 'attention', attention_reason: 'cannot_be_read' });
  });
});

describe('a refund for which Invo requires a manual check', () => {
  test("can't be recorded as not refunded without a late reading; two people can order one more call", async () => {
    const refundId = await askAndMeet('mismatch');
    expect(await proposed(refundId, 'not_landed')).toEqual({ ok: false, reason: 'reading_too_old' });
    expect(await proposed(refundId, 'send_again')).toEqual({ ok: true });
    expect(await game.settleDue()).toBe(0);
    expect(await confirmed(refundId)).toEqual({ ok: true });
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: 'landed', attempt_count: 2 });
    await expectSound();
  });

  test.each([
    ['5.00', 1, 'a part is not sent any more: nobody says how long Invo remembers a key'],
    ['20.00', 2, 'the whole is sent once more: a second one would find nothing left'],
  ])('one more call ordered within a day and due after it, for %s: %i calls; %s', async (amountText, attempt_count) => {
    const refundId = await game.ask(testEnv.people.support, { amountText });
    await testEnv.spoil('mismatch');
    await game.settleDue();
    await proposed(refundId, 'send_again');
    await confirmed(refundId);
    await game.tamper(`first_sent_at = first_sent_at - interval '25 hours', approved_at = approved_at - interval '25 hours'`);
    await testEnv.spoil({ kind: 'drop_before', times: 9 });
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: 'attention', attempt_count });
    await expectSound();
  });

  test("one more call of a partial refund can't be ordered after a day", async () => {
    const refundId = await askAndMeet('mismatch');
    await game.tamper(`first_sent_at = first_sent_at - interval '25 hours', approved_at = approved_at - interval '25 hours'`);
    expect(await proposed(refundId, 'send_again')).toEqual({ ok: false, reason: 'too_late_to_send' });
  });
});

describe('a day after the first call', () => {
  test('a refund that may have been executed is no longer sent but checked', async () => {
    await askAndMeet('drop_after');
    await game.tamper(`first_sent_at = first_sent_at - interval '25 hours', approved_at = approved_at - interval '25 hours'`);
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: 'attention', attention_reason: 'looks_landed', attempt_count: 1 });
    await expectSound();
  });

  test('a refund that was never executed goes back to approval, and gets another day under the same key', async () => {
    const refundId = await askAndMeet('429');
    const before = await game.row();
    await game.tamper(`first_sent_at = first_sent_at - interval '25 hours', approved_at = approved_at - interval '25 hours'`);
    await game.settleToRest();
    const lapsed = await game.row();
    expect(lapsed).toMatchObject({ state: 'awaiting_approval', last_error_code: 'approval_lapsed', approval: null, attempt_count: 1 });
    await expectSound();
    expect(await game.approve(testEnv.people.support, refundId, { contentDigest: lapsed.content_digest.toString('hex') })).toEqual({
      ok: true,
    });
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: 'landed', attempt_count: 2, client_request_id: before.client_request_id });
    await expectSound();
  });

  test('a refund that was never sent after its approval must be approved again', async () => {
    const refundId = await game.ask(testEnv.people.support);
    await game.tamper(`approved_at = approved_at - interval '25 hours'`);
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: 'awaiting_approval', attempt_count: 0 });
    expect(await declineRefund(game, testEnv.people.support, refundId, '')).toEqual({ ok: true });
    expect((await game.row()).state).toBe('withdrawn');
    await expectSound();
  });
});

test('a refund recorded as refunded never takes the receipt of a later refund without a known one', async () => {
  const first = await askAndMeet('lookup_failed');
  await rereadPeriod({ game, config: testEnv.config }, testEnv.people.support, first);
  await proposed(first, 'landed');
  await confirmed(first);
  const second = await game.ask(testEnv.people.support);
  await testEnv.spoil({ kind: 'drop_after' });
  for (let round = 0; round < 4; round++) {
    await game.settleDue();
    await game.hurry();
  }
  const { rows } = await game.pool.query(
    `select refund_id, state, outcome_source, receipt is not null as has_receipt from refund where game_id = $1 order by refund_id`,
    [game.gameId],
  );
  expect(rows).toEqual([
    { refund_id: first, state: 'landed', outcome_source: 'people', has_receipt: false },
    { refund_id: second, state: 'landed', outcome_source: 'replay', has_receipt: true },
  ]);
});

test('an altered refund that was never sent is ended by two people', async () => {
  const refundId = await game.ask(testEnv.people.support);
  await game.tamper(`amount_usd = 6`);
  await game.settleToRest();
  expect(await game.row()).toMatchObject({ state: 'attention', attention_reason: 'content_altered' });
  expect(await proposed(refundId, 'not_landed')).toEqual({ ok: true });
  expect(await confirmed(refundId)).toEqual({ ok: true });
  expect((await game.row()).state).toBe('not_landed');
  expect((await seenAtInvo(testEnv)).calls).toEqual([]);
});
