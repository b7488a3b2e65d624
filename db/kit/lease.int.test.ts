import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { type Leased, LeaseLost, leaseTable, type Running } from './lease.ts';
import { inTransaction } from './open.ts';

interface Lease extends Leased {
  jobId: number;
}

interface Row {
  step_id: number;
  state: string;
  attempt_count: number;
}

const STEPS = leaseTable<Lease, { note: string }>('step', {
  queue: 'details',
  idOf: ({ jobId }) => jobId,
  columnsOf: ({ note }) => ({ note }),
  idle: { waits: null },
  isStopped: (row) => row['stopped'] === true,
});
/** A beat comes each second. */
const PATIENT = { timeout: 20_000 };
const BY_ID = sql`waiting.step_id`;

let testDb: TestDb;

beforeAll(async () => {
  testDb = await createTestDb();
  await testDb.pool.query(`create table step (game_id int, step_id int, state text default 'queued', lease_owner text, lease_until timestamptz,
    attempt_count int default 0, ended_at timestamptz, note text, waits int, stopped bool, primary key (game_id, step_id))`);
});
afterAll(() => testDb.close());

async function queue(gameId: number, ...ids: number[]): Promise<void> {
  await testDb.pool.query('delete from step where game_id = $1', [gameId]);
  for (const id of ids) await testDb.pool.query('insert into step (game_id, step_id) values ($1, $2)', [gameId, id]);
}

async function claim(gameId: number, owner: string, takesOwn = false): Promise<Lease | null> {
  const row = await STEPS.claim<Row>(testDb.db, { owner, gameId, order: BY_ID, takesOwn });
  return row === null ? null : { gameId, jobId: row.step_id, owner };
}

async function stateOf({ gameId, jobId }: Lease): Promise<Record<string, unknown>> {
  const { rows } = await testDb.pool.query(
    'select state, lease_owner, note, ended_at is not null as is_ended from step where game_id = $1 and step_id = $2',
    [gameId, jobId],
  );
  return rows[0] as Record<string, unknown>;
}

async function expire({ gameId, jobId }: Lease): Promise<void> {
  await testDb.pool.query(`update step set lease_until = clock_now() - interval '1 second' where game_id = $1 and step_id = $2`, [
    gameId,
    jobId,
  ]);
}

async function taken(gameId: number, owner: string): Promise<Lease> {
  const lease = await claim(gameId, owner);
  if (lease === null) throw new Error('nothing was claimed');
  return lease;
}

test('twenty processes that claim at once get one job each, of their game alone', async () => {
  await queue(1, ...Array.from({ length: 5 }, (_, index) => index + 1));
  await queue(2, 9);
  const claims = await Promise.all(Array.from({ length: 20 }, (_, index) => claim(1, `process ${index}`)));
  expect(claims.flatMap((lease) => (lease === null ? [] : [lease.jobId])).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
});

test('a claim takes one job, however PostgreSQL runs its statement', async () => {
  await queue(1, 1, 2, 3);
  await inTransaction(testDb.db, async (tx) => {
    for (const way of ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material'])
      await sql`set local ${sql.ref(`enable_${way}`)} = off`.execute(tx);
    await STEPS.claim<Row>(tx, { owner: 'one', gameId: 1, order: BY_ID });
  });
  const { rows } = await testDb.pool.query(`select step_id from step where game_id = 1 and state = 'running'`);
  expect(rows).toEqual([{ step_id: 1 }]);
});

test('a job whose process fell silent is claimed by another, and the silent one may write no more', async () => {
  await queue(1, 1);
  const first = await taken(1, 'one');
  expect(await claim(1, 'two')).toBeNull();
  await expire(first);
  const second = await taken(1, 'two');
  await expect(STEPS.renew(testDb.db, first)).rejects.toThrow(LeaseLost);
  await expect(STEPS.update(testDb.db, first, { note: 'late' })).rejects.toThrow('step 1 is no longer ours');
  await expect(STEPS.end(testDb.db, first, 'done')).rejects.toThrow(LeaseLost);
  await expect(STEPS.hold(testDb.db, first)).rejects.toThrow(LeaseLost);
  await STEPS.release(testDb.db, first);
  expect(await stateOf(second)).toEqual({ state: 'running', lease_owner: 'two', note: null, is_ended: false });
});

test('a lease that is renewed in time isn’t taken over', async () => {
  await queue(1, 1);
  const lease = await taken(1, 'one');
  await expire(lease);
  await STEPS.renew(testDb.db, lease, { note: 'half' });
  expect(await claim(1, 'two')).toBeNull();
  expect(await stateOf(lease)).toMatchObject({ state: 'running', note: 'half' });
});

test('a process takes its own running job again only where it works on one at a time', async () => {
  await queue(1, 1);
  await taken(1, 'one');
  expect(await claim(1, 'one')).toBeNull();
  expect(await claim(1, 'one', true)).toMatchObject({ jobId: 1 });
});

test('a job that was given back is claimed again, and one that ended never', async () => {
  await queue(1, 1);
  const first = await taken(1, 'one');
  await STEPS.release(testDb.db, first, { note: 'later' });
  expect(await stateOf(first)).toEqual({ state: 'queued', lease_owner: null, note: 'later', is_ended: false });
  const second = await taken(1, 'two');
  await STEPS.end(testDb.db, second, 'failed', { note: 'broken' });
  expect(await stateOf(second)).toEqual({ state: 'failed', lease_owner: null, note: 'broken', is_ended: true });
  expect(await claim(1, 'three')).toBeNull();
});

test('a claim takes the first of those that its condition lets through, and sets columns with it', async () => {
  await queue(1, 1, 2, 3);
  await queue(2, 200);
  const row = await STEPS.claim<Row & { note: string }>(testDb.db, {
    owner: 'one',
    gameId: 1,
    order: sql`waiting.step_id desc`,
    where: sql<boolean>`waiting.step_id < ${3} or waiting.step_id > ${100}`,
    set: { note: 'set' },
  });
  expect(row).toMatchObject({ step_id: 2, state: 'running', attempt_count: 1, note: 'set' });
  const { rows } = await testDb.pool.query(`select step_id from step where game_id = 1 and state = 'running'`);
  expect(rows).toEqual([{ step_id: 2 }]);
});

/** Work that waits for a call: the signal cuts it, with an error of its own. */
const untilAborted = ({ signal }: Running): Promise<never> =>
  new Promise((_, reject) => {
    const cut = (): void => reject(new Error('a call was cut'));
    if (signal.aborted) cut();
    signal.addEventListener('abort', cut);
  });

describe('work on a job', () => {
  test('has its progress stored and its lease renewed while it lasts, and its result returned', async () => {
    await queue(1, 1);
    const lease = await taken(1, 'one');
    const progress = { note: 'planning' };
    await expire(lease);
    const ended = await STEPS.run(testDb.db, lease, { progress }, async () => {
      expect(await stateOf(lease)).toMatchObject({ state: 'running', note: 'planning' });
      expect(await claim(1, 'two')).toBeNull();
      await expire(lease);
      progress.note = 'half';
      await expect.poll(() => stateOf(lease), PATIENT).toMatchObject({ note: 'half' });
      expect(await claim(1, 'two')).toBeNull();
      await STEPS.end(testDb.db, lease, 'done');
      return 'its result';
    });
    expect(ended).toBe('its result');
  });

  test('ends as lost when another process takes the job over, whatever error a cut call throws', async () => {
    await queue(1, 1);
    const lease = await taken(1, 'one');
    let isLeft = false;
    const ended = STEPS.run(testDb.db, lease, { progress: { note: 'mine' } }, async (running) => {
      // A beat may renew the lease in between.
      await expect.poll(async () => (await expire(lease), await claim(1, 'two')), PATIENT).not.toBeNull();
      const cut = await untilAborted(running).catch((error: unknown) => error);
      isLeft = running.isLeft();
      throw cut;
    });
    expect([await ended, isLeft]).toEqual([{ ended: 'lost' }, true]);
    expect(await stateOf(lease)).toMatchObject({ state: 'running', lease_owner: 'two' });
  });

  test('releases the job when its process stops, and leaves it alone after any other error', async () => {
    await queue(1, 1);
    const lease = await taken(1, 'one');
    await expect(
      STEPS.run(testDb.db, lease, { progress: { note: 'mine' } }, async () => {
        throw new Error('a bug');
      }),
    ).rejects.toThrow('a bug');
    expect(await stateOf(lease)).toMatchObject({ state: 'running', lease_owner: 'one' });
    const stopper = new AbortController();
    const ended = STEPS.run(testDb.db, lease, { progress: { note: 'mine' }, signal: stopper.signal }, (running) => {
      const cut = untilAborted(running);
      stopper.abort();
      return cut;
    });
    expect(await ended).toEqual({ ended: 'released' });
    expect(await stateOf(lease)).toMatchObject({ state: 'queued', lease_owner: null });
  });

  test('learns that a person stopped the job, and ends it itself', async () => {
    await queue(1, 1);
    const lease = await taken(1, 'one');
    const ended = await STEPS.run(testDb.db, lease, { progress: { note: 'mine' } }, async (running) => {
      await testDb.pool.query('update step set stopped = true where game_id = 1');
      await expect(untilAborted(running)).rejects.toThrow('a call was cut');
      return { isStopped: running.isStopped(), isLeft: running.isLeft() };
    });
    expect(ended).toEqual({ isStopped: true, isLeft: false });
  });

  test('continues while a beat fails for another reason than a lost lease', async () => {
    await queue(1, 1);
    const lease = await taken(1, 'one');
    const progress = { note: 'a text the database refuses: \0' };
    const ended = await STEPS.run(testDb.db, lease, { progress }, async ({ signal }) => {
      expect(await stateOf(lease)).toMatchObject({ note: null });
      progress.note = 'again';
      await expect.poll(() => stateOf(lease), PATIENT).toMatchObject({ note: 'again' });
      return signal.aborted;
    });
    expect(ended).toBe(false);
  });
});

test('a claim, a release and an end leave nothing of what the job waited for', async () => {
  await queue(1, 1);
  const waits = async (): Promise<unknown> => (await testDb.pool.query('select waits from step where game_id = 1')).rows[0];
  const wait = (lease: Lease): Promise<void> => STEPS.update(testDb.db, lease, { waits: 5 });
  const first = await taken(1, 'one');
  await wait(first);
  await expire(first);
  const second = await taken(1, 'two');
  expect(await waits()).toEqual({ waits: null });
  await wait(second);
  await STEPS.release(testDb.db, second, { note: 'later' });
  expect(await waits()).toEqual({ waits: null });
  const third = await taken(1, 'three');
  await wait(third);
  await STEPS.end(testDb.db, third, 'done');
  expect(await waits()).toEqual({ waits: null });
});
