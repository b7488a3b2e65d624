import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { proofCases } from '#e2e/support/proof.ts';
import { findViolations } from '#e2e/support/refunds/find-violations.ts';
import { SILENT } from '#e2e/support/refunds/model-invo.ts';
import {
  openRefundEnvironment,
  type RefundEnvironment,
  type RefundGame,
  SECOND_PERIOD_ID,
} from '#e2e/support/refunds/refund-environment.ts';
import { pauseVersion } from '#e2e/support/refunds/resume-as-shown.ts';
import { recordResume } from '#lib/approvals/writes.ts';
import { recordPause } from '../approvals/writes.ts';

let testEnv: RefundEnvironment;
let game: RefundGame;

beforeAll(async () => {
  testEnv = await openRefundEnvironment();
});
beforeEach(async () => {
  game = await testEnv.newGame();
});
afterAll(() => testEnv.close());

describe('the database itself refuses', () => {
  test.each(
    proofCases(4, [
      ['another amount', `update refund set amount_usd = 6`, /what a refund asks for never changes/],
      ['other bytes', `update refund set request_bytes = '\\x00'`, /what a refund asks for never changes/],
      ['another key', `update refund set client_request_id = 'other'`, /what a refund asks for never changes/],
      ['another draft', `update refund set draft_id = gen_random_uuid()`, /what a refund asks for never changes/],
      [
        'that what ended continues',
        `update refund set state = 'unknown', ended_at = null, outcome_source = null`,
        /a refund that ended stays ended/,
      ],
      ['another end', `update refund set state = 'withdrawn', outcome_source = null`, /a refund that ended stays ended/],
      ['fewer attempts', `update refund set attempt_count = 0`, /what was sent stays sent/],
      ['another first attempt', `update refund set first_sent_at = first_sent_at - interval '1 day'`, /what was sent stays sent/],
      ['that it goes', `delete from refund`, /a refund is never removed/],
      ['that an attempt goes', `delete from refund_attempt`, /./],
      ['that an attempt happens twice', `insert into refund_attempt select * from refund_attempt`, /refund_attempt_pkey/],
      ['another reading', `update refund_read set facts = '{}'`, /./],
      ['that all go', `truncate refund cascade`, /is evidence/],
      ['another receipt', `update refund set receipt = '{}'`, /a refund that ended is frozen/],
      ['another total', `update refund set total_refunded_amount_usd = 6`, /a refund that ended is frozen/],
      ['another transaction', `update refund set transaction_id = 'RFD_X'`, /a refund that ended is frozen/],
      ['other facts', `update refund set facts = '{}'`, /a refund that ended is frozen/],
      ['another estimate', `update refund set estimate = '{}'`, /a refund that ended is frozen/],
      ['another approval', `update refund set approved_at = clock_now()`, /a refund that ended is frozen/],
      ['another digest', `update refund set content_digest = sha256('x'), approved_digest = sha256('x')`, /a refund that ended is frozen/],
      ['that it is known otherwise', `update refund set outcome_source = 'people'`, /a refund that ended is frozen/],
      ['another end of an attempt', `update refund_attempt set class = 'refused'`, /refund_attempt(_\d+)? keeps what it says/],
      ['another answer', `update refund_attempt set body = null, sha256 = null`, /refund_attempt(_\d+)? keeps what it says/],
      ['another attempt', `update refund_attempt set request_digest = sha256('x')`, /refund_attempt(_\d+)? keeps what it says/],
      ['that all attempts go', `truncate refund_attempt`, /is evidence/],
      ['that all readings go', `truncate refund_read cascade`, /is evidence/],
      ['that all outcomes go', `truncate refund_decision`, /is evidence/],
      ['that all pauses go', `truncate refund_pause`, /is evidence/],
    ]),
  )('%s', async (_, statement, reason) => {
    await game.ask(testEnv.people.support);
    await game.settleToRest();
    await expect(game.pool.query(statement)).rejects.toThrow(reason);
    expect(await findViolations(testEnv, game.gameId, { isAtRest: true })).toEqual([]);
  });

  test('a second sender for one subscription', async () => {
    await game.ask(testEnv.people.support);
    await game.ask(testEnv.people.support, { periodId: SECOND_PERIOD_ID });
    const sending = game.pool.query(
      `update refund set state = 'sending', lease_owner = 'x', attempt_count = 1, first_sent_at = clock_now() where game_id = $1`,
      [game.gameId],
    );
    await expect(sending).rejects.toThrow(/refund_sender/);
  });

  test('the state refused while a call may have been executed', async () => {
    await game.ask(testEnv.people.support);
    const refused = game.pool.query(
      `update refund set state = 'refused', ended_at = clock_now(), unanswered_count = 1 where game_id = $1`,
      [game.gameId],
    );
    await expect(refused).rejects.toThrow(/check constraint/);
  });
});

test('a pause that was lifted stays as it was', async () => {
  const { db, pool, gameId } = game;
  const pause = { gameId, actor: testEnv.people.finance };
  await recordPause(db, { ...pause, what: 'refunds', why: 'a test' });
  await recordResume(db, { ...pause, what: 'refunds', version: await pauseVersion(db, gameId) });
  await recordResume(db, { gameId, what: 'refunds', actor: testEnv.people.otherFinance, version: await pauseVersion(db, gameId) });
  await expect(pool.query(`update refund_pause set why = 'another' where game_id = $1`, [gameId])).rejects.toThrow(/keeps what it says/);
  await expect(pool.query(`update refund_pause set resumed_by = resume_requested_by where game_id = $1`, [gameId])).rejects.toThrow(
    /keeps what it says|check/,
  );
});

test('no attempt starts while the outcome is being checked', async () => {
  await game.ask(testEnv.people.support);
  await game.tamper(`state = 'verifying'`);
  const { store } = game.process();
  const job = await store.takeDue();
  expect(job?.state).toBe('verifying');
  expect(job && (await store.begin(job))).toBe('moved_on');
});

test('a step decided on an earlier version is not taken', async () => {
  await game.ask(testEnv.people.support);
  const [first, second] = [game.process('process 1').store, game.process('process 2').store];
  const seen = await first.takeDue();
  await game.hurry();
  const seenLater = await second.takeDue();
  if (seen === null || seenLater === null) throw new Error('nothing is due');
  expect(await first.move(seen, 'found that the period changed', { state: 'awaiting_approval', checkAt: null, isApprovalVoid: true })).toBe(
    false,
  );
  expect(await first.begin(seen)).toBe('moved_on');
  expect((await game.row()).state).toBe('approved');
  expect(await second.begin(seenLater)).toEqual({ attempt_no: 1 });
  await first.finish(
    seen,
    0,
    { class: 'no_answer', answer: { ...SILENT, transportError: 'sender_silent' } },
    { state: 'unknown', checkAt: 0 },
  );
  expect((await game.row()).state).toBe('sending');
});

test('the receipt of another refund is not accepted and needs attention', async () => {
  await game.ask(testEnv.people.support);
  await game.settleToRest();
  const { transaction_id } = await game.row();
  const second = await game.ask(testEnv.people.support, await game.form());
  const { store } = game.process();
  const job = await store.takeDue();
  if (job === null) throw new Error('nothing is due');
  await store.begin(job);
  const landed = {
    state: 'landed',
    unanswered_count: 0,
    outcome_source: 'replay',
    transaction_id,
    total_refunded_amount_usd: '5.00',
  } as const;
  await store.finish(job, 1, { class: 'replayed', answer: { ...SILENT, phase: 'answered', status: 200, transaction_id } }, landed);
  const { rows } = await game.pool.query('select state, attention_reason, transaction_id from refund where refund_id = $1', [second]);
  expect(rows).toEqual([{ state: 'attention', attention_reason: 'receipt_of_another', transaction_id: null }]);
});
