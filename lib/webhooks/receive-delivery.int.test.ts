// @module-tag no-retry
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { listTablesHolding } from '#e2e/support/test-environment.ts';
import {
  eventBody,
  type IntakeEnvironment,
  openIntakeEnvironment,
  PREVIOUS_SECRET,
  SIGNING_SECRET,
  signatureOf,
  type TestDelivery,
} from '#e2e/support/webhooks/intake-environment.ts';
import { seeded } from '#e2e/upstream/seeded.ts';
import { listDeliveriesAbout } from './reads/deliveries-about.ts';

let env: IntakeEnvironment;
beforeAll(async () => {
  env = await openIntakeEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  await env.pool.query(`set session_replication_role = replica; delete from delivery_subject; delete from delivery_repeat; delete from delivery;
    delete from delivery_read; set session_replication_role = origin`);
  env.refused.length = 0;
});

const ORDER = eventBody('purchase.completed', { order_id: 'ORD_1', usd_amount: '4.99' });
const key = (text: string | null): Pick<TestDelivery, 'headers'> => ({ headers: { 'x-service-idempotency-key': text } });

async function stored(): Promise<Record<string, unknown>[]> {
  const { rows } = await env.pool.query(
    `select delivery_id, idempotency_key, key_problem, event_type, tenant_id, body_problem, state, read_kind, read_subject, secret_slot, signature_count,
       conflict_with is not null as is_conflict, (repeat_count + late_count)::int as repeats
     from delivery order by delivery_id`,
  );
  return rows;
}

describe('each delivery has its answer', () => {
  const big = (bytes: number): string => {
    const empty = eventBody('purchase.completed', { order_id: 'ORD_1', note: '' });
    return eventBody('purchase.completed', { order_id: 'ORD_1', note: 'x'.repeat(bytes - empty.length) });
  };
  test.each<[string, TestDelivery, number, string | null]>([
    ['signed with the current secret', { body: ORDER }, 200, 'received'],
    ['signed with the previous secret', { body: ORDER, secrets: [PREVIOUS_SECRET] }, 200, 'received'],
    ['signed with both', { body: ORDER, secrets: [SIGNING_SECRET, PREVIOUS_SECRET] }, 200, 'received'],
    ['the right value last of four', { body: ORDER, secrets: ['a', 'b', 'c', SIGNING_SECRET] }, 200, 'received'],
    ['five values', { body: ORDER, secrets: ['a', 'b', 'c', 'd', SIGNING_SECRET] }, 400, null],
    ['signed with another secret', { body: ORDER, secrets: ['whsec-other'] }, 401, null],
    ['without a signature', { body: ORDER, headers: { 'x-service-signature': null } }, 400, null],
    ['without a key', { body: ORDER, ...key(null) }, 200, 'received'],
    ['two keys', { body: ORDER, ...key('one, two') }, 200, 'received'],
    ['another game', { body: eventBody('purchase.completed', { order_id: 'ORD_1' }, { tenant_id: '90417' }) }, 200, 'other_game'],
    ['the game as a number', { body: ORDER.replace('"41207"', '41207') }, 200, 'received'],
    ['no game', { body: eventBody('purchase.completed', { order_id: 'ORD_1' }, { tenant_id: null }) }, 200, 'other_game'],
    ['an unknown type', { body: eventBody('wallet.migrated', { order_id: 'ORD_1' }) }, 200, 'unknown_type'],
    ['a type named like a property of every object', { body: eventBody('constructor', {}) }, 200, 'unknown_type'],
    ['an amount as a number', { body: ORDER.replace('"4.99"', '4.99') }, 200, 'received'],
    ['a name that comes twice', { body: ORDER.replace('"order_id"', '"order_id":"ORD_2","order_id"') }, 200, 'failing'],
    ['no JSON', { body: 'order_id=ORD_1' }, 200, 'failing'],
    ['an empty body', { body: '' }, 200, 'failing'],
    ['a list', { body: '[]' }, 200, 'failing'],
    ['nested a thousand deep', { body: `${'['.repeat(1_000)}${']'.repeat(1_000)}` }, 200, 'failing'],
    ['not UTF-8', { body: Buffer.from([0x7b, 0xff, 0x7d]) }, 200, 'failing'],
    ['a byte order mark', { body: `\uFEFF${ORDER}` }, 200, 'received'],
    ['an order without an id', { body: eventBody('purchase.completed', {}) }, 200, 'failing'],
    ['an approval of a device', { body: eventBody('device_approval.approved', {}) }, 200, 'processed'],
    ['256 KiB', { body: big(262_144) }, 200, 'received'],
    ['256 KiB and one byte', { body: big(262_145) }, 413, null],
    ['a length that says more', { body: ORDER, headers: { 'content-length': '262145' } }, 413, null],
    ['gzip', { body: ORDER, headers: { 'content-encoding': 'gzip' } }, 415, null],
    ['another type', { body: ORDER, headers: { 'content-type': 'text/plain' } }, 415, null],
    ['with a character set', { body: ORDER, headers: { 'content-type': 'application/json; charset=utf-8' } }, 200, 'received'],
  ])('%s', async (_, delivery, status, state) => {
    expect((await env.deliver(delivery)).status).toBe(status);
    expect((await stored()).map((row) => row['state'])).toEqual(state === null ? [] : [state]);
    expect(env.refused).toHaveLength(state === null ? 1 : 0);
  });

  test.each([
    [-300, 200],
    [-301, 400],
    [300, 200],
    [301, 400],
  ])('signed %i seconds from its arrival', async (skew, status) => {
    const signedAt = '2026-11-20T10:00:00.999999Z';
    expect((await env.deliver({ body: ORDER, at: signedAt, skew }, { now: async () => signedAt })).status).toBe(status);
    expect(await stored()).toMatchObject([{ state: status === 200 ? 'received' : 'stale', read_subject: 'ORD_1' }]);
  });

  test('without a signing secret nothing is taken, and it may come again', async () => {
    expect(await env.deliver({ body: ORDER }, { secrets: null })).toMatchObject({ status: 503, retryAfter_seconds: 30 });
    expect(await stored()).toEqual([]);
  });

  test('a body that stalls is given up, and nothing is stored', async () => {
    const { readBoundedBody } = await import('./receive-delivery.ts');
    async function* stalling(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{');
      await new Promise(() => undefined);
    }
    expect(await readBoundedBody({ headers: new Headers(), body: stalling() }, 20)).toBe('too_slow');
  });
});

describe('the same delivery again', () => {
  test('under its key is a further receipt', async () => {
    await env.deliver({ body: ORDER, ...key('k1') });
    const again = ORDER.replace('evt_purchase.completed', 'evt_second');
    expect((await env.deliver({ body: again, ...key('k1') })).status).toBe(200);
    expect(await stored()).toMatchObject([{ idempotency_key: 'k1', repeats: 1 }]);
  });

  test('under another key does nothing again', async () => {
    await env.deliver({ body: ORDER, ...key('k1') });
    await env.deliver({ body: ORDER, ...key('k2') });
    expect(await stored()).toMatchObject([{ idempotency_key: 'k1', repeats: 1 }]);
  });

  test('with a key, after one without, adds that key', async () => {
    await env.deliver({ body: ORDER, ...key(null) });
    await env.deliver({ body: ORDER, ...key('k1') });
    expect(await stored()).toMatchObject([{ idempotency_key: 'k1', key_problem: null, repeats: 1 }]);
  });

  test('with other facts is stored as a conflict, whichever key came with the first', async () => {
    const other = ORDER.replace('4.99', '9.99');
    await env.deliver({ body: ORDER, ...key('k1') });
    await env.deliver({ body: ORDER, ...key('k2') });
    await env.deliver({ body: other, ...key('k2') });
    await env.deliver({ body: other, ...key('k2') });
    expect(await stored()).toMatchObject([
      { state: 'received', repeats: 1 },
      { state: 'conflict', is_conflict: true, read_subject: 'ORD_1', repeats: 1 },
    ]);
  });

  test('within five minutes vouches for one that came too late', async () => {
    await env.deliver({ body: ORDER, skew: -400 });
    expect(await stored()).toMatchObject([{ state: 'stale', read_kind: 'order', read_subject: 'ORD_1' }]);
    await env.deliver({ body: ORDER });
    await env.deliver({ body: ORDER, skew: -400 });
    expect(await stored()).toMatchObject([{ state: 'received', repeats: 2 }]);
  });

  test('with other facts makes neither usable on the page of the order, until a person has settled it', async () => {
    const listed = async (): Promise<string[]> =>
      (await listDeliveriesAbout(env.db, env.gameId, [{ kind: 'order', idText: 'ORD_1' }])).map(({ state }) => state);
    await env.deliver({ body: ORDER, ...key('one') });
    expect(await listed()).toEqual(['received']);
    await env.deliver({ body: ORDER.replace('4.99', '9.99'), ...key('one') });
    expect(await listed()).toEqual(['conflict', 'conflict']);
    await env.pool.query(`set session_replication_role = replica; update delivery set settled_at = now(), settled_by = 'someone',
      settled_reason = 'checked' where state = 'conflict'; set session_replication_role = origin`);
    expect(await listed()).toEqual(['conflict', 'received']);
  });

  test('fifty times at once, under one key and two meanings, is two deliveries and one conflict', { tags: 'proof' }, async () => {
    const bodies = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? ORDER : ORDER.replace('4.99', '9.99')));
    const answers = await Promise.all(bodies.map((body) => env.deliver({ body, ...key('k1') })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const rows = await stored();
    expect(rows.map((row) => row['is_conflict'])).toEqual([false, true]);
    expect(rows.reduce((sum, row) => sum + Number(row['repeats']), 0)).toBe(48);
  });
});

test('one transfer at two games of ours is a fact of each, and a key of one says nothing of the other', async () => {
  const { rows } = await env.pool.query<{ game_id: number }>(
    `insert into game (slug, environment, name, time_zone) values ('emberfall', 'production', 'Emberfall', 'UTC') returning game_id`,
  );
  const gameId = rows[0]?.game_id ?? 0;
  const other = { findGame: async () => ({ gameId, pinnedId: '41300' }) };
  const sent = eventBody('transfer.claim_pending', { transaction_id: 'TRF_1', direction: 'outbound' });
  const received = eventBody('transfer.claim_pending', { transaction_id: 'TRF_1', direction: 'inbound' }, { tenant_id: '41300' });
  await env.deliver({ body: sent, ...key('k1') });
  await env.deliver({ body: received, ...key('k1') }, other);
  await env.deliver({ body: received, ...key('k1') }, other);
  const { rows: facts } = await env.pool.query(
    `select game_id, state, read_subject, (repeat_count + late_count)::int as repeats
     from delivery d order by delivery_id`,
  );
  expect(facts).toEqual([
    { game_id: env.gameId, state: 'received', read_subject: 'TRF_1', repeats: 0 },
    { game_id: gameId, state: 'received', read_subject: 'TRF_1', repeats: 1 },
  ]);
});

test('the answer waits for no call to Invo, whatever the delivery opens', async () => {
  await env.forgetCalls();
  for (const type of ['purchase.completed', 'subscription.refunded', 'transfer.received', 'device_approval.approved', 'wallet.migrated'])
    await env.deliver({ body: eventBody(type, { order_id: 'O', transaction_id: 'T', subscription_id: 'S', client_request_id: type }) });
  expect(await stored()).toHaveLength(5);
  expect(await env.calls()).toEqual([]);
});

test('the ID of the envelope and the one of the header decide nothing, equal or not', async () => {
  const ids = (envelope: string, header: string) => ({
    body: eventBody('purchase.completed', { order_id: 'ORD_1' }, { event_id: envelope }),
    headers: { 'x-service-idempotency-key': 'k1', 'x-service-event-id': header },
  });
  for (const [envelope, header] of [
    ['evt_a', 'evt_a'],
    ['evt_b', 'evt_c'],
    ['evt_a', 'evt_b'],
  ] as const)
    expect((await env.deliver(ids(envelope, header))).status).toBe(200);
  expect(await stored()).toMatchObject([{ state: 'received', repeats: 2 }]);
});

test('a signed fact of one digit more is another fact', async () => {
  await env.deliver({ body: ORDER.replace('"4.99"', '9007199254740993'), ...key('k1') });
  await env.deliver({ body: ORDER.replace('"4.99"', '9007199254740992'), ...key('k1') });
  expect(await stored()).toMatchObject([{ state: 'received' }, { state: 'conflict' }]);
});

test('a code that an event carries is nowhere in the database, and the event is followed all the same', async () => {
  const data = { transaction_id: 'TRF_1', claim: { claim_code: 'CANARY-K7QX' }, player_email: 'canary@players.example' };
  expect((await env.deliver({ body: eventBody('transfer.claim_pending', data) })).status).toBe(200);
  expect(await stored()).toMatchObject([{ state: 'received', read_kind: 'transfer', read_subject: 'TRF_1' }]);
  expect(await listTablesHolding(env.pool, /canary/i)).toEqual([]);
  expect((await env.pool.query('select body from delivery')).rows).toEqual([{ body: null }]);
});

test('forged and altered deliveries are never accepted', { tags: 'proof', timeout: 600_000 }, async () => {
  const count = proofSize(1_000, 200_000);
  const next = seeded('forged');
  const { rows } = await env.pool.query<{ now: number }>(`select floor(extract(epoch from now()))::int as now`);
  const signedAt = rows[0]?.now ?? 0;
  const good = Buffer.from(ORDER);
  const header = signatureOf(good, signedAt, [SIGNING_SECRET, PREVIOUS_SECRET]);
  const answers = new Map<number, number>();
  for (let index = 0; index < count; index += 1) {
    const { body, signature } = forge(next, { body: good, header, signedAt });
    const { status } = await env.deliver({ body, headers: { 'x-service-signature': signature } });
    answers.set(status, (answers.get(status) ?? 0) + 1);
  }
  expect([...answers.keys()].toSorted()).toEqual([400, 401]);
  expect(answers.get(401)).toBeGreaterThan(count / 2);
  expect(await stored()).toEqual([]);
  expect((await env.deliver({ body: good, headers: { 'x-service-signature': header } })).status).toBe(200);
  recordFigure('Forged and altered deliveries', `${count.toLocaleString('en')}: 0 accepted`);
});

interface Signed {
  body: Buffer;
  header: string;
  signedAt: number;
}

/** One change to a delivery that Invo signed, or a signature by a secret that isn't ours. */
function forge(next: () => number, { body, header, signedAt }: Signed): { body: Buffer; signature: string } {
  const randomIndex = (length: number): number => Math.floor(next() * length);
  const altered = Buffer.from(body);
  switch (randomIndex(7)) {
    case 0: // one bit of the body
      {
        const index = randomIndex(body.length);
        altered[index] = (altered[index] ?? 0) ^ (1 << randomIndex(8));
        return { body: altered, signature: header };
      }
    case 1: // a byte less
      return { body: Buffer.concat([body.subarray(0, randomIndex(body.length))]), signature: header };
    case 2: // a byte more
      return { body: Buffer.concat([body, Buffer.from([randomIndex(256)])]), signature: header };
    case 3: // another time
      return { body, signature: header.replace(/t=\d+/, `t=${signedAt - 1 - randomIndex(299)}`) };
    case 4: {
      // another digit in each value
      const flip = (hex: string): string => {
        const index = randomIndex(64);
        return (
          hex.slice(0, index) + ((Number.parseInt(hex[index] ?? '0', 16) + 1 + randomIndex(15)) % 16).toString(16) + hex.slice(index + 1)
        );
      };
      return { body, signature: header.replaceAll(/[0-9a-f]{64}/g, flip) };
    }
    case 5: // a header cut short
      return { body, signature: header.slice(0, randomIndex(header.indexOf(',v1=', 20))) };
    default:
      return { body, signature: signatureOf(body, signedAt, [createHash('sha256').update(String(next())).digest('hex')]) };
  }
}
