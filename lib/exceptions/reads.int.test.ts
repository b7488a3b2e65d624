import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedGame } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { withTampering } from '#e2e/support/tampered-view.ts';
import { findChainState, listExceptions } from './reads.ts';

const ADA = 'ada@studio.example';
const BO = 'bo@studio.example';
const OCTOBER = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };

let testDb: TestDb;
let gameId: number;
let otherId: number;
beforeAll(async () => {
  testDb = await createTestDb();
  gameId = await seedGame(testDb.db);
  otherId = await seedGame(testDb.db, 'other');
});
afterAll(() => testDb.close());

async function record(time: string, act: string, { actor = ADA, subject = '', game = gameId as number | null } = {}): Promise<void> {
  await testDb.pool.query(`insert into audit (at, actor, act, subject, game_id) values ($1, $2, $3, $4, $5)`, [
    time,
    actor,
    act,
    subject,
    game,
  ]);
}

async function listed(chip = 'all', window: typeof OCTOBER | null = null): Promise<string[]> {
  const page = { sort: 'at', dir: 'asc' as const, after: null, limit: 100 };
  const { rows } = await listExceptions(testDb.db, { gameId, window }, { page, find: '', chip });
  return rows.map(({ kind, act, actor, subject }) => [kind, act, actor === ADA ? '' : 'Bo', subject].filter(Boolean).join(', '));
}

test('exceptions are the acts of one game or of none, by kind and by period, and notes on checks can be left out', async () => {
  await record('2026-09-30T23:59:59Z', 'voided payout run', { subject: 'run 1' });
  await record('2026-10-01T00:00:00Z', 'noted a check of payout run', { subject: 'run 2' });
  await record('2026-10-02T00:00:00Z', 'voided payout run', { subject: 'run of another game', game: otherId });
  await record('2026-10-03T00:00:00Z', 'changed roles', { game: null });
  await record('2026-10-04T00:00:00Z', 'was refused something', { actor: BO });
  await record('2026-10-05T00:00:00Z', 'took a file', { subject: 'demo-lines.incomplete.csv' });
  await record('2026-10-05T00:00:00Z', 'took a file', { subject: 'demo-lines.csv' });
  await record('2026-10-31T23:59:59Z', 'placed a hold', { subject: '7' });
  await record('2026-11-01T00:00:00Z', 'placed a hold', { subject: '8' });
  const others = [
    'people, changed roles',
    'refusals, was refused something, Bo',
    'evidence, took a file, demo-lines.incomplete.csv',
    'runs, placed a hold, 7',
  ];
  expect(await listed('all', OCTOBER)).toEqual(['notes, noted a check of payout run, run 2', ...others]);
  expect(await listed('unusual', OCTOBER)).toEqual(others);
  expect(await listed('runs')).toEqual(['runs, voided payout run, run 1', 'runs, placed a hold, 7', 'runs, placed a hold, 8']);
  expect(await listed('evidence')).toEqual([others[2]]);
  expect(await listed('refusals')).toEqual([others[1]]);
});

test('the third failed sign-in of an account within 15 minutes is an exception, and earlier or slower ones are not', async () => {
  const failed = async (actor: string, ...times: string[]): Promise<void> => {
    for (const time of times) await record(`2027-01-01T${time}Z`, 'failed to sign in', { actor, subject: time, game: null });
  };
  await failed(ADA, '10:00:00', '10:07:00');
  await failed(BO, '10:08:00');
  await failed(ADA, '10:14:59', '10:22:00');
  await record('2027-01-01T10:23:00Z', 'gave a wrong code', { subject: 'another way', game: null });
  const window = { start: '2027-01-01T00:00:00Z', end: '2027-01-02T00:00:00Z' };
  expect(await listed('people', window)).toEqual(['people, failed to sign in, 10:14:59', 'people, gave a wrong code, another way']);
});

test('an account that is guessed slowly for months is looked up by its last minutes, not from its first guess', async () => {
  const guesses = 10_000;
  const pagesRead = await withTampering(
    testDb.pool,
    async (client) => {
      await client.query(
        `insert into audit (at, actor, act, subject) select timestamptz '2027-03-01' + n * interval '20 minutes', $1, 'failed to sign in', ''
         from generate_series(1, $2::int) n`,
        [BO, guesses],
      );
      await client.query('analyze audit');
    },
    async (view) => {
      // Of this transaction alone: the pages of the table’s indexes.
      const count = async (): Promise<number> => {
        const { rows } = await sql<{ count: number }>`select sum(pg_stat_get_xact_blocks_fetched(indexrelid))::int as count from pg_index
          where indrelid = 'audit'::regclass`.execute(view);
        return rows[0]?.count ?? 0;
      };
      const before = await count();
      const page = { sort: 'at', dir: 'asc' as const, after: null, limit: 100 };
      const { rows } = await listExceptions(view, { gameId, window: null }, { page, find: 'bo@', chip: 'people' });
      expect(rows).toEqual([]);
      return (await count()) - before;
    },
  );
  expect(pagesRead / guesses).toBeLessThan(8);
});

test('the last `verify` is the newest that covers the game', async () => {
  expect((await findChainState(testDb.db, gameId)).verification).toBeNull();
  const verified = async (game: number | null, violations: number): Promise<unknown> =>
    testDb.pool.query(
      `insert into verification (game_id, ended_at, snapshot_count, audit_count, violation_count, has_heads)
       values ($1, '2026-11-20T10:00:00Z', 14, 900, $2, true)`,
      [game, violations],
    );
  await verified(null, 0);
  await verified(otherId, 3);
  const found = { endedAt: '2026-11-20T10:00:00Z', snapshotCount: 14, auditCount: 900, violationCount: 0, hasHeads: true };
  expect((await findChainState(testDb.db, gameId)).verification).toEqual(found);
  await verified(gameId, 1);
  expect((await findChainState(testDb.db, gameId)).verification).toEqual({ ...found, violationCount: 1 });
});
