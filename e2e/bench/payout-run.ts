import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrateDatabase } from '#db/kit/migrate.ts';
import { inTransaction } from '#db/kit/open.ts';
import { openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { seedPerson } from '#e2e/support/people/seed-people.ts';
import { lockRun } from '#lib/payouts/reads/find-run.ts';
import { composeRun } from '#lib/payouts/writes/composition.ts';
import { insertDraft } from '#lib/payouts/writes/run-states.ts';
import { startPostgres } from '#lib/start/postgres/embedded-postgres.ts';
import { YOUNG_OBJECTS } from '#lib/start/serve.ts';

// How long a payout run of many recipients takes to compose, and how much the process grows meanwhile, beside a COPY of as many rows in the same database.
// `node e2e/bench/payout-run.ts [lines]`: 100,000 by default. Prints JSON. Needs no network. It measures a process with the flags of the web process, which composes:
// by Node's own choice of how long short-lived objects stay, the same work grows by 145 to 171 MB instead of 62.

if (!process.execArgv.includes(YOUNG_OBJECTS))
  process.exit(spawnSync(process.execPath, [YOUNG_OBJECTS, ...process.argv.slice(1)], { stdio: 'inherit' }).status ?? 1);

const LINES = Number(process.argv[2] ?? 100_000);
const WINDOW = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
const folder = mkdtempSync(path.join(tmpdir(), 'sharebook-bench-'));
const server = await startPostgres({ folder });
try {
  const url = server.databaseUrl('payouts');
  await migrateDatabase((await server.openDatabase('payouts')).migrate);
  const open = openWithPool(url);
  const gameId = await seedGame(open.db);
  const id = await seedPerson(open.db, 'fiona@studio.example', 'finance');
  const { snapshotId } = await seedSnapshot(open.db, gameId, { ...WINDOW, recipients: [] });
  await open.pool.query(
    `insert into snapshot_recipient (game_id, snapshot_id, recipient_player_id, resolved, player_name, identity_id, renewal_count, reversal_count, subscription_count,
       gross_attributed_usd, reversed_attributed_usd, net_attributed_usd, base_mismatch_count, coarse_reversal_count, earlier_reversed_usd, nets_to_zero_count)
     select $1, $2, n, n % 50 <> 0, 'Recipient ' || n, 'idn_' || n / 2, 1, 0, 1, (n % 4000) / 100.0 + 0.0044, 0, (n % 4000) / 100.0 + 0.0044, 0, 0, 0, 0
     from generate_series(1, $3::int) n`,
    [gameId, snapshotId, LINES],
  );
  await open.pool.query('analyze');
  const copied_ms = await time(() => open.pool.query('create table copied as select * from snapshot_recipient'));
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  let payable = '';
  const composed_ms = await time(async () => {
    await inTransaction(open.db, async (tx) => {
      const runId = await insertDraft(tx, { gameId, window: WINDOW, snapshotId, previousRunId: null, actor: { id, email: 'fiona' } });
      if (runId === null) throw new Error('payouts are paused');
      const run = await lockRun(tx, gameId, runId);
      if (run === null) throw new Error('the draft is gone');
      payable = (await composeRun(tx, run, id, '2026-11-21T12:00:00Z')).run.totals.payable;
    });
  });
  clearInterval(watch);
  const figures = {
    lines: LINES,
    composed_s: composed_ms / 1000,
    copied_s: copied_ms / 1000,
    growth_MB: (peak - before) / 2 ** 20,
    payable,
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  await open.close();
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started_at = performance.now();
  await work();
  return performance.now() - started_at;
}
