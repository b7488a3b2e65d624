// @module-tag proof
// @module-tag no-retry
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrateDatabase } from '#db/kit/migrate.ts';
import { openDb, poolOf } from '#db/kit/open.ts';
import { listMonths as listMonthsBetween, monthWindow } from '#lib/core/month.ts';
import { listMonths } from '#lib/evidence/reads/months.ts';
import { findLocalMatches } from '#lib/search/reads.ts';
import { parseSearch } from '#lib/search/rules/parse-search.ts';
import { startPostgres } from '#lib/start/postgres/embedded-postgres.ts';
import { median } from '../bench/judge.ts';
import { recordFigure } from '../support/proof.ts';
import { OCTOBER, openEnvironmentOver, openTestEnvironment, type TestEnvironment } from '../support/test-environment.ts';
import { findServerOf } from './test-cluster.ts';

// Figures of a cluster beside those of one PostgreSQL server without fsync, in turn; then a shard that moves and a server that crashes during pulls.
const CLUSTER = process.env['SHAREBOOK_CITUS_URL'];
const WORLD = { world: 'max-month' };
const ROUNDS = 3;
const READS = 100;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-one-server-'));
const closed: (() => Promise<unknown>)[] = [];
let cluster: TestEnvironment;
let oneServer: TestEnvironment;

describe.skipIf(CLUSTER === undefined)('a cluster', { timeout: 1_800_000 }, () => {
  beforeAll(async () => {
    cluster = await openTestEnvironment(WORLD);
    closed.push(cluster.close);
    oneServer = await openOneServer();
  }, 600_000);
  afterAll(async () => {
    for (const close of closed.toReversed()) await close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  test('pulls a maximal month, and reads it', async () => {
    const pulls = await inTurn(ROUNDS, async (testEnv) => {
      const { snapshot } = await testEnv.pull(OCTOBER, { isFresh: true });
      expect(snapshot).toMatchObject({ status: 'complete' });
    });
    record('a pull of the maximal month', pulls, 's', 1_000);
    const { rows } = await cluster.pool.query('select subscription_id as id from renewal_line order by 1 limit 1');
    const parsed = parseSearch(String(rows[0]?.id));
    if (!parsed.ok) throw new Error(parsed.error);
    record('a look-up', await inTurn(READS, async ({ db }) => await findLocalMatches(db, 1, parsed.query)), 'ms', 1);
    const windows = listMonthsBetween('2023-11', '2026-10').map((month) => monthWindow(month, 'UTC'));
    record(
      'the statements of the months page',
      await inTurn(READS, async ({ db }) => await listMonths(db, { gameId: 1, timeZone: 'UTC' }, windows)),
      'ms',
      1,
    );
  });

  test('moves the rows of a game to another server while it is pulled, and loses nothing', async () => {
    const { rows: places } = await cluster.pool.query(
      `select shardid, nodename, nodeport from pg_dist_placement join pg_dist_node using (groupid) where shardid = get_shard_id_for_distribution_column('slice', 1)`,
    );
    const [from] = places;
    const { rows: others } = await cluster.pool.query(
      `select nodename, nodeport from pg_dist_node where noderole = 'primary' and shouldhaveshards and nodeport <> $1`,
      [from.nodeport],
    );
    const [to] = others;
    const [pulled] = await Promise.all([
      cluster.pull(OCTOBER, { isFresh: true }),
      cluster.pool.query(`select citus_move_shard_placement($1, $2, $3, $4, $5, shard_transfer_mode => 'block_writes')`, [
        from.shardid,
        from.nodename,
        from.nodeport,
        to.nodename,
        to.nodeport,
      ]),
    ]);
    // A pull that a move interrupts is repeated, as after any lost connection.
    if (pulled.snapshot === null) await cluster.pull(OCTOBER, { isFresh: true });
    expect(await sumsOf(cluster)).toEqual(await sumsOf(oneServer));
    const { rows: after } = await cluster.pool.query(
      `select nodeport from pg_dist_placement join pg_dist_node using (groupid) where shardid = $1`,
      [from.shardid],
    );
    expect(after).toEqual([{ nodeport: to.nodeport }]);
    recordFigure(
      'a cluster: rows of a game moved to another server during a pull',
      `the pull ${pulled.snapshot === null ? 'was repeated' : 'went on'}, figures the same`,
    );
  });

  test('doesn’t blame Invo when the sessions of a server end while lines are copied to it', async () => {
    const server = new pg.Client(await findServerOf(cluster, 1));
    await server.connect();
    let ended = 0;
    let pulled: unknown = null;
    for (let pulls = 0; ended === 0 && pulls < 9; pulls++) {
      let isOver = false;
      const pull = cluster
        .pull(OCTOBER, { isFresh: true })
        .catch((error: unknown) => error)
        .finally(() => (isOver = true));
      while (ended === 0 && !isOver) {
        const { rowCount } = await server.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query ilike 'copy %' and state = 'active'`);
        ended += rowCount ?? 0;
        await sleep(2);
      }
      pulled = await pull;
    }
    await server.end();
    expect(ended).toBeGreaterThan(0);
    // It is tried again, by the worker: nothing was wrong with what Invo sent.
    expect(pulled).toMatchObject({ message: expect.stringMatching(/terminating connection|failed to COPY/) as unknown });
  });

  test('loses nothing when the server of a game crashes during a pull', async () => {
    const pull = cluster.pull(OCTOBER, { isFresh: true }).catch((error: unknown) => error);
    await sleep(1_500);
    await crashServerOf(cluster);
    // Its answers can be stored: only the server was away.
    expect(await pull).not.toMatchObject({ run: { code: 'not_storable' } });
    await expect
      .poll(
        async () =>
          await cluster.pull(OCTOBER, { isFresh: true }).then(
            ({ snapshot }) => snapshot !== null,
            () => false,
          ),
        { timeout: 300_000, interval: 2_000 },
      )
      .toBe(true);
    expect(await sumsOf(cluster)).toEqual(await sumsOf(oneServer));
    recordFigure(
      'a cluster: the server of a game crashed during a pull',
      'nothing lost, the next pull is complete and its figures the same',
    );
  });
});

/** Takes both in turn; the first round of each only warms up. Milliseconds. */
async function inTurn(
  times: number,
  work: (testEnv: TestEnvironment) => Promise<unknown>,
): Promise<{ cluster: number; oneServer: number }> {
  const took: Record<'cluster' | 'oneServer', number[]> = { cluster: [], oneServer: [] };
  for (let time = 0; time <= times; time++)
    for (const [name, testEnv] of [
      ['oneServer', oneServer],
      ['cluster', cluster],
    ] as const) {
      const startedAt = performance.now();
      await work(testEnv);
      if (time > 0) took[name].push(performance.now() - startedAt);
    }
  return { cluster: median(took.cluster), oneServer: median(took.oneServer) };
}

function record(what: string, figures: { cluster: number; oneServer: number }, unit: string, divisor: number): void {
  const [one, other] = [figures.cluster / divisor, figures.oneServer / divisor];
  recordFigure(`a cluster: ${what}`, `${one.toFixed(1)} ${unit}, on one server ${other.toFixed(1)} ${unit}: ${(one / other).toFixed(2)} ×`);
}

async function openOneServer(): Promise<TestEnvironment> {
  fs.chmodSync(folder, 0o711);
  const server = await startPostgres({ folder, flags: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] });
  closed.push(server.stop);
  const logins = await server.openDatabase('one_server');
  await migrateDatabase(logins.migrate);
  const url = server.databaseUrl('one_server');
  const { db, close } = openDb(url);
  const testEnv = await openEnvironmentOver(
    { name: 'one_server', db, pool: poolOf(db), url, logins: { ...logins, both: url }, close },
    WORLD,
  );
  closed.push(testEnv.close);
  return testEnv;
}

/** What the newest snapshot says. */
async function sumsOf({ pool }: TestEnvironment): Promise<unknown> {
  const { rows } = await pool.query(
    `select count(*)::int as recipients, sum(gross_attributed_usd) as gross, sum(reversed_attributed_usd) as reversed from snapshot_recipient
     where game_id = 1 and snapshot_id = (select max(snapshot_id) from snapshot where game_id = 1)`,
  );
  return rows;
}

/** Kills a process of the server that holds game 1: PostgreSQL then ends all of its sessions and recovers. */
async function crashServerOf(testEnv: TestEnvironment): Promise<void> {
  const client = new pg.Client({ connectionString: await findServerOf(testEnv, 1) });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`copy (select 1) to program 'kill -9 $PPID'`).catch(() => undefined);
  await client.end().catch(() => undefined);
}
