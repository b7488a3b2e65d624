import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  eventBody,
  type IntakeEnvironment,
  openIntakeEnvironment,
  PREVIOUS_SECRET,
  SIGNING_SECRET,
} from '#e2e/support/webhooks/intake-environment.ts';
import { serveIntake } from '#e2e/support/webhooks/serve-intake.ts';

let env: IntakeEnvironment;
let served: Awaited<ReturnType<typeof serveIntake>>;
let isAway = false;
let count = 0;

beforeAll(async () => {
  env = await openIntakeEnvironment();
  served = await serveIntake(async (request) => (isAway ? { status: 503, message: 'away' } : await env.receive(request)));
});
afterAll(async () => {
  await served.close();
  await env.close();
});
beforeEach(async () => {
  isAway = false;
  await env.control('POST', 'reset');
  await env.control('POST', 'webhooks', { url: served.url, secret: SIGNING_SECRET });
});

async function send(eventType: string, data: Record<string, unknown>, mangles: string[] = []): Promise<{ key: string; status: number }> {
  const sent = await env.control('POST', 'deliveries/send', { event_type: eventType, data, mangles });
  return { key: String(sent['key']), status: Number(sent['status']) };
}

async function listStates(orderId: string): Promise<unknown[]> {
  const { rows } = await env.pool.query(
    `select json_strip_nulls(json_build_object('state', state, 'key_problem', key_problem,
       'repeats', repeat_count + late_count)) as stored
     from delivery d where delivery_id in (select delivery_id from delivery_subject where id_text = $1) order by delivery_id`,
    [orderId],
  );
  return rows.map(({ stored }) => stored);
}

const RECEIVED = { state: 'received', repeats: 0 };

describe('a delivery in every way the simulated Invo can send it', () => {
  test.each<[string, number | null, unknown[] | null]>([
    ['twice', 200, [{ state: 'received', repeats: 1 }]],
    ['seven_times', 200, [{ state: 'received', repeats: 6 }]],
    ['reverse', 200, [RECEIVED]],
    ['hold', null, []],
    ['lose', 0, []],
    ['bad_signature', 401, []],
    ['other_secret', 401, []],
    ['old_secret_only', 200, [RECEIVED]],
    ['one_v1', 200, [RECEIVED]],
    ['five_v1', 400, []],
    ['stale_301', 400, [{ state: 'stale', repeats: 0 }]],
    ['stale_300', 200, [RECEIVED]],
    ['future_301', 400, [{ state: 'stale', repeats: 0 }]],
    ['first_t', 200, [RECEIVED]],
    ['other_key', 200, [RECEIVED]],
    ['no_key', 200, [{ ...RECEIVED, key_problem: 'missing' }]],
    ['two_keys', 200, [{ ...RECEIVED, key_problem: 'repeated' }]],
    ['same_key_other_body', 200, [RECEIVED]],
    ['other_tenant', 200, [{ state: 'other_game', repeats: 0 }]],
    ['tenant_number', 200, [RECEIVED]],
    ['unknown_type', 200, [{ state: 'unknown_type', repeats: 0 }]],
    ['number_money', 200, [RECEIVED]],
    ['duplicate_json_key', 200, null],
    ['not_json', 200, null],
    ['bom', 200, [RECEIVED]],
    ['gzip', 415, []],
    ['chunked_slow', 200, [RECEIVED]],
    ['256k', 200, [RECEIVED]],
    ['256k_plus_1', 413, []],
    ['event_id_equal', 200, [RECEIVED]],
    ['minimal', 200, [RECEIVED]],
  ])('%s', async (mangle, status, states) => {
    await env.control('POST', 'webhooks/rotate', { secret: PREVIOUS_SECRET });
    const orderId = `ORD_${(count += 1)}`;
    const sent = await env.control('POST', 'deliveries/send', {
      event_type: 'purchase.completed',
      data: { order_id: orderId, transaction_id: `T_${orderId}`, usd_amount: '4.99' },
      mangles: [mangle],
    });
    expect(sent['status']).toBe(status);
    if (states !== null) return expect(await listStates(orderId)).toEqual(states);
    // What is signed and can't be read names nothing, and is stored for a person.
    const { rows } = await env.pool.query(`select state, event_type from delivery order by delivery_id desc limit 1`);
    expect(rows).toEqual([{ state: 'failing', event_type: null }]);
  });
});

test('a second event under the same key, with other facts, is stored beside the first', async () => {
  const { key } = await send('purchase.completed', { order_id: 'ORD_KEY', usd_amount: '4.99' });
  await env.control('POST', 'deliveries/send', {
    event_type: 'purchase.completed',
    key,
    data: { order_id: 'ORD_KEY', usd_amount: '9.99' },
  });
  expect(await listStates('ORD_KEY')).toEqual([RECEIVED, { state: 'conflict', repeats: 0 }]);
});

test('rotation: deliveries carry two values for seven days, and the old secret alone verifies them until the new one is filled in', async () => {
  await env.control('POST', 'webhooks/rotate', { secret: 'whsec-not-filled-in-yet' });
  await send('purchase.completed', { order_id: 'ORD_ROTATED' });
  const { rows } = await env.pool.query(
    `select secret_slot, secret_version, signature_count from delivery order by delivery_id desc limit 1`,
  );
  expect(rows).toEqual([{ secret_slot: 'current', secret_version: '2', signature_count: 2 }]);
  await env.control('POST', 'clock', { now: '2026-11-29T12:00:00Z' });
  expect((await send('purchase.completed', { order_id: 'ORD_LATER' })).status).toBe(401);
});

describe('Invo retries', () => {
  const FIRST = Date.parse('2026-11-21T12:00:00Z');
  const clockAt = (seconds: number): Promise<unknown> =>
    env.control('POST', 'clock', { now: new Date(FIRST + seconds * 1_000).toISOString() });

  test('until Sharebook is back, and the last attempt comes after 31 h 12 min 30 s', async () => {
    isAway = true;
    await send('purchase.completed', { order_id: 'ORD_AWAY' });
    const due = [30, 150, 750, 4_350, 25_950];
    for (const seconds of due) {
      await clockAt(seconds - 1);
      expect(await env.control('POST', 'deliveries/run')).toEqual({ sent: 0 });
      await clockAt(seconds);
      expect(await env.control('POST', 'deliveries/run')).toEqual({ sent: 1 });
    }
    isAway = false;
    await clockAt(112_350);
    expect(await env.control('POST', 'deliveries/run')).toEqual({ sent: 1 });
    expect(await listStates('ORD_AWAY')).toEqual([RECEIVED]);
  });

  test('no more after that: only a replay brings the event, once', async () => {
    isAway = true;
    const { key } = await send('purchase.completed', { order_id: 'ORD_LOST' });
    for (const seconds of [30, 150, 750, 4_350, 25_950, 112_350]) {
      await clockAt(seconds);
      await env.control('POST', 'deliveries/run');
    }
    isAway = false;
    await clockAt(400 * 86_400);
    expect(await env.control('POST', 'deliveries/run')).toEqual({ sent: 0 });
    expect(await listStates('ORD_LOST')).toEqual([]);
    await env.control('POST', 'deliveries/replay', { key });
    await env.control('POST', 'deliveries/replay', { key });
    expect(await listStates('ORD_LOST')).toEqual([{ state: 'received', repeats: 1 }]);
  });
});

describe('an approval on a phone', () => {
  // The process that took a poll of each may have died: it has 20 seconds beside the interval.
  const GRANTS = [
    { transaction: 'TRF_1', interval_s: 5, in_s: 24 },
    { transaction: 'TRF_1', interval_s: 10, in_s: 26 },
    { transaction: 'TRF_2', interval_s: 5, in_s: 22 },
    { transaction: 'TRF_1', interval_s: 5, in_s: 3 },
  ];
  const pollTimes = async (): Promise<number[]> => {
    const { rows } = await env.pool.query<{ seconds: number }>(
      'select extract(epoch from next_poll_at)::float8 as seconds from device_grant order by grant_id',
    );
    return rows.map(({ seconds }) => seconds);
  };
  /** How many seconds sooner each is polled. */
  const soonerBy_s = async (data: Record<string, unknown>, envelope = {}): Promise<number[]> => {
    const rows = GRANTS.map(
      ({ transaction, interval_s, in_s }, index) =>
        `(${env.gameId}, ${index}, '${transaction}', 'transfer', 'waiting', 'x', 'sam', ${interval_s}, clock_timestamp() + interval '${in_s} seconds')`,
    );
    await env.pool.query(`set session_replication_role = replica; delete from device_grant;
      insert into device_grant (game_id, action_id, transaction_id, flow, state, sealed_code, requested_by, interval_s, next_poll_at) values ${rows.join()};
      set session_replication_role = origin`);
    const before = await pollTimes();
    expect((await env.deliver({ body: eventBody('device_approval.approved', data, envelope) })).status).toBe(200);
    return (await pollTimes()).map((time, index) => Math.round((before[index] ?? 0) - time));
  };

  test('has the next poll of its grant come as soon as Invo takes one, and sooner for none', async () => {
    expect(await soonerBy_s({ transaction_id: 'TRF_1' })).toEqual([20, 20, 0, 0]);
    expect(await soonerBy_s({})).toEqual([20, 20, 20, 0]);
    const { rows } = await env.pool.query('select distinct state from device_grant');
    expect(rows).toEqual([{ state: 'waiting' }]);
  });

  test('of another game changes nothing here', async () => {
    expect(await soonerBy_s({ transaction_id: 'TRF_1' }, { tenant_id: '90417' })).toEqual([0, 0, 0, 0]);
  });
});
