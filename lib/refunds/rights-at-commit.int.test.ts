// @module-tag no-retry

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dbOver } from '#e2e/support/db/db-over.ts';
import { readAudit } from '#e2e/support/people/seed-people.ts';
import {
  openRefundEnvironment,
  PERIOD_ID,
  type RefundEnvironment,
  type RefundGame,
  readingOf,
  SECOND_PERIOD_ID,
} from '#e2e/support/refunds/refund-environment.ts';
import { resumeAsShown } from '#e2e/support/refunds/resume-as-shown.ts';
import { pause } from '../approvals/pause.ts';
import { approveRefund } from './approve-refund.ts';
import { findRefundToApprove } from './reads/find-refund.ts';
import { confirmOutcome, recordOutcome } from './record-outcome.ts';
import { requestRefund } from './request-refund.ts';

let testEnv: RefundEnvironment;
let game: RefundGame;

beforeAll(async () => {
  testEnv = await openRefundEnvironment();
});
beforeEach(async () => {
  game = await testEnv.newGame();
  await testEnv.pool.query(`update person set disabled_at = null, account_confirmed_at = clock_now(), counts_from = clock_now()`);
  await testEnv.pool.query(`update person set roles = '{finance}' where id = $1`, [testEnv.people.finance.id]);
  await testEnv.pool.query(`update person set roles = '{support}' where id = $1`, [testEnv.people.support.id]);
});
afterAll(() => testEnv.close());

/** Reads the facts as Invo has them, after something else changed in the meantime. */
function readAfter(change: () => Promise<unknown>): ReturnType<typeof readingOf> {
  return async (...args) => {
    await change();
    return await readingOf(game.invo)(...args);
  };
}

async function set(person: 'support' | 'finance' | 'otherFinance', change: string): Promise<void> {
  await testEnv.pool.query(`update person set ${change} where id = $1`, [testEnv.people[person].id]);
}

async function limit(name: string, usd: number): Promise<void> {
  await game.pool.query(
    `insert into refund_limit (game_id, name, limit_usd, set_by) values ($1, $2, $3, 'ada') on conflict (game_id, name) do update set limit_usd = $3`,
    [game.gameId, name, usd],
  );
}

const context = () => ({ game, config: testEnv.config });

describe('a request, when what allows it ends during the call to Invo', () => {
  test.each([
    ['the role is taken away', `roles = '{auditor}'`],
    ['the person is disabled', `disabled_at = clock_now()`],
  ])('%s: nothing is stored', async (_, change) => {
    const form = await game.form();
    const requested = await requestRefund(
      context(),
      testEnv.people.support,
      form,
      readAfter(() => set('support', change)),
    );
    expect(requested).toEqual({ ok: false, reason: 'not_allowed' });
    expect(await game.db.selectFrom('refund').select('refund_id').where('game_id', '=', game.gameId).execute()).toEqual([]);
  });

  test('the limit is lowered after it was read: the refund waits for a second person', async () => {
    await limit('support', 50);
    // Between the rules, which read the limit, and the transaction that stores the request.
    const db = dbOver(game.pool, async (text) => {
      if (text === 'begin') await limit('support', 1);
    });
    const raced = { game: { ...game, db }, config: testEnv.config };
    const requested = await requestRefund(raced, testEnv.people.support, await game.form(), readingOf(game.invo));
    expect(requested).toMatchObject({ ok: true, isNew: true });
    expect(await game.row()).toMatchObject({ state: 'awaiting_approval', needs_second_approver: true });
  });

  test('two refunds at once that together exceed the limit of 24 hours: one waits for a second person', async () => {
    await limit('support_day', 8);
    const { support } = testEnv.people;
    const ends = await Promise.all([
      game.request(support, { amountText: '5.00' }),
      game.request(support, { periodId: SECOND_PERIOD_ID, amountText: '5.00' }),
    ]);
    expect(ends.map(({ ok }) => ok)).toEqual([true, true]);
    const { rows } = await game.pool.query(`select state from refund where game_id = $1`, [game.gameId]);
    expect(rows.map(({ state }) => String(state)).toSorted()).toEqual(['approved', 'awaiting_approval']);
  });
});

test('within 24 hours a person has as much approved automatically as the limit allows, and withdrawn refunds don’t count', async () => {
  await limit('support_day', 8);
  const { support, finance } = testEnv.people;
  const first = await game.ask(support, { amountText: '5.00' });
  const second = await game.ask(support, { periodId: SECOND_PERIOD_ID, amountText: '5.00' });
  const stateOf = async (refundId: number): Promise<unknown> =>
    (await game.db.selectFrom('refund').select('state').where('refund_id', '=', refundId).executeTakeFirst())?.state;
  expect([await stateOf(first), await stateOf(second)]).toEqual(['approved', 'awaiting_approval']);
  await game.pool.query(`update refund set state = 'withdrawn' where refund_id = any($1)`, [[first, second]]);
  expect(await stateOf(await game.ask(support, { periodId: SECOND_PERIOD_ID, amountText: '5.00' }))).toBe('approved');
  expect(await stateOf(await game.ask(finance, { amountText: '6.00' }))).toBe('approved');
});

describe('an approval, when what allows it ends during the call to Invo', () => {
  async function approveAfter(change: () => Promise<unknown>): Promise<unknown> {
    await limit('support', 0);
    const refundId = await game.ask(testEnv.people.support);
    const { contentDigest = '' } = (await findRefundToApprove(game.db, game.gameId, refundId)) ?? {};
    const answer = await approveRefund(
      context(),
      testEnv.people.finance,
      refundId,
      { contentDigest, confirmedRisk: null },
      readAfter(change),
    );
    expect((await game.row()).state).toBe('awaiting_approval');
    return answer;
  }
  test.each([
    ['the role is taken away', `roles = '{support}'`, 'not_allowed'],
    ['the person is disabled', `disabled_at = clock_now()`, 'not_allowed'],
    ['their password is set by an emailed link', `counts_from = clock_now() + interval '24 hours'`, 'too_new'],
    ['an admin makes a link for them', `account_confirmed_at = null`, 'unconfirmed'],
  ])('%s: it is not approved, and the answer gives the reason', async (_, change, reason) => {
    expect(await approveAfter(() => set('finance', change))).toEqual({ ok: false, reason });
  });

  test.each([
    ['an admin makes a link for the requester', `account_confirmed_at = null`, 'preparer_unconfirmed'],
    ['the requester uses an emailed link', `counts_from = clock_now() + interval '24 hours'`, 'preparer_too_new'],
    ['the requester is disabled', `disabled_at = clock_now()`, 'preparer_disabled'],
  ])('%s: it is not approved', async (_, change, reason) => {
    expect(await approveAfter(() => set('support', change))).toEqual({ ok: false, reason });
  });
});

test('a person who may not approve yet is refused before Invo is called, and someone else approves', async () => {
  await limit('support', 0);
  const refundId = await game.ask(testEnv.people.support);
  await set('finance', `counts_from = clock_now() + interval '1 minute'`);
  await testEnv.forgetCalls();
  expect(await game.approve(testEnv.people.finance, refundId)).toEqual({ ok: false, reason: 'too_new' });
  expect(await testEnv.calls()).toEqual([]);
  const refused = { actor: 'fin@studio.example', act: 'was refused approval of this refund', subject: `refund ${refundId}` };
  expect((await readAudit(game.db)).at(-1)).toEqual({ ...refused, detail: { reason: 'too_new' } });
  expect(await game.approve(testEnv.people.otherFinance, refundId)).toEqual({ ok: true });
});

test('an admin without the role finance approves nothing', async () => {
  await limit('support', 0);
  const refundId = await game.ask(testEnv.people.support);
  await set('finance', `roles = '{admin}'`);
  expect(await game.approve(testEnv.people.finance, refundId)).toEqual({ ok: false, reason: 'not_allowed' });
});

test('a requester confirms changed facts only within the limits of that moment', async () => {
  const { support } = testEnv.people;
  const refundId = await game.ask(support);
  await testEnv.control('POST', 'refunds', { period_id: PERIOD_ID, amount_usd: '1.00' });
  await game.settleToRest();
  expect((await game.row()).state).toBe('awaiting_approval');
  const { contentDigest = '' } = (await findRefundToApprove(game.db, game.gameId, refundId)) ?? {};
  const shown = { contentDigest, confirmedRisk: null };
  expect(
    await approveRefund(
      context(),
      support,
      refundId,
      shown,
      readAfter(() => limit('support_day', 1)),
    ),
  ).toEqual({
    ok: false,
    reason: 'own_request',
  });
  await limit('support_day', 6);
  expect(await approveRefund(context(), support, refundId, shown, readingOf(game.invo))).toEqual({ ok: true });
});

test('the second of two people who resume refunds, or confirm an outcome, counts as another person too', async () => {
  const { support, finance, otherFinance, admin } = testEnv.people;
  await set('otherFinance', `account_confirmed_at = null`);
  await pause(game, support, { what: 'refunds', why: 'A look first.' });
  expect(await resumeAsShown(game, finance)).toEqual({ ok: true, is: 'resume_requested' });
  expect(await resumeAsShown(game, otherFinance)).toEqual({ ok: false, reason: 'unconfirmed' });
  expect(await resumeAsShown(game, admin)).toEqual({ ok: true, is: 'resumed' });

  await testEnv.spoil('lookup_failed');
  const refundId = await game.ask(support);
  await game.settleToRest();
  expect((await game.row()).state).toBe('attention');
  expect(await recordOutcome(game, finance, refundId, 'send_again', 'Invo says so.')).toEqual({ ok: true });
  expect(await confirmOutcome(game, otherFinance, refundId, 1)).toEqual({ ok: false, reason: 'unconfirmed' });
  expect(await confirmOutcome(game, admin, refundId, 1)).toEqual({ ok: true });
});
