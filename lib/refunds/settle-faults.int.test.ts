import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { proofCases } from '#e2e/support/proof.ts';
import { findViolations, seenAtInvo } from '#e2e/support/refunds/find-violations.ts';
import {
  openRefundEnvironment,
  PERIOD_ID,
  type RefundEnvironment,
  type RefundGame,
  SILENT_MS,
} from '#e2e/support/refunds/refund-environment.ts';
import { search } from '../search/search.ts';
import { findRefund } from './reads/find-refund.ts';
import { listRefunds } from './reads/list-refunds.ts';
import { findOpenRefund, listRefundsOf } from './reads/refund-preconditions.ts';
import { recordOutcome, rereadPeriod } from './record-outcome.ts';

let testEnv: RefundEnvironment;
let game: RefundGame;

beforeAll(async () => {
  testEnv = await openRefundEnvironment();
});
beforeEach(async () => {
  game = await testEnv.newGame();
});
afterAll(() => testEnv.close());

async function executed(): Promise<number> {
  return (await seenAtInvo(testEnv)).refunds.reduce((sum, each) => sum + each.executed, 0);
}

/** What the first call does, and where the refund then rests: what Invo did, the state and how we know. */
const FAULTS: [fault: string | Record<string, unknown>, first: string, rests: string, executed: number, fields: object][] = [
  ['drop_before', 'unknown', 'landed', 1, { outcome_source: 'receipt' }],
  ['drop_after', 'unknown', 'landed', 1, { outcome_source: 'replay' }],
  [{ kind: 'delay', ms: 200 }, 'landed', 'landed', 1, { outcome_source: 'receipt' }],
  [{ kind: 'delay_after', ms: 200 }, 'landed', 'landed', 1, { outcome_source: 'receipt' }],
  ['hold_after', 'unknown', 'landed', 1, { outcome_source: 'replay' }],
  ['torn_after', 'unknown', 'landed', 1, { outcome_source: 'replay' }],
  ['stall', 'unknown', 'landed', 1, { outcome_source: 'replay' }],
  ['html_after', 'unknown', 'landed', 1, { outcome_source: 'replay' }],
  ['html', 'unknown', 'landed', 1, { outcome_source: 'receipt' }],
  ['redirect', 'unknown', 'landed', 1, { outcome_source: 'receipt' }],
  [{ kind: 'redirect', when: 'after' }, 'unknown', 'landed', 1, { outcome_source: 'replay' }],
  [{ kind: 'bomb', megabytes: 3 }, 'unknown', 'landed', 1, { outcome_source: 'receipt' }],
  ['duplicate', 'landed', 'landed', 1, { outcome_source: 'replay' }],
  ['receipt_lost', 'unknown', 'landed', 1, { outcome_source: 'reduced', total_refunded_amount_usd: '20.00' }],
  ['receipt_lost_conflict', 'unknown', 'landed', 1, { outcome_source: 'reduced', total_refunded_amount_usd: '20.00' }],
  ['processor_failed_after_card', 'unknown', 'landed', 1, { receipt: { processor_refund_adopted: true, card_refunded_usd: '20.00' } }],
  ['processor_error', 'unknown', 'landed', 1, { outcome_source: 'receipt' }],
  ['lookup_failed', 'attention', 'attention', 0, { last_error_code: 'REFUND_LOOKUP_FAILED', attention_reason: 'invo_asks_for_a_person' }],
  ['mismatch', 'attention', 'attention', 0, { last_error_code: 'REFUND_MISMATCH', attention_reason: 'invo_asks_for_a_person' }],
  ['not_configured', 'attention', 'attention', 0, { last_error_code: 'PROCESSOR_NOT_CONFIGURED' }],
  ['unknown_code', 'attention', 'attention', 0, { last_error_code: 'REFUND_HELD_FOR_REVIEW' }],
  [{ kind: 'unknown_code', when: 'after' }, 'attention', 'attention', 1, { last_error_code: 'REFUND_HELD_FOR_REVIEW' }],
  ['contradiction', 'attention', 'attention', 1, { attention_reason: 'receipt_contradicts' }],
  ['flow_paused', 'unknown', 'landed', 1, {}],
  ['service_unavailable', 'unknown', 'landed', 1, {}],
  [{ kind: 'service_unavailable', when: 'after' }, 'unknown', 'landed', 1, { outcome_source: 'replay' }],
  ['internal_error', 'unknown', 'landed', 1, {}],
  ['500', 'unknown', 'landed', 1, {}],
  [{ kind: '502', when: 'after' }, 'unknown', 'landed', 1, { outcome_source: 'replay' }],
  ['503', 'unknown', 'landed', 1, {}],
  ['429', 'waiting', 'landed', 1, { unanswered_count: 0 }],
  ['401', 'waiting', 'landed', 1, { unanswered_count: 0 }],
  ['403', 'waiting', 'landed', 1, { unanswered_count: 0 }],
  ['404', 'refused', 'refused', 0, { last_error_code: 'SUBSCRIPTION_NOT_FOUND' }],
  ['mint_order_missing', 'refused', 'refused', 0, { last_error_code: 'MINT_ORDER_MISSING' }],
  ['no_payment_reference', 'refused', 'refused', 0, { last_error_code: 'NO_PAYMENT_REFERENCE' }],
];

describe('when the first call meets', () => {
  test.each(
    proofCases(
      7,
      FAULTS.map(([fault, ...rest]) => [nameOf(fault), fault, ...rest] as const),
    ),
  )('%s', async (_, fault, first, rests, times, fields) => {
    await game.ask(testEnv.people.support, { amountText: '20.00' });
    await testEnv.spoil(fault);
    await game.settleDue('process 1', fault === 'stall' || fault === 'hold_after' ? SILENT_MS : undefined);
    expect(await game.row()).toMatchObject({ state: first, attempt_count: 1 });
    expect(await findViolations(testEnv, game.gameId, { isAtRest: false })).toEqual([]);
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: rests, ...fields });
    expect(await executed()).toBe(times);
    expect(await findViolations(testEnv, game.gameId, { isAtRest: true })).toEqual([]);
  });
});

function nameOf(fault: string | Record<string, unknown>): string {
  return typeof fault === 'string' ? fault : Object.values(fault).join(' ');
}

describe('when Invo requests a wait', () => {
  test('the next call comes no sooner than it allows, and no sooner than five minutes when refunds are paused or access is denied', async () => {
    await game.ask(testEnv.people.support);
    for (const [fault, seconds] of [
      [{ kind: '429', retryAfter: 40 }, 40],
      ['401', 300],
      ['flow_paused', 300],
    ] as const) {
      await testEnv.spoil(fault);
      await game.hurry();
      await game.settleDue();
      const { rows } = await game.pool.query<{ ms: number }>(
        `select extract(epoch from next_look_at - clock_now())::float8 * 1000 as ms from refund where game_id = $1`,
        [game.gameId],
      );
      expect(rows[0]?.ms).toBeGreaterThan((seconds - 20) * 1_000);
      expect(rows[0]?.ms).toBeLessThan((seconds + 20) * 1_000);
    }
  });

  test('at most fifteen calls a minute are sent for one subscription', { tags: 'proof' }, async () => {
    const metered = await openRefundEnvironment({ isMetered: true });
    const own = await metered.newGame();
    await own.ask(metered.people.support);
    await metered.spoil({ kind: '500', times: 100 });
    for (let round = 0; round < 25; round++) {
      // All in one minute, however long they take.
      await own.pool.query('update rate_call set called_at = clock_now()');
      await own.hurry();
      await own.settleDue();
    }
    expect((await seenAtInvo(metered)).calls).toHaveLength(15);
    expect(await own.row()).toMatchObject({ state: 'unknown', attempt_count: 15, unanswered_count: 15 });
    await metered.close();
  });
});

describe('a lost receipt', () => {
  test('is completed from the period, as far as the period reports it', async () => {
    await game.ask(testEnv.people.support);
    await testEnv.spoil('receipt_lost');
    await game.settleToRest();
    expect(await game.row()).toMatchObject({
      state: 'landed',
      outcome_source: 'reduced',
      total_refunded_amount_usd: '5.00',
      receipt: { refunded_amount_usd: '5.00', remaining_refundable_usd: '15.00', card_refunded_usd: null },
    });
  });

  test('is never completed from another transaction than the one Invo named: the refund needs attention', { tags: 'proof' }, async () => {
    await game.ask(testEnv.people.support);
    await testEnv.spoil('receipt_lost');
    await game.settleDue();
    await testEnv.control('POST', 'faults', { kind: '403', times: 50, match: { route: 'period' } });
    await game.hurry();
    await game.settleDue();
    expect((await game.row()).transaction_id, 'the id from Invo is stored').toMatch(/^RFD_/);
    await game.tamper(`transaction_id = 'RFD_OF_ANOTHER'`);
    await testEnv.control('DELETE', 'faults');
    await game.hurry();
    await game.settleDue();
    expect(await game.row()).toMatchObject({ state: 'attention', attention_reason: 'period_unclear', receipt: null });
  });

  test('counts only when the period shows the refund: the period is read for 45 minutes, then the refund needs attention', async () => {
    await game.ask(testEnv.people.support);
    await testEnv.spoil('receipt_lost');
    await game.settleDue();
    await testEnv.control('POST', 'faults', { kind: '403', times: 50, match: { route: 'period' } });
    await game.hurry();
    await game.settleDue();
    expect(await game.row()).toMatchObject({ state: 'verifying', outcome_source: null, receipt: null, unanswered_count: 2 });
    await game.tamper(`state_since = state_since - interval '46 minutes'`);
    await game.hurry();
    await game.settleDue();
    expect(await game.row()).toMatchObject({ state: 'attention', attention_reason: 'cannot_be_read' });
  });

  test('counts when the period shows it in its sum alone, and what Invo doesn’t report stays open', { tags: 'proof' }, async () => {
    await game.ask(testEnv.people.support);
    await testEnv.spoil('receipt_lost');
    await coarsePeriod();
    await game.settleToRest();
    expect(await game.row()).toMatchObject({
      state: 'landed',
      outcome_source: 'reduced',
      transaction_id: expect.stringMatching(/^RFD_/),
      total_refunded_amount_usd: '5.00',
      receipt: { refunded_amount_usd: null, total_refunded_amount_usd: '5.00', remaining_refundable_usd: '15.00', refunded_at: null },
    });
    expect(await executed()).toBe(1);
    expect(await findViolations(testEnv, game.gameId, { isAtRest: true })).toEqual([]);
  });

  test('is shown as processed at Invo as soon as Invo names its transaction, on its page, in the register, beside its period and in the search', {
    tags: 'proof',
  }, async () => {
    const refundId = await game.ask(testEnv.people.support);
    const shown = async (): Promise<unknown[]> => {
      const filter = { chip: 'all', find: '', personId: testEnv.people.support.id } as const;
      const { rows } = await listRefunds(game.db, game.gameId, filter, { sort: 'refund_id', dir: 'desc', after: null, limit: 10 });
      const [own] = await listRefundsOf(game.db, game.gameId, { periodId: PERIOD_ID });
      const { client_request_id } = (await findRefund(game.db, game.gameId, refundId)) ?? { client_request_id: '' };
      const found = await search({ game, config: testEnv.config }, client_request_id, {
        scope: 'local',
        canSeeEmails: true,
        canReadDesk: true,
      });
      return [
        (await findRefund(game.db, game.gameId, refundId))?.isProcessed,
        (await findOpenRefund(game.db, game.gameId, PERIOD_ID))?.isProcessed ?? null,
        rows[0]?.is_processed,
        own?.isProcessed,
        found.kind === 'found' && found.hits[0]?.kind === 'refund' && found.hits[0].isProcessed,
      ];
    };
    await testEnv.spoil('receipt_lost');
    await coarsePeriod();
    await game.settleDue();
    expect([(await game.row()).state, await shown()], 'Invo confirmed nothing yet').toEqual([
      'unknown',
      [false, false, false, false, false],
    ]);
    await game.hurry();
    await game.settleDue();
    expect([(await game.row()).state, await shown()]).toEqual(['verifying', [true, true, true, true, true]]);
    await game.tamper(`transaction_id = null`);
    expect(await shown(), 'Invo named no transaction').toEqual([false, false, false, false, false]);
    await game.tamper(`transaction_id = 'RFD_1'`);
    await game.settleToRest();
    expect(await shown(), 'complete').toEqual([false, null, false, false, false]);
  });

  test('is not taken from the sum when the sum rose by another amount', { tags: 'proof' }, async () => {
    await game.ask(testEnv.people.support);
    await testEnv.spoil('receipt_lost');
    await coarsePeriod({ 'refunds.refunded_to_date_usd': '6.00' });
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: 'attention', attention_reason: 'period_unclear', receipt: null });
  });

  test('goes to two people when the reading names another subscription', { tags: 'proof' }, async () => {
    await game.ask(testEnv.people.support);
    await testEnv.spoil('receipt_lost');
    await game.settleDue();
    await testEnv.control('POST', 'faults', {
      kind: 'put',
      times: 50,
      match: { route: 'period' },
      puts: { 'period.subscription_id': 'SUB_1_other' },
    });
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: 'attention', attention_reason: 'other_subscription', receipt: null });
    // Such a reading says nothing about this period, however late it is.
    const { refund_id: refundId } = await game.row();
    expect(await rereadPeriod({ game, config: testEnv.config }, testEnv.people.support, refundId)).toEqual({ ok: true });
    const recorded = await recordOutcome(game, testEnv.people.support, refundId, 'landed', 'seen at Invo');
    expect(recorded).toEqual({ ok: false, reason: 'reading_too_old' });
  });

  async function coarsePeriod(puts: Record<string, unknown> = {}): Promise<void> {
    await game.settleDue();
    const fault = {
      kind: 'put',
      times: 50,
      match: { route: 'period' },
      puts: { 'refunds.basis': 'period_row', 'refunds.events': [], ...puts },
    };
    await testEnv.control('POST', 'faults', fault);
  }

  test.each([
    [
      'a conflict that names the sale',
      { kind: 'refuse', status: 409, code: null, facts: { transaction_id: 'TXN_2026100001', order_id: 'O' } },
    ],
    ['a body without amounts', { kind: 'refuse', status: 200, code: null, facts: { transaction_id: 'TXN_1', note: 'already processed' } }],
  ])('also on the very first call: after %s the period is checked, and two people decide', { tags: 'proof' }, async (_, fault) => {
    await game.ask(testEnv.people.support);
    await testEnv.spoil(fault);
    await game.settleDue();
    expect(await game.row()).toMatchObject({ state: 'verifying', receipt: null });
    await game.settleToRest();
    expect(await game.row()).toMatchObject({ state: 'attention', attention_reason: 'not_shown', proposal: null });
  });
});

test('of two codes in one refusal, the deciding one is shown', async () => {
  await game.ask(testEnv.people.support);
  await testEnv.spoil('two_codes');
  await game.settleDue();
  expect(await game.row()).toMatchObject({ state: 'attention', last_error_code: 'REFUND_LOOKUP_FAILED' });
  const { rows } = await game.pool.query('select class, error_code from refund_attempt where game_id = $1', [game.gameId]);
  expect(rows).toEqual([{ class: 'attention', error_code: 'REFUND_LOOKUP_FAILED' }]);
});
