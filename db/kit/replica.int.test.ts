// @module-tag proof
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ensureDatabase } from '#db/kit/administer.ts';
import { type OpenWithPool, openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb } from '#e2e/support/db/test-db.ts';
import { type Replica, startReplica } from '#e2e/support/start/postgres-pair.ts';
import type { GameRef } from '#lib/core/game.ts';
import { exportSheet } from '#lib/evidence/export-sheet.ts';
import { findRendition, findTablePart } from '#lib/evidence/reads/renditions.ts';
import { renderDue } from '#lib/evidence/render-snapshot.ts';
import { RENDITION_VERSION } from '#lib/evidence/rules/sheets.ts';
import { insertRendition } from '#lib/evidence/writes/renditions.ts';
import { type EmbeddedPostgres, removeAbandonedPostgres, startPostgres } from '#lib/start/postgres/embedded-postgres.ts';
import { migrateDatabase } from './migrate.ts';
import { type CompleteReads, type CompleteReadsOptions, openCompleteReads } from './replica.ts';

const AUGUST = { start: '2026-08-01T00:00:00Z', end: '2026-09-01T00:00:00Z' };
const OCTOBER = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const NOVEMBER = { start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z' };
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-primary-'));
const sent = { primary: 0, replica: 0 };
const forgetSent = () => void Object.assign(sent, { primary: 0, replica: 0 });
const count = (server: keyof typeof sent) => ({ started: () => void (sent[server] += 1), ended: () => undefined });
let server: EmbeddedPostgres;
let replica: Replica;
let primary: OpenWithPool;
let standby: OpenWithPool;
let game: GameRef;
let october: number;
const opened: CompleteReads[] = [];
const clock = { time_ms: 0 };

beforeAll(async () => {
  fs.chmodSync(folder, 0o711);
  server = await startPostgres({ folder, flags: ['fsync=off', 'wal_keep_size=256MB'] });
  await ensureDatabase(server.url, 'sharebook');
  const url = server.databaseUrl('sharebook');
  await migrateDatabase(url);
  primary = openWithPool(url, { record: count('primary') });
  game = { gameId: await seedGame(primary.db), slug: 'starfall', environment: 'production', timeZone: 'UTC' };
  october = await storeMonth(OCTOBER);
  replica = await startReplica(server);
  standby = openWithPool(replica.databaseUrl('sharebook'));
});
beforeEach(async () => {
  await standby.pool.query('select pg_wal_replay_resume()');
  await caughtUp();
});
afterAll(async () => {
  await Promise.all(opened.map((reads) => reads.close()));
  await standby.close();
  await replica.remove();
  await primary.close();
  await server.stop();
  await removeAbandonedPostgres(folder);
});

/** A complete month with one recipient, stored and rendered as the product does; returns its snapshot. */
async function storeMonth(window: { start: string; end: string }): Promise<number> {
  const recipients = [{ recipient_player_id: 500001, player_name: 'Aurora', gross_attributed_usd: '9.00', net_attributed_usd: '9.00' }];
  const { snapshotId } = await seedSnapshot(primary.db, game.gameId, { ...window, recipients });
  await renderDue({ ...game, name: 'Starfall', invoGameId: null, db: primary.db });
  return snapshotId;
}

async function caughtUp(): Promise<void> {
  const { rows } = await sql<{ lsn: string }>`select pg_current_wal_lsn()::text as lsn`.execute(primary.db);
  await expect
    .poll(async () => (await standby.pool.query(`select pg_last_wal_replay_lsn() >= $1 as has_all`, [rows[0]?.lsn])).rows[0])
    .toEqual({ has_all: true });
}

/** Reads over the replica, checked once and with nothing counted yet. The clock is stopped unless a test moves it. */
async function openReads({ limits, ...changed }: Partial<CompleteReadsOptions> = {}): Promise<CompleteReads> {
  const reads = openCompleteReads({
    primary: primary.db,
    url: replica.databaseUrl('sharebook'),
    record: count('replica'),
    clock: () => clock.time_ms,
    // A busy machine answers and replays later than servers of their own.
    limits: { connect_ms: 30_000, read_ms: 30_000, catch_up_ms: 1_000, ...limits },
    ...changed,
  });
  opened.push(reads);
  await reads.check();
  forgetSent();
  return reads;
}

const readTable = (reads: CompleteReads, snapshotId: number): Promise<{ body: Buffer } | null> =>
  reads.read((db) => findTablePart(db, { gameId: game.gameId, snapshotId, sheet: 'recipients' }, 'table', RENDITION_VERSION));

test('a stored answer of a complete month is read from the replica alone', async () => {
  const reads = await openReads();
  const found = await readTable(reads, october);
  expect(gunzipSync(found?.body ?? '').toString()).toContain('500001');
  expect(sent).toEqual({ primary: 0, replica: 1 });
});

test('without DATABASE_READ_URL every read runs on the primary', async () => {
  const reads = await openReads({ url: null });
  expect(await reads.check()).toBeNull();
  expect(await readTable(reads, october)).not.toBeNull();
  expect(sent).toEqual({ primary: 1, replica: 0 });
});

test('an idle primary isn’t shown as lag', async () => {
  const reads = await openReads();
  expect(await reads.check()).toEqual({ problem: null, lag_seconds: 0 });
});

test('a month stored after replay stopped is read from the primary, the lag is shown, and beyond the limit the replica is left alone', async () => {
  await storeMonth(AUGUST);
  await caughtUp();
  const reads = await openReads({ limits: { lag_seconds: 0 } });
  await standby.pool.query('select pg_wal_replay_pause()');
  const november = await storeMonth(NOVEMBER);
  expect(await standby.db.selectFrom('snapshot').select('snapshot_id').where('snapshot_id', '=', november).execute()).toEqual([]);
  forgetSent();
  expect(await readTable(reads, november)).not.toBeNull();
  expect(sent).toEqual({ primary: 1, replica: 1 });

  const status = await reads.check();
  expect(status?.problem).toBe('lagging');
  expect(status?.lag_seconds).toBeGreaterThan(0);
  forgetSent();
  expect(await readTable(reads, october)).not.toBeNull();
  expect(sent).toEqual({ primary: 1, replica: 0 });

  await standby.pool.query('select pg_wal_replay_resume()');
  await caughtUp();
  expect(await reads.check()).toEqual({ problem: null, lag_seconds: 0 });
  forgetSent();
  expect(await readTable(reads, november)).not.toBeNull();
  expect(sent).toEqual({ primary: 0, replica: 1 });
});

test('a replica that couldn’t be used is checked again after the pause, and no read waits for it', async () => {
  const reads = await openReads({ limits: { lag_seconds: 0, pause_ms: 10_000 } });
  await standby.pool.query('select pg_wal_replay_pause()');
  await primary.pool.query('create table if not exists moved ()');
  expect((await reads.check())?.problem).toBe('lagging');
  await standby.pool.query('select pg_wal_replay_resume()');
  await caughtUp();
  forgetSent();
  await readTable(reads, october);
  clock.time_ms += 10_000;
  await readTable(reads, october);
  expect(sent).toEqual({ primary: 2, replica: 0 });
  clock.time_ms += 1;
  // This read starts a check, which queries the primary twice; a later read uses its result.
  await readTable(reads, october);
  expect(sent.replica).toBe(0);
  await expect.poll(() => sent.primary).toBe(5);
  await reads.check();
  await readTable(reads, october);
  expect(sent.replica).toBe(1);
});

test('the rendered file of a complete month is read from the replica', async () => {
  const { read: readComplete } = await openReads();
  const file = await exportSheet(primary.db, game, { window: OCTOBER, sheet: 'recipients', mayBeIncomplete: false, readComplete });
  if (!file.ok) throw new Error(file.reason);
  forgetSent();
  expect(Buffer.concat(await Array.fromAsync(file.bytes)).toString()).toContain('500001');
  expect(sent.primary).toBe(0);
  expect(sent.replica).toBeGreaterThan(0);
});

test('an incomplete file and one of chosen rows are read from the primary alone', async () => {
  const { read: readComplete } = await openReads();
  const request = { window: OCTOBER, sheet: 'recipients', mayBeIncomplete: false, readComplete } as const;
  const window = { start: '2026-12-01T00:00:00Z', end: '2027-01-01T00:00:00Z' };
  await seedSnapshot(primary.db, game.gameId, { ...window, status: 'open' });
  await caughtUp();
  for (const only of [
    { ...request, only: { filter: { find: '500' }, condition: sql<boolean>`true` } },
    { ...request, window, mayBeIncomplete: true },
  ]) {
    const file = await exportSheet(primary.db, game, only);
    if (!file.ok) throw new Error(file.reason);
    await Array.fromAsync(file.bytes);
  }
  expect(sent.replica).toBe(0);
});

test('another server, another database of the server and a server that accepts writes are refused as a replica', async () => {
  const other = await createTestDb();
  const urls = { foreign: [other.url, replica.databaseUrl('postgres')], not_a_replica: [server.databaseUrl('sharebook')] };
  for (const [problem, address] of Object.entries(urls)) {
    for (const url of address) {
      const reads = await openReads({ url });
      expect(await reads.check()).toEqual({ problem, lag_seconds: null });
      expect(await readTable(reads, october)).not.toBeNull();
      expect(sent.replica).toBe(0);
    }
  }
  await other.close();
});

test('a replica with another history than the primary is refused: the primary was restored from a backup', async () => {
  await standby.pool.query('select pg_wal_replay_pause()');
  await primary.pool.query('update database_mark set lineage = gen_random_uuid()');
  const reads = await openReads();
  expect(await reads.check()).toEqual({ problem: 'foreign', lag_seconds: null });
  await readTable(reads, october);
  expect(sent.replica).toBe(0);
});

test('a replica that goes away in the middle of a file costs nothing of it, and reads go to the primary', async () => {
  const rows = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);
  const text = rows.join('');
  const sheet = { sheet: 'renewals', rowCount: 20, sums: {}, table: null } as const;
  const sha256 = createHash('sha256').update(text).digest();
  const file = { members: rows.map((row) => gzipSync(row)), sha256, byteCount: text.length };
  const { snapshotId } = await seedSnapshot(primary.db, game.gameId, AUGUST);
  await insertRendition(primary.db, game.gameId, { snapshotId, erasureCount: 0 }, RENDITION_VERSION, [{ ...sheet, file }]);
  await caughtUp();
  const reads = await openReads();
  const request = { window: AUGUST, sheet: 'renewals', mayBeIncomplete: false, readComplete: reads.read } as const;
  const made = await exportSheet(primary.db, game, request);
  if (!made.ok) throw new Error(made.reason);
  expect((await findRendition(primary.db, game.gameId, snapshotId, 'renewals', RENDITION_VERSION))?.filePartCount).toBe(20);
  const read: string[] = [];
  for await (const piece of made.bytes) {
    if (read.length === 0) {
      expect(sent.replica).toBe(1);
      await replica.stop();
    }
    read.push(Buffer.from(piece).toString());
  }
  expect(read.join('')).toBe(text);
  expect(await reads.check()).toEqual({ problem: 'unreachable', lag_seconds: null });
  forgetSent();
  expect(await readTable(reads, october)).not.toBeNull();
  expect(sent).toEqual({ primary: 1, replica: 0 });
});
