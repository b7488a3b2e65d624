// @module-tag no-retry

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedPerson } from '#e2e/support/people/seed-people.ts';
import { proofCases } from '#e2e/support/proof.ts';
import { NOW, openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { verifyGame } from '../evidence/verify/verify-game.ts';
import { connectInvo } from '../games/game-context.ts';
import type { OpenGame } from '../games/open-game.ts';
import { advanceRefund } from './advance-refund.ts';
import { digestBaseline, readRefundFacts } from './read-refund-facts.ts';
import { refundWire } from './refund-wire.ts';
import { requestRefund } from './request-refund.ts';
import { openRefundStore } from './writes/refund-store.ts';

// Fan 12 of November 2026: 49.99 USD by card, nothing refunded.
const PERIOD = 2_026_111_432;
const OTHER = 'another-person';
let testEnv: TestEnvironment;
let game: OpenGame;

/** A database with one refund that landed: 20.00 of 49.99. */
beforeAll(async () => {
  testEnv = await openTestEnvironment();
  game = await testEnv.game();
  const id = await seedPerson(testEnv.db, 'sam@studio.example', 'support');
  const invo = connectInvo(game, testEnv.config, { caller: 'person' });
  const { period } = await readRefundFacts(invo, PERIOD, NOW);
  const requested = await requestRefund(
    { game, config: testEnv.config },
    { id, email: 'sam@studio.example', roles: ['support'] },
    {
      draftId: randomUUID(),
      periodId: PERIOD,
      amountText: '20',
      reason_code: 'goodwill',
      reason_text: null,
      baseline: digestBaseline(period).toString('hex'),
      confirmedRisk: null,
    },
  );
  expect(requested).toMatchObject({ ok: true, isNew: true });
  const store = openRefundStore(game.db, 'test', game.gameId);
  const wire = refundWire(game, invo);
  await advanceRefund({ store, wire, jitter: () => 0, businessNow: () => NOW, timeZone: 'UTC' });
});
afterAll(() => testEnv.close());

test('a landed refund passes verification', async () => {
  const landed = await testEnv.db
    .selectFrom('refund')
    .select(['state', 'outcome_source', 'attempt_count', 'total_refunded_amount_usd'])
    .execute();
  expect(landed).toEqual([{ state: 'landed', outcome_source: 'receipt', attempt_count: 1, total_refunded_amount_usd: '20.00' }]);
  expect(await verifyGame(game.db, game.gameId)).toMatchObject({ refunds: 1, violations: [] });
});

// What was done to it behind its back, and by which name it is found.
test.each(
  proofCases(6, [
    ['the amount', `update refund set amount_usd = 30`, 'request_bytes'],
    ['the period', `update refund set period_seq = 2`, 'request_bytes'],
    ['the bytes', `update refund set request_bytes = '{}'`, 'request_digest'],
    ['a reason', `update refund set reason_text = 'other'`, 'content_digest'],
    ['the estimate', `update refund set estimate = estimate || '{"card_refunded_usd":"20.00"}'`, 'content_digest'],
    ['the facts', `update refund set facts = facts || '{"wallets":null}'`, 'content_digest'],
    ['the bytes of an attempt', `update refund_attempt set request_digest = decode(repeat('ab', 32), 'hex')`, 'attempt_bytes'],
    ['an answer', `update refund_attempt set sha256 = decode(repeat('ab', 32), 'hex')`, 'attempt_answer_digest'],
    ['a removed attempt', `delete from refund_attempt`, 'attempts_counted'],
    ['the amount of the receipt', `update refund set receipt = receipt || '{"refunded_amount_usd":"21.00"}'`, 'receipt_amount'],
    ['the rest on the receipt', `update refund set receipt = receipt || '{"remaining_refundable_usd":"0.00"}'`, 'receipt_adds_up'],
    ['another figure of the receipt', `update refund set receipt = receipt || '{"card_refunded_usd":"20.00"}'`, 'receipt_of_answer'],
    ['a receipt that is gone', `update refund set receipt = null, total_refunded_amount_usd = null`, 'receipt_of_answer'],
    ['the total', `update refund set total_refunded_amount_usd = 40`, 'total_of_receipt'],
    ['the transaction', `update refund set transaction_id = 'RFD_OTHER'`, 'transaction_of_answer'],
    ['how it is known', `update refund set outcome_source = 'replay'`, 'outcome_answered'],
    ['that two people said so', `update refund set outcome_source = 'people'`, 'closed_by_two'],
    ['what an answer means', `update refund_attempt set class = 'replayed'`, 'attempt_class'],
    ['that an answer came', `update refund_attempt set phase = 'sent'`, 'attempt_class'],
    ['the status of an answer', `update refund_attempt set status = 201`, 'attempt_answer_in_audit'],
    ['the code of an answer', `update refund_attempt set error_code = 'PERIOD_NOT_FOUND'`, 'attempt_error_code'],
    ['the reference of an answer', `update refund_attempt set error_id = 'err_1'`, 'attempt_error_id'],
    ['the facts of an answer', `update refund_attempt set answer_facts = '{"note":"x"}'`, 'attempt_facts'],
    ['an answer that is gone', `update refund_attempt set body = null, sha256 = null`, 'attempt_answer_in_audit'],
    ['a requester', `update refund set requested_by = '${OTHER}'`, 'requester_in_audit'],
    ['a refund that is gone', `with gone as (delete from refund_attempt) delete from refund`, 'refund_exists'],
    ['an end nobody confirmed', `update refund set state = 'not_landed', outcome_source = null`, 'closed_by_two'],
    [
      'an end that people confirmed otherwise',
      `with other as (insert into refund_decision (game_id, refund_id, decision_no, decision, proposed_by, proposed_text, confirmed_by, confirmed_at)
       select game_id, refund_id, 1, 'send_again', requested_by, 'x', '${OTHER}', clock_now() from refund)
     update refund set state = 'not_landed', outcome_source = null`,
      'closed_by_two',
    ],
    [
      'an outcome that the audit doesn’t have',
      `insert into refund_decision (game_id, refund_id, decision_no, decision, proposed_by, proposed_text, confirmed_by, confirmed_at)
       select game_id, refund_id, 1, 'landed', requested_by, 'x', '${OTHER}', clock_now() from refund`,
      'decisions_in_audit: landed',
    ],
  ]),
)('%s is found', async (_, statement, name) => {
  const { violations } = await tampered(statement);
  expect(violations.map((violation) => violation.name)).toContain(name);
});

/** Verifies with the tampering, and undoes it. */
async function tampered(statement: string): Promise<Awaited<ReturnType<typeof verifyGame>>> {
  const { pool } = testEnv;
  const copy = `tampered_${randomUUID().replaceAll('-', '')}`;
  await pool.query(
    `create table ${copy} as select 'refund' as which, to_jsonb(refund) as row from refund union all select 'refund_attempt', to_jsonb(refund_attempt) from refund_attempt`,
  );
  try {
    await testEnv.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql.raw(statement).execute(trx);
    });
    return await verifyGame(game.db, game.gameId);
  } finally {
    await testEnv.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`delete from refund_decision`.execute(trx);
      await sql`delete from refund_attempt`.execute(trx);
      await sql`delete from refund`.execute(trx);
      for (const table of ['refund', 'refund_attempt']) {
        await sql
          .raw(
            `insert into ${table} overriding system value select (jsonb_populate_record(null::${table}, row)).* from ${copy} where which = '${table}'`,
          )
          .execute(trx);
      }
    });
  }
}
