import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Db, openDb } from '#db/kit/open.ts';
import { dbOver } from '#e2e/support/db/db-over.ts';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { eventBody, INVO_GAME_ID, type IntakeEnvironment, openIntakeEnvironment } from '#e2e/support/webhooks/intake-environment.ts';
import { seeded } from '#e2e/upstream/seeded.ts';
import type { Intake } from './receive-delivery.ts';
import { claimRead, recordRead, recordReadFailure } from './writes/delivery-reads.ts';

let env: IntakeEnvironment;
beforeAll(async () => {
  env = await openIntakeEnvironment();
});
afterAll(() => env.close());

/** Everything that follows from the deliveries of a game, whatever order they came in. */
async function book(gameId: number): Promise<unknown> {
  const { rows } = await env.pool.query(
    `select encode(meaning_digest, 'hex') as meaning, state, event_type, read_kind, read_subject,
       (select array_agg(kind || ' ' || id_text order by kind, id_text) from delivery_subject s where s.game_id = d.game_id and s.delivery_id = d.delivery_id) as about,
       (select due_at is not null from delivery_read r where r.game_id = d.game_id and r.kind = read_kind and r.subject = read_subject) as is_due
     from delivery d where game_id = $1 order by 1`,
    [gameId],
  );
  return rows;
}

/** A game of its own for one history. */
async function addGame(slug: string): Promise<Partial<Intake>> {
  const { rows } = await env.pool.query<{ game_id: number }>(
    `insert into game (slug, environment, name, time_zone) values ($1, 'production', $1, 'UTC') returning game_id`,
    [slug],
  );
  const gameId = rows[0]?.game_id ?? 0;
  return { findGame: async () => ({ gameId, pinnedId: INVO_GAME_ID }) };
}

async function idOf(intake: Partial<Intake>): Promise<number> {
  return (await intake.findGame?.())?.gameId ?? 0;
}

const TYPES = ['purchase.completed', 'purchase.failed', 'purchase.refunded', 'purchase.disputed', 'purchase.fraud_warning'];

/** Makes one reading that is due, as a worker does that hears from Invo or doesn't. False: none is due. */
async function makeReading(gameId: number, isAnswered: boolean): Promise<boolean> {
  const claimed = await claimRead(env.db, gameId);
  if (claimed === null) return false;
  if (isAnswered) await recordRead(env.db, claimed, 'read');
  // As after a day of attempts: nothing would ask for it again but a delivery.
  else await recordReadFailure(env.db, { ...claimed, triedFor_seconds: 90_000 }, 'timeout');
  return true;
}

test('any order and any number of repeats of 20 events, with readings between them, end in the same state', {
  tags: 'proof',
  timeout: 900_000,
}, async () => {
  const count = proofSize(12, 10_000);
  const next = seeded('orders');
  const events = Array.from({ length: 20 }, (_, index) => ({
    body: eventBody(TYPES[index % 5] ?? '', { order_id: `ORD_${index % 3}`, transaction_id: `T${index}`, dispute_id: `D${index % 2}` }),
    headers: { 'x-service-idempotency-key': index === 7 ? null : `key ${index}` },
    // One of them only ever comes too late.
    skew: index === 11 ? -900 : 0,
  }));
  // Another comes too late at first, and is sent once more in time.
  const late = events.slice(12, 13).map((event) => ({ ...event, skew: -900 }));
  let first: unknown = null;
  const play = async (history: number): Promise<void> => {
    const sent = [...events, ...late, ...Array.from({ length: 4 }, () => events[Math.floor(next() * 20)] ?? events[0])]
      .map((event) => ({ event, at: next(), reads: next() }))
      .toSorted((a, b) => a.at - b.at);
    const intake = await addGame(`history-${history}`);
    const gameId = await idOf(intake);
    for (const { event, reads } of sent) {
      // As Invo would: what could not be stored comes again.
      while ((await env.deliver(event, intake)).status === 503);
      if (reads < 0.3) await makeReading(gameId, reads < 0.2);
    }
    // A person requests again what could not be read for a day.
    const { rows: failing } = await env.pool.query<{ kind: string; subject: string }>(
      `select distinct read_kind as kind, read_subject as subject from delivery where game_id = $1 and state = 'failing'`,
      [gameId],
    );
    for (const { kind, subject } of failing) await env.pool.query('select ask_delivery_read($1, $2, $3)', [gameId, kind, subject]);
    while (await makeReading(gameId, true));
    const end = await book(gameId);
    first ??= end;
    expect(end, `history ${history}`).toEqual(first);
  };
  for (let history = 0; history < count; history += 5)
    await Promise.all(Array.from({ length: Math.min(5, count - history) }, (_, index) => play(history + index)));
  expect((first as { state: string; is_due: boolean }[]).map(({ state, is_due }) => `${state} ${is_due}`).toSorted()).toEqual([
    ...Array.from({ length: 19 }, () => 'processed false'),
    'stale false',
  ]);
  recordFigure('Shuffled webhooks', `${count.toLocaleString('en')} orders of 20 events with repeats and readings: one end`);
});

/** A handle whose n-th statement fails, before it reaches the database or after it was executed. */
function failingDb(pool: pg.Pool, index: number, when: 'before' | 'after'): { db: Db; statements: () => number } {
  let count = 0;
  const connect = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect();
    const query = async (...args: [string, unknown[]]): Promise<unknown> => {
      count += 1;
      const isNow = count === index;
      if (isNow && when === 'before') throw new Error('killed');
      const answer = await client.query(...args);
      if (isNow) throw new Error('killed');
      return answer;
    };
    return { query, release: (isBroken?: boolean) => client.release(isBroken) } as unknown as pg.PoolClient;
  };
  return { db: dbOver({ connect, end: async () => undefined, options: {} }, () => undefined), statements: () => count };
}

describe('nothing that was answered 200 is lost', () => {
  const deliveries = (slug: string) => [
    { body: eventBody('purchase.completed', { order_id: slug }), headers: { 'x-service-idempotency-key': 'k1' } },
    { body: eventBody('purchase.completed', { order_id: slug }), headers: { 'x-service-idempotency-key': 'k1' } },
    { body: eventBody('purchase.completed', { order_id: slug, usd_amount: '9.99' }), headers: { 'x-service-idempotency-key': 'k1' } },
  ];

  test.each(proofSize<('before' | 'after')[]>(['before'], ['before', 'after']))(
    'when the intake dies %s each of its statements, and Invo delivers again',
    async (when) => {
      const { pool } = await env.game();
      for (let index = 1; ; index += 1) {
        const intake = await addGame(`killed-${when}-${index}`);
        const failing = failingDb(pool, index, when);
        for (const delivery of deliveries(`ORD_${when}_${index}`)) {
          let answer = await env.deliver(delivery, { ...intake, db: failing.db });
          for (let retry = 0; answer.status !== 200 && retry < 3; retry += 1) {
            expect(answer).toMatchObject({ status: 503, retryAfter_seconds: 30 });
            answer = await env.deliver(delivery, { ...intake, db: failing.db });
          }
          expect(answer.status).toBe(200);
        }
        const rows = (await book(await idOf(intake))) as { state: string }[];
        expect(rows.map(({ state }) => state).toSorted(), `statement ${index}`).toEqual(['conflict', 'received']);
        if (failing.statements() < index) break;
        expect(index, 'the intake takes few statements').toBeLessThan(40);
      }
    },
  );

  test('while the database is away the sender gets a 503, and the delivery is stored once', async () => {
    const away = openDb('postgres://nobody@127.0.0.1:9/none', { connect_ms: 200 });
    const intake = await addGame('away');
    const [delivery] = deliveries('ORD_AWAY');
    expect(await env.deliver(delivery, { ...intake, db: away.db })).toMatchObject({ status: 503, retryAfter_seconds: 30 });
    expect((await env.deliver(delivery, { ...intake, now: () => Promise.reject(new Error('away')) })).status).toBe(503);
    expect(await book(await idOf(intake))).toEqual([]);
    expect((await env.deliver(delivery, intake)).status).toBe(200);
    expect(await book(await idOf(intake))).toHaveLength(1);
    await away.close();
  });
});

test('senders that send nothing keep no delivery waiting, and one that leaves is not counted as slow', { tags: 'proof' }, async () => {
  const end = Promise.withResolvers<void>();
  async function* silent(): AsyncGenerator<Uint8Array> {
    await end.promise;
    yield Buffer.from('{}');
  }
  const waiting = Array.from({ length: 600 }, () => env.deliver({ body: silent() }));
  expect(await env.deliver({ body: eventBody('purchase.completed', { order_id: 'ORD_BESIDE' }) })).toMatchObject({ status: 200 });
  end.resolve();
  await Promise.all(waiting);

  async function* leaving(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{');
    throw new Error('aborted');
  }
  env.refused.length = 0;
  expect((await env.deliver({ body: leaving() })).status).toBe(400);
  expect(env.refused).toEqual([]);
});
