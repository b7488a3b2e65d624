import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findDatabaseNow } from '#db/kit/open.ts';
import {
  openRefundEnvironment,
  PERIOD_ID,
  type RefundEnvironment,
  type RefundGame,
  SECOND_PERIOD_ID,
} from '#e2e/support/refunds/refund-environment.ts';
import { INVO_GAME_ID, SIGNING_SECRET } from '#e2e/support/webhooks/intake-environment.ts';
import { serveIntake } from '#e2e/support/webhooks/serve-intake.ts';
import { findRegister } from '#lib/refunds/reads/refunds-needing-action.ts';
import { readForDeliveries, sweepDeliveries } from './read-for-deliveries.ts';
import { listRefundsElsewhere } from './reads/period-of-event.ts';
import { receiveDelivery } from './receive-delivery.ts';

let env: RefundEnvironment;
let game: RefundGame;
let served: Awaited<ReturnType<typeof serveIntake>>;

beforeAll(async () => {
  env = await openRefundEnvironment();
  served = await serveIntake((request) =>
    receiveDelivery(
      {
        secrets: { current: SIGNING_SECRET },
        db: game.db,
        findGame: async () => ({ gameId: game.gameId, pinnedId: INVO_GAME_ID }),
        now: () => findDatabaseNow(game.db),
        onRefused: () => undefined,
        onStored: () => undefined,
        onError: () => undefined,
      },
      request,
    ),
  );
});
afterAll(async () => {
  await served.close();
  await env.close();
});
beforeEach(async () => {
  game = await env.newGame();
  await env.control('POST', 'webhooks', { url: served.url, secret: SIGNING_SECRET });
});

const SUBSCRIPTION = 'SUB_1767225600_WITN01AL';

async function readAll(): Promise<unknown[]> {
  const made: unknown[] = [];
  for (;;) {
    const read = await readForDeliveries({ game, config: env.config });
    if (read === null) return made;
    made.push([read.kind, 'outcome' in read.result ? read.result.outcome : read.result.error]);
  }
}

async function states(): Promise<string[]> {
  const { rows } = await game.pool.query<{ state: string }>(`select state from delivery where game_id = $1 order by delivery_id`, [
    game.gameId,
  ]);
  return rows.map(({ state }) => state);
}

async function periodsRead(): Promise<string[]> {
  const { rows } = await game.pool.query<{ subject: string }>(`select subject from report_read where game_id = $1 and kind = 'period'`, [
    game.gameId,
  ]);
  return rows.map(({ subject }) => subject);
}

test('a refund whose outcome is unknown is checked as soon as Invo reports it, and the check decides', async () => {
  await env.spoil({ kind: 'reset', when: 'after' });
  await game.ask(env.people.support);
  await game.settleDue();
  const unknown = await game.row();
  expect(unknown.state).toBe('unknown');
  expect(await game.settleDue(), 'the next look is in a while').toBe(0);

  expect(await env.control('POST', 'deliveries/run')).toEqual({ sent: 1 });
  expect(await states()).toEqual(['received']);
  expect(await readAll()).toEqual([['refund', 'refund_look']]);
  expect(await game.row(), 'a webhook sets no state').toMatchObject({ state: 'unknown', attempt_count: 1 });
  expect(await states()).toEqual(['processed']);

  expect(await game.settleDue()).toBeGreaterThan(0);
  expect((await game.row()).state).toBe('landed');
});

test('a webhook of a refund that never reached Invo can’t make it refunded', async () => {
  await env.spoil('500');
  await game.ask(env.people.support);
  await game.settleDue();
  const { client_request_id } = (
    await game.pool.query<{ client_request_id: string }>(`select client_request_id from refund where game_id = $1`, [game.gameId])
  ).rows[0] ?? { client_request_id: '' };
  await env.control('POST', 'deliveries/send', {
    event_type: 'subscription.refunded',
    data: { subscription_id: SUBSCRIPTION, period_seq: 10, client_request_id, amount_usd: '5.00', is_full_refund: false },
  });
  expect(await readAll()).toEqual([['refund', 'refund_look']]);
  expect((await game.row()).state).toBe('unknown');
});

test('a refund made in Invo’s console is shown as such, and a waiting approval finds other figures', { tags: 'proof' }, async () => {
  await game.pool.query(`insert into refund_limit (game_id, name, limit_usd, set_by) values ($1, 'support', 0, 'ada')`, [game.gameId]);
  const refundId = await game.ask(env.people.support, { amountText: '20.00' });
  expect((await game.row()).state).toBe('awaiting_approval');
  await env.control('POST', 'refunds', { period_id: PERIOD_ID, amount_usd: '5.00' });
  await env.control('POST', 'deliveries/run');
  expect(await readAll()).toEqual([['refund', 'refunded_elsewhere']]);
  const { rows } = await game.pool.query(`select kind, subject from report_read where game_id = $1 and kind = 'period'`, [game.gameId]);
  expect(rows).toContainEqual({ kind: 'period', subject: String(PERIOD_ID) });
  expect(await game.approve(env.people.finance, refundId)).toEqual({ ok: false, reason: 'impossible' });
  expect((await game.row()).state).toBe('awaiting_approval');
});

test('an approval that still fits after a refund made elsewhere is shown the new figures first', { tags: 'proof' }, async () => {
  await game.pool.query(`insert into refund_limit (game_id, name, limit_usd, set_by) values ($1, 'support', 0, 'ada')`, [game.gameId]);
  const refundId = await game.ask(env.people.support, { amountText: '5.00' });
  await env.control('POST', 'refunds', { period_id: PERIOD_ID, amount_usd: '5.00' });
  await env.control('POST', 'deliveries/run');
  expect(await readAll()).toEqual([['refund', 'refunded_elsewhere']]);
  expect(await game.approve(env.people.finance, refundId)).toEqual({ ok: false, reason: 'changed' });
  expect((await game.row()).state).toBe('awaiting_approval');
  expect(await game.approve(env.people.finance, refundId)).toEqual({ ok: true });
});

test('a refund made elsewhere is listed with its period, once, and not with another', async () => {
  const refunded = { subscriptionId: SUBSCRIPTION, periodSeq: 10 };
  await env.control('POST', 'refunds', { period_id: PERIOD_ID, amount_usd: '5.00' });
  await env.control('POST', 'deliveries/run');
  expect(await listRefundsElsewhere(game.db, game.gameId, refunded), 'not before it was read').toEqual([]);
  await readAll();
  const [listed, ...others] = await listRefundsElsewhere(game.db, game.gameId, refunded);
  expect([listed?.deliveryId, others]).toEqual([expect.any(Number), []]);
  expect(await listRefundsElsewhere(game.db, game.gameId, { ...refunded, periodSeq: 9 })).toEqual([]);
  expect((await findRegister(game.db, game.gameId, { waitingMax: 1 })).elsewhereCount).toBe(1);
  // Its facts are not used when it came too late to be believed.
  const late = { subscription_id: SUBSCRIPTION, period_seq: 9, client_request_id: 'late', amount_usd: '1.00' };
  await env.control('POST', 'refunds', { period_id: SECOND_PERIOD_ID, amount_usd: '1.00' });
  await env.control('POST', 'deliveries/send', { event_type: 'subscription.refunded', data: late, mangles: ['stale_301'] });
  expect(await readAll()).toEqual([['refund', 'refunded_elsewhere']]);
  expect(await listRefundsElsewhere(game.db, game.gameId, { ...refunded, periodSeq: 9 })).toEqual([]);
});

test('a refund of ours is never listed as made elsewhere', async () => {
  await game.ask(env.people.support);
  await game.settleToRest();
  await env.control('POST', 'deliveries/run');
  expect(await readAll()).toEqual([['refund', 'refund_ended']]);
  expect(await listRefundsElsewhere(game.db, game.gameId, { subscriptionId: SUBSCRIPTION, periodSeq: 10 })).toEqual([]);
});

test('a refund that needs a person isn’t checked automatically: its period is read', { tags: 'proof' }, async () => {
  await env.spoil({ kind: 'reset', when: 'after' });
  await game.ask(env.people.support);
  await game.settleDue();
  await game.tamper(`state = 'attention', attention_reason = 'cannot_be_read', next_look_at = null`);
  await env.control('POST', 'deliveries/run');
  expect(await readAll()).toEqual([['refund', 'refund_with_person']]);
  expect(await periodsRead()).toContain(String(PERIOD_ID));
  expect(await states()).toEqual(['processed']);
  expect((await game.row()).state).toBe('attention');
});

test('a refund whose call is under way is read again in a minute, after the call has an answer', { tags: 'proof' }, async () => {
  await env.spoil({ kind: 'reset', when: 'after' });
  await game.ask(env.people.support);
  await game.settleDue();
  await game.tamper(`state = 'sending', lease_owner = 'other', next_look_at = now() + interval '1 minute'`);
  await env.control('POST', 'deliveries/run');
  expect(await readAll()).toEqual([['refund', 'refund_sending']]);
  expect(await states()).toEqual(['received']);
});

test.each(['not_landed', 'refused', 'rejected', 'withdrawn'])(
  'a refund recorded as %s that Invo reports as made needs a person, and stays as it is recorded',
  { tags: 'proof' },
  async (state) => {
    await env.spoil({ kind: 'reset', when: 'after' });
    await game.ask(env.people.support);
    await game.settleDue();
    await game.tamper(`state = $2, ended_at = now(), unanswered_count = 0, next_look_at = null`, [state]);
    await env.control('POST', 'deliveries/run');
    expect(await readAll()).toEqual([['refund', 'refund_contradicted']]);
    expect(await states()).toEqual(['failing']);
    expect((await game.row()).state).toBe(state);
  },
);

test.each([
  ['without the number of its period', { subscription_id: SUBSCRIPTION }],
  ['of a period that isn’t on the first page', { subscription_id: SUBSCRIPTION, period_seq: 9_999 }],
  ['of a period Invo doesn’t know', { subscription_id: 'SUB_NOBODY', period_seq: 1 }],
  ['of a subscription with a space in its ID', { subscription_id: 'SUB A', period_seq: 1 }],
])('a refund made elsewhere %s is not said to be read', { tags: 'proof' }, async (_, data) => {
  await env.control('POST', 'deliveries/send', {
    event_type: 'subscription.refunded',
    data: { ...data, client_request_id: 'of-another', amount_usd: '5.00' },
  });
  expect(await readAll()).toEqual([['refund', 'elsewhere_unread']]);
  expect(await states()).toEqual(['failing']);
  expect((await findRegister(game.db, game.gameId, { waitingMax: 1 })).elsewhereCount).toBe(1);
});

test('a space in a subscription breaks no reading, and an unexpected error counts as an attempt', { tags: 'proof' }, async () => {
  await env.control('POST', 'deliveries/send', {
    event_type: 'subscription.refunded',
    data: { client_request_id: 'of-another', amount_usd: '5.00' },
  });
  await game.pool.query(
    `insert into delivery_subject (game_id, kind, id_text, delivery_id) select game_id, 'subscription_period', 'SUB A 1', delivery_id from delivery where game_id = $1`,
    [game.gameId],
  );
  expect(await readAll()).toEqual([['refund', 'elsewhere_unread']]);

  await env.control('POST', 'deliveries/send', { event_type: 'subscription.renewed', data: { subscription_id: SUBSCRIPTION } });
  const now = (): never => {
    throw new Error('no clock');
  };
  const read = await readForDeliveries({ game: { ...game, now }, config: env.config });
  expect(read?.result).toEqual({ error: 'unexpected', message: 'no clock' });
  const { rows } = await game.pool.query(
    `select attempt_count, last_error, due_at > now() as is_later from delivery_read where game_id = $1 and kind = 'subscription'`,
    [game.gameId],
  );
  expect(rows).toEqual([{ attempt_count: 1, last_error: 'unexpected', is_later: true }]);
});

test('renewals and cancellations have their subscription read, ten events of one by one reading', async () => {
  for (let seq = 1; seq <= 10; seq += 1)
    await env.control('POST', 'deliveries/send', {
      event_type: 'subscription.renewed',
      data: { subscription_id: SUBSCRIPTION, period_seq: seq },
    });
  expect(await readAll()).toEqual([['subscription', 'read']]);
  expect(new Set(await states())).toEqual(new Set(['processed']));
  await env.control('POST', 'deliveries/send', { event_type: 'subscription.canceled', data: { subscription_id: 'SUB_NOBODY' } });
  expect(await readAll()).toEqual([['subscription', 'not_found']]);
});

test('a reading that fails is made again for a day, then its delivery needs a person, who can ask for it again', {
  tags: ['proof'],
  timeout: 60_000,
}, async () => {
  await env.control('POST', 'faults', [{ kind: '500', times: 1_000, match: { route: 'subscription' } }]);
  await env.control('POST', 'deliveries/send', { event_type: 'subscription.renewed', data: { subscription_id: SUBSCRIPTION } });
  const attempts: number[] = [];
  for (let hour = 0; (await states())[0] === 'received' && hour < 60; hour += 1) {
    attempts.push((await readAll()).length);
    await game.pool.query(
      `update delivery_read set due_at = due_at - interval '1 hour', first_tried_at = first_tried_at - interval '1 hour' where game_id = $1`,
      [game.gameId],
    );
  }
  expect(await states()).toEqual(['failing']);
  expect(attempts.length).toBeGreaterThan(23);
  expect(attempts.reduce((sum, count) => sum + count, 0)).toBeLessThan(20);
  await env.control('DELETE', 'faults');
  const { readDeliveryAgain } = await import('./settle-delivery.ts');
  const { rows } = await game.pool.query<{ delivery_id: number }>(`select delivery_id from delivery where game_id = $1`, [game.gameId]);
  expect(await readDeliveryAgain(game, env.people.support, rows[0]?.delivery_id ?? 0)).toEqual({ ok: true });
  expect(await readAll()).toEqual([['subscription', 'read']]);
  expect(await states()).toEqual(['processed']);
});

test('deliveries of a game of unknown ID become another game’s once its ID turns out to be another', { tags: 'proof' }, async () => {
  await env.control('POST', 'deliveries/send', { event_type: 'subscription.renewed', data: { subscription_id: SUBSCRIPTION } });
  await readAll();
  await sweepDeliveries({ game: { ...game, invoGameId: '99999' }, config: env.config });
  expect(await states()).toEqual(['other_game']);
});

test('deliveries taken for another game’s are followed once the game’s id at Invo is corrected', { tags: 'proof' }, async () => {
  await env.control('POST', 'deliveries/send', { event_type: 'subscription.renewed', data: { subscription_id: SUBSCRIPTION } });
  await sweepDeliveries({ game: { ...game, invoGameId: '99999' }, config: env.config });
  expect(await states()).toEqual(['other_game']);
  expect(await readAll(), 'what only they requested is not read').toEqual([]);
  await sweepDeliveries({ game: { ...game, invoGameId: INVO_GAME_ID }, config: env.config });
  expect(await readAll()).toEqual([['subscription', 'read']]);
  expect(await states()).toEqual(['processed']);
});

test('after 90 days the bytes go, and a replay is still recognized', async () => {
  const sent = await env.control('POST', 'deliveries/send', { event_type: 'purchase.completed', data: { order_id: 'ORD_OLD' } });
  await env.pool.query(`set session_replication_role = replica;
    update delivery set received_at = (received_at at time zone 'UTC' - interval '91 days') at time zone 'UTC' where game_id = ${game.gameId};
    set session_replication_role = origin`);
  await sweepDeliveries({ game, config: env.config });
  await env.control('POST', 'deliveries/replay', { key: sent['key'] });
  const { rows } = await game.pool.query(`select body, (repeat_count + late_count)::int as repeats from delivery d where game_id = $1`, [
    game.gameId,
  ]);
  expect(rows).toEqual([{ body: null, repeats: 1 }]);
});
