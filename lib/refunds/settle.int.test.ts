import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { proofCases } from '#e2e/support/proof.ts';
import { findViolations, seenAtInvo } from '#e2e/support/refunds/find-violations.ts';
import {
  openRefundEnvironment,
  PERIOD_ID,
  type RefundEnvironment,
  type RefundGame,
  SECOND_PERIOD_ID,
} from '#e2e/support/refunds/refund-environment.ts';
import { pauseVersion, resumeAsShown } from '#e2e/support/refunds/resume-as-shown.ts';
import { pause } from '../approvals/pause.ts';
import { declineRefund } from './approve-refund.ts';
import { resumeRefunds } from './control-refunds.ts';
import { findRefundPause } from './reads/refund-preconditions.ts';
import { matchReversals } from './writes/match-reversals.ts';

let testEnv: RefundEnvironment;
let game: RefundGame;

beforeAll(async () => {
  testEnv = await openRefundEnvironment();
});
beforeEach(async () => {
  game = await testEnv.newGame();
});
afterAll(() => testEnv.close());

async function calls(): Promise<number> {
  return (await seenAtInvo(testEnv)).calls.length;
}

async function expectSound(): Promise<void> {
  expect(await findViolations(testEnv, game.gameId, { isAtRest: true })).toEqual([]);
}

/** Nobody may refund anything alone. */
async function wantSecondPerson(): Promise<void> {
  await game.pool.query(`insert into refund_limit (game_id, name, limit_usd, set_by) values ($1, 'support', 0, 'ada')`, [game.gameId]);
}

async function digest(): Promise<string> {
  return (await game.row()).content_digest.toString('hex');
}

describe('a refund below the limit', () => {
  test('is approved by policy, sent once and lands with its receipt', async () => {
    await game.ask(testEnv.people.support, { reason_text: 'charged twice' });
    expect(await game.row()).toMatchObject({ state: 'approved', approval: 'policy', approved_by: null, attempt_count: 0 });
    expect(await calls()).toBe(0);
    await game.settleDue();
    const row = await game.row();
    expect(row).toMatchObject({ state: 'landed', outcome_source: 'receipt', attempt_count: 1, unanswered_count: 0, next_look_at: null });
    expect(row.receipt).toMatchObject({ refunded_amount_usd: '5.00', balance_delta_coins: '50.00', remaining_refundable_usd: '15.00' });
    expect(row.transaction_id).toMatch(/^RFD_2026100001_/);
    await expectSound();
  });

  test('stays the same refund when its form is submitted again, also after it landed', async () => {
    const form = await game.form();
    const first = await game.request(testEnv.people.support, form);
    expect(first).toMatchObject({ ok: true, isNew: true });
    expect(await game.request(testEnv.people.support, form)).toEqual({ ...first, isNew: false });
    await game.settleToRest();
    expect(await game.request(testEnv.people.support, form)).toEqual({ ...first, isNew: false });
    expect(await game.settleDue()).toBe(0);
    expect(await calls()).toBe(1);
  });

  test('has a form id that counts for its own period only', async () => {
    const form = await game.form();
    const first = await game.ask(testEnv.people.support, form);
    const { baseline } = await game.form({ periodId: SECOND_PERIOD_ID });
    const other = await game.request(testEnv.people.support, { ...form, periodId: SECOND_PERIOD_ID, baseline });
    expect(other).toMatchObject({ ok: true, isNew: true });
    expect(other).not.toMatchObject({ refundId: first });
  });

  test('blocks a second form of the period until it has ended; then that form must be filled in again', async () => {
    const [first, second] = [await game.form(), await game.form()];
    const requested = await game.request(testEnv.people.support, first);
    expect(await game.request(testEnv.people.finance, second)).toEqual({
      ok: false,
      reason: 'another_open',
      refundId: requested.ok ? requested.refundId : 0,
    });
    await game.settleToRest();
    expect(await game.request(testEnv.people.finance, second)).toEqual({ ok: false, reason: 'changed' });
  });
});

describe('a refund above the limit', () => {
  test('waits for a second person, who approves what was shown', async () => {
    await wantSecondPerson();
    const refundId = await game.ask(testEnv.people.support);
    expect(await game.settleDue()).toBe(0);
    const shown = await digest();
    expect(await game.approve(testEnv.people.support, refundId, { contentDigest: shown })).toEqual({ ok: false, reason: 'own_request' });
    expect(await game.approve(testEnv.people.finance, refundId, { contentDigest: 'ab'.repeat(32) })).toEqual({
      ok: false,
      reason: 'changed',
    });
    expect(await game.approve(testEnv.people.finance, refundId, { contentDigest: shown })).toEqual({ ok: true });
    expect(await game.approve(testEnv.people.otherFinance, refundId, { contentDigest: shown })).toEqual({ ok: false, reason: 'moved_on' });
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: 'landed', approval: 'person', approved_by: testEnv.people.finance.id });
    await expectSound();
  });

  test('is rejected with a reason, or withdrawn, and never sent', async () => {
    await wantSecondPerson();
    const refundId = await game.ask(testEnv.people.support);
    expect(await declineRefund(game, testEnv.people.finance, refundId, ' ')).toEqual({ ok: false, reason: 'why_missing' });
    expect(await declineRefund(game, testEnv.people.finance, refundId, 'not ours')).toEqual({ ok: true });
    expect([(await game.row()).state, await game.settleDue(), await calls()]).toEqual(['rejected', 0, 0]);
    await expectSound();
  });
});

describe('only what was approved is sent', () => {
  test.each(
    proofCases(4, [
      ['amount_usd', `amount_usd = 6`],
      ['request_bytes', `request_bytes = convert_to(replace(convert_from(request_bytes, 'UTF8'), '5.00', '15.00'), 'UTF8')`],
      ['request_digest', `request_digest = sha256('x')`],
      ['client_request_id', `client_request_id = 'other-' || client_request_id`],
      ['subscription_id', `subscription_id = 'SUB_1767225600_WITN16AL'`],
      ['period_id', `period_id = 2026090001`],
      ['period_seq', `period_seq = 9`],
      ['reason_code', `reason_code = 'duplicate_charge'`],
      ['the reason, to none of ours', `reason_code = 'whim'`],
      ['reason_text', `reason_text = 'other words'`],
      ['facts', `facts = jsonb_set(facts, '{period,refunded_to_date_usd}', '"1.00"')`],
      ['estimate', `estimate = '{}'`],
      ['baseline_digest', `baseline_digest = sha256('x')`],
      ['both digests', `content_digest = sha256('x'), approved_digest = sha256('x')`],
    ]),
  )('a row with an altered %s is never sent and needs attention', async (_, set) => {
    await game.ask(testEnv.people.support);
    await game.tamper(set);
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: 'attention', attention_reason: 'content_altered', attempt_count: 0 });
    expect(await calls()).toBe(0);
  });

  test('a row altered before its approval is never sent', async () => {
    await wantSecondPerson();
    const refundId = await game.ask(testEnv.people.support);
    const shown = await digest();
    await game.tamper(`period_seq = 9`);
    expect(await game.approve(testEnv.people.finance, refundId, { contentDigest: shown })).toEqual({ ok: true });
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: 'attention', attention_reason: 'content_altered', attempt_count: 0 });
    expect(await calls()).toBe(0);
  });

  test('a refund whose period has changed goes back to approval with the new facts', async () => {
    await game.ask(testEnv.people.support);
    const before = await digest();
    await testEnv.control('POST', 'refunds', { period_id: PERIOD_ID, amount_usd: '1.00' });
    await game.settleToRest();
    const row = await game.row();
    expect(row).toMatchObject({ state: 'awaiting_approval', approval: null, last_error_code: 'period_changed', attempt_count: 0 });
    expect(row.facts.period.refunded_to_date_usd).toBe('1.00');
    await expectSound();
    expect(await calls()).toBe(0);
    const refundId = row.refund_id;
    expect(await game.approve(testEnv.people.support, refundId, { contentDigest: before })).toEqual({ ok: false, reason: 'changed' });
    expect(await game.approve(testEnv.people.support, refundId, { contentDigest: await digest() })).toEqual({ ok: true });
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: 'landed', total_refunded_amount_usd: '6.00' });
    await expectSound();
  });

  test('a refund above the remaining amount retains its earlier facts and is never sent', async () => {
    const refundId = await game.ask(testEnv.people.support);
    await testEnv.control('POST', 'refunds', { period_id: PERIOD_ID, amount_usd: '16.00' });
    await game.settleToRest();
    expect(await game.approve(testEnv.people.support, refundId)).toEqual({ ok: false, reason: 'impossible' });
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: 'awaiting_approval', last_error_code: 'period_changed', attempt_count: 0 });
    expect(await calls()).toBe(0);
  });

  test("nothing is sent while the period can't be read", async () => {
    await game.ask(testEnv.people.support);
    await testEnv.control('POST', 'faults', { kind: '503', times: 2, match: { route: 'period' } });
    await game.settleDue();
    expect(await game.row()).toMatchObject({ state: 'approved', attempt_count: 0, last_error_code: 'upstream_fault' });
    await game.settleToRest();
    expect((await game.row()).state).toBe('landed');
  });
});

describe('the pause', () => {
  test('a page opened during an earlier pause can’t resume a later one', async () => {
    const { support, finance, otherFinance } = testEnv.people;
    await pause(game, support, { what: 'refunds', why: 'A harmless look.' });
    const early = await pauseVersion(game.db, game.gameId);
    await resumeAsShown(game, otherFinance);
    const stale = await pauseVersion(game.db, game.gameId);
    expect(await resumeAsShown(game, finance)).toEqual({ ok: true, is: 'resumed' });
    await pause(game, support, { what: 'refunds', why: 'Fraud suspected: do not resume.' });
    const refused = { ok: false, reason: 'not_as_shown' };
    expect(await resumeRefunds(game, finance, early), 'the first of two').toEqual(refused);
    await resumeAsShown(game, otherFinance);
    expect(await resumeRefunds(game, finance, stale), 'the second of two').toEqual(refused);
    expect(await findRefundPause(game.db, game.gameId)).toMatchObject({
      why: 'Fraud suspected: do not resume.',
      resumeRequestedBy: { id: otherFinance.id },
    });
    const { rows } = await game.pool.query(
      `select count(*)::int as count from audit where act = 'was refused to resume refunds' and detail ->> 'reason' = 'not_as_shown' and game_id = $1`,
      [game.gameId],
    );
    expect(rows).toEqual([{ count: 2 }]);
  });

  test('a person who requests to resume on a page that shows no request doesn’t become the second of two', async () => {
    const { support, finance, otherFinance } = testEnv.people;
    await pause(game, support, { what: 'refunds', why: 'A look first.' });
    const stale = await pauseVersion(game.db, game.gameId);
    await resumeAsShown(game, otherFinance);
    expect(await resumeRefunds(game, finance, stale)).toEqual({ ok: false, reason: 'not_as_shown' });
    expect(await findRefundPause(game.db, game.gameId)).toMatchObject({ resumeRequestedBy: { id: otherFinance.id } });
  });

  test('holds refunds that were not sent until two people resume them', async () => {
    await game.ask(testEnv.people.support);
    expect(await pause(game, testEnv.people.support, { what: 'refunds', why: 'Invo acts up' })).toEqual({ ok: true });
    expect(await game.settleDue()).toBe(0);
    expect(await resumeAsShown(game, testEnv.people.support)).toEqual({ ok: false, reason: 'not_allowed' });
    expect(await resumeAsShown(game, testEnv.people.finance)).toEqual({ ok: true, is: 'resume_requested' });
    expect(await resumeAsShown(game, testEnv.people.finance)).toEqual({ ok: false, reason: 'same_person' });
    expect([await game.settleDue(), await calls()]).toEqual([0, 0]);
    expect(await resumeAsShown(game, testEnv.people.otherFinance)).toEqual({ ok: true, is: 'resumed' });
    await game.settleToRest();
    expect((await game.row()).state).toBe('landed');
  });

  test('still stops an attempt when refunds are paused just before it', async () => {
    await game.ask(testEnv.people.support);
    const { store } = game.process();
    const job = await store.takeDue();
    await pause(game, testEnv.people.support, { what: 'refunds', why: 'at once' });
    expect(job && (await store.begin(job))).toBe('paused');
    expect(await game.row()).toMatchObject({ state: 'approved', attempt_count: 0 });
  });

  test("doesn't stop the answer to a call already sent", async () => {
    await game.ask(testEnv.people.support);
    await testEnv.spoil('hold_after');
    const settled = game.settleDue();
    await expect.poll(() => testEnv.heldCount()).toBe(1);
    expect((await game.row()).state).toBe('sending');
    await pause(game, testEnv.people.support, { what: 'refunds', why: 'at once' });
    await testEnv.release();
    await settled;
    expect((await game.row()).state).toBe('landed');
  });
});

test('the reversal is matched when the month of the refund is pulled, and not before', async () => {
  game = await testEnv.newGame('demo');
  const NOVEMBER = { start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z' };
  await game.ask(testEnv.people.support);
  await game.settleToRest();
  expect(await matchReversals(game.db, game.gameId)).toBe(0);
  await testEnv.pull({ start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' });
  expect(await matchReversals(game.db, game.gameId)).toBe(0);
  const now = '2026-12-02T12:00:00Z';
  await testEnv.control('POST', 'clock', { now });
  expect((await testEnv.pull(NOVEMBER, { now })).run).toMatchObject({ ended: 'done' });
  expect(await matchReversals(game.db, game.gameId)).toBe(1);
  expect(await matchReversals(game.db, game.gameId)).toBe(0);
  // The same amount of the same period once more: what November brought is not its reversal.
  await game.ask(testEnv.people.support);
  await game.settleToRest();
  expect(await matchReversals(game.db, game.gameId)).toBe(0);
});
