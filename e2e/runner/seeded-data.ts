import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readSources } from '#e2e/architecture/read-sources.ts';
import { buildWhenChanged } from '#lib/start/build.ts';
import { ROOT } from '#lib/start/data-folder.ts';
import { prepareEnvironment } from '#lib/start/environment.ts';
import { withFileLock } from '#lib/start/file-lock.mjs';
import { findFreePort } from '#lib/start/free-port.ts';
import { findData, removeAbandonedPostgres } from '#lib/start/postgres/embedded-postgres.ts';
import { chooseRunAs, findBinaries } from '#lib/start/postgres/programs.ts';
import { findSimulatedInvo } from '#lib/start/simulated-invo.ts';
import { runSharebook, THROW_AWAY_FLAGS } from './run-sharebook.ts';

/** The clock of every browser test. */
export const FIXED_NOW = '2026-11-21T12:00:00Z';

const TESTS = path.join(ROOT, '.data', 'test');
const SEED = path.join(TESTS, 'seed');
const STAMP = path.join(SEED, 'source-stamp');
/** What decides what a first start pulls and stores: these with all they import, and the migrations. */
const SHAPED_BY = ['lib/start/start.ts', 'lib/jobs/worker.ts', 'e2e/upstream/start.ts'];
/** What closes the demo's months is switched off in the seeded data, so a change of it makes them no older. */
const NOT_RUN = 'lib/jobs/run-demo-year.ts';
const MONTHS = 14;
const SEEDED_WITHIN_MS = 300_000;

type Show = (line: string) => void;

/**
 * Makes sure there is a build and a data folder as the first start in simulated mode leaves it, with its fourteen months pulled.
 * Both are made again only when what they are made of has changed.
 */
export async function prepareSeed(show: Show): Promise<void> {
  await buildWhenChanged({ show });
  fs.mkdirSync(TESTS, { recursive: true });
  await withFileLock(
    path.join(TESTS, 'seed.lock'),
    async () => {
      const stamp = stampSources();
      if (fs.existsSync(STAMP) && fs.readFileSync(STAMP, 'utf8') === stamp) return;
      const started_at = performance.now();
      show('Pulling the fourteen months of the simulated game; the next run copies them …');
      await removeData(SEED);
      await seedFolder(SEED);
      fs.writeFileSync(STAMP, stamp);
      show(`Pulled in ${((performance.now() - started_at) / 1000).toFixed(1)} s.`);
    },
    SEEDED_WITHIN_MS,
  );
}

/** Copies the seeded data into a folder that is not there yet. */
export function copySeed(target: string): void {
  fs.mkdirSync(path.join(target, 'postgres'), { recursive: true });
  for (const name of ['secrets.json', 'simulated', 'postgres/password']) {
    fs.cpSync(path.join(SEED, name), path.join(target, name), { recursive: true });
  }
  const data = findData(path.join(SEED, 'postgres'));
  if (data === null) throw new Error(`${SEED} holds no database; run prepareSeed first.`);
  const home = path.join(target, 'postgres');
  const { elsewhere } = chooseRunAs(findBinaries(), home);
  const folder = elsewhere ?? path.join(home, 'data');
  fs.cpSync(data, folder, { recursive: true, mode: fs.constants.COPYFILE_FICLONE });
  fs.chmodSync(folder, 0o700);
  if (elsewhere) fs.symlinkSync(folder, path.join(home, 'data'));
}

/** Removes a data folder made for tests, wherever its database lies, unless a living process uses it. */
export async function removeData(folder: string): Promise<void> {
  await removeAbandonedPostgres(path.join(folder, 'postgres'));
  fs.rmSync(folder, { recursive: true, force: true });
}

/** A digest of every file that decides what the seeded data hold. */
function stampSources(): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of listShapingFiles()) hash.update(`\0${file}\0`).update(fs.readFileSync(path.join(ROOT, file)));
  return hash.digest('hex');
}

/** Every file that decides what the seeded data hold. Order: by path. */
export function listShapingFiles(): string[] {
  const byPath = new Map(readSources().map((file) => [file.path, file]));
  const found = new Set<string>();
  const waiting = [...SHAPED_BY];
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    const source = byPath.get(file);
    if (!source || found.has(file) || file === NOT_RUN) continue;
    found.add(file);
    waiting.push(...source.imports.map(({ target }) => target));
  }
  const migrations = fs.readdirSync(path.join(ROOT, 'db/migrations')).map((name) => `db/migrations/${name}`);
  return [...found, ...migrations].toSorted();
}

/**
 * Starts Sharebook over an empty folder, waits for its first pull without the rate limit on either side, and stops it. `settings` may name a database,
 * and `place` what is done with it before the pull.
 */
export async function seedFolder(
  folder: string,
  settings: Record<string, string> = {},
  place = async (): Promise<unknown> => null,
): Promise<void> {
  const env = {
    ...settings,
    SHAREBOOK_DATA: folder,
    SHAREBOOK_POSTGRES_FLAGS: THROW_AWAY_FLAGS,
    SHAREBOOK_NOW: FIXED_NOW,
    NODE_ENV: 'production',
  } as const;
  const environment = await prepareEnvironment(env, { needs: 'database', show: () => undefined });
  const client = new pg.Client({ connectionString: environment.env['DATABASE_MIGRATE_URL'] });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await place();
    await client.query('create rule unmetered as on insert to rate_call do instead nothing');
    const starting = runSharebook(await findFreePort(), folder, { ...settings, SHAREBOOK_NOW: FIXED_NOW });
    const [sharebook] = await Promise.all([starting, Promise.race([stopMetering(folder), starting])]);
    try {
      await untilPulled(client);
    } finally {
      await sharebook.stop();
    }
    await client.query('drop rule unmetered on rate_call');
  } finally {
    await client.end();
    await environment.stop();
  }
}

/** Lets a running Sharebook make any number of calls a minute: its tests would otherwise wait for a free one, however fast the machine is. */
export async function liftRateLimit(data: string, settings: Record<string, string> = {}): Promise<void> {
  const env = { ...settings, SHAREBOOK_DATA: data, SHAREBOOK_POSTGRES_FLAGS: THROW_AWAY_FLAGS, NODE_ENV: 'production' } as const;
  const environment = await prepareEnvironment(env, { needs: 'database', show: () => undefined });
  const client = new pg.Client({ connectionString: environment.env['DATABASE_MIGRATE_URL'] });
  try {
    await client.connect();
    await client.query('create or replace rule unmetered as on insert to rate_call do instead nothing');
  } finally {
    await client.end();
    await environment.stop();
  }
  await stopMetering(data);
}

/** As soon as the simulated Invo of the folder answers: tests call it more often than it allows in a minute. */
async function stopMetering(data: string): Promise<void> {
  for (let invo = await findSimulatedInvo(data); ; invo = await findSimulatedInvo(data)) {
    if (invo) {
      await fetch(`${invo.url}/__control/game`, { method: 'POST', body: JSON.stringify({ rateLimit: false }) });
      return;
    }
    await sleep(20);
  }
}

async function untilPulled(client: pg.Client): Promise<void> {
  const deadline = performance.now() + SEEDED_WITHIN_MS;
  const pulled = `select count(distinct window_start)::int as months from snapshot`;
  while (performance.now() < deadline) {
    const { rows } = await client.query<{ months: number }>(pulled);
    const waiting = await client.query(`select 1 from pull where state in ('queued', 'running')
      union all select 1 from current_window where status = 'complete' and snapshot_id not in (select snapshot_id from month_comparison)`);
    if (rows[0]?.months === MONTHS && waiting.rowCount === 0) return;
    await sleep(100);
  }
  throw new Error(`The first pull of the simulated game did not end within ${SEEDED_WITHIN_MS / 1000} s.`);
}
