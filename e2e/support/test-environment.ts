import type pg from 'pg';
import { openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { createUpstream, type Upstream, type UpstreamOptions } from '#e2e/upstream/server.ts';
import type { GameConfig } from '#lib/config.ts';
import { type Month, monthWindow } from '#lib/core/month.ts';
import type { Window } from '#lib/core/window.ts';
import { requestPull } from '#lib/evidence/pull/request-pull.ts';
import { type PullRun, type RunOptions, runPull } from '#lib/evidence/pull/run-pull.ts';
import { findPullJob, type PullJob } from '#lib/evidence/reads/pulls.ts';
import { type CheckedSnapshot, findSnapshot } from '#lib/evidence/reads/snapshots.ts';
import { claimPull, type Lease } from '#lib/evidence/writes/pull-queue.ts';
import { type OpenGame, openGame } from '#lib/games/open-game.ts';
import { findTemplate } from './db/find-template.ts';
import { createTestDb, PATIENT, type TestDb } from './db/test-db.ts';
import { confirmDetails } from './payouts/confirm-details.ts';
import { textInBytes } from './text-in-bytes.ts';

/** The fixed clock of the simulated service in every test. */
export const NOW = '2026-11-21T12:00:00Z';
export const OCTOBER: Window = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
export const SECRET = 'upstream-secret';

export interface Pulled {
  run: PullRun;
  job: PullJob;
  /** The snapshot the pull produced; null when it failed. */
  snapshot: CheckedSnapshot | null;
}

/** A game with the pool of its rights, for statements of a test itself. */
export type TestGame = OpenGame & { pool: pg.Pool };

/** A database of its own, a simulated Invo of its own, and the pull between them. */
export interface TestEnvironment extends TestDb {
  upstream: Upstream;
  config: GameConfig;
  /** What an operation works with, by the rights of web and worker and read afresh; other settings of the game for one time. */
  game(changed?: Partial<GameConfig>): Promise<TestGame>;
  /** Requests a window and claims it, as a process of that name. */
  claim(window: Window, request?: { isFresh?: boolean; owner?: string }): Promise<Lease>;
  /** Pulls a window from the request to its end. */
  pull(window: Window, request?: { isFresh?: boolean; changed?: Partial<GameConfig>; now?: string } & RunOptions): Promise<Pulled>;
  control(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** Calls the service has seen since they were last forgotten. */
  calls(): Promise<{ route: string | null; method: string; path: string; status: number; fault: string | null }[]>;
  forgetCalls(): Promise<void>;
  /** How many calls the service holds now (fault `hold`). */
  heldCount(): Promise<number>;
  /** Releases the held calls. Throws when there is none: then it was too soon. */
  release(): Promise<void>;
}

/** Opens a testEnv at the fixed clock, without the rate limit on either side. */
export async function openTestEnvironment(options: UpstreamOptions & { timeZone?: string } = {}): Promise<TestEnvironment> {
  return await openEnvironmentOver(await createTestDb(), options);
}

/** The same with what `prepare` stores, which is prepared once for all files that give this name. */
export async function openNamedEnvironment(
  name: string,
  prepare: (testEnv: TestEnvironment) => Promise<unknown>,
  options: UpstreamOptions = {},
): Promise<TestEnvironment> {
  const template = await findTemplate(name, async () => {
    const testEnv = await openEnvironmentOver(await createTestDb(undefined, { isTemplate: true }), {});
    await prepare(testEnv);
    await testEnv.close();
    return { database: testEnv.name };
  });
  return await openEnvironmentOver(await createTestDb(template), options);
}

/** The same with months of the demo world pulled and re-checked, and payment details for their recipients, as months that can be closed and paid are; its service has seen no call. */
export async function openPulledEnvironment(...months: Month[]): Promise<TestEnvironment> {
  return await openEnvironmentOver(await createTestDb(await pulledTemplate(months)), {});
}

/** A prepared environment, closed, of which copies can be opened: each round of a test begins with the same state. */
export interface PreparedEnvironment<Facts> {
  facts: Facts;
  openCopy(): Promise<TestEnvironment>;
}

/** Prepares an environment with these months once. `facts`: what `prepare` returned, true of each copy. */
export async function prepareEnvironment<Facts>(
  months: Month[],
  prepare: (testEnv: TestEnvironment) => Promise<Facts>,
): Promise<PreparedEnvironment<Facts>> {
  const testEnv = await openEnvironmentOver(await createTestDb(await pulledTemplate(months), { isTemplate: true }), {});
  const facts = await prepare(testEnv);
  await testEnv.close();
  return { facts, openCopy: async () => await openEnvironmentOver(await createTestDb(testEnv.name), {}) };
}

/** The template of these months: that of the months before the last one, with the last one pulled too. */
async function pulledTemplate(months: Month[]): Promise<string> {
  return await findTemplate(`pulled_${months.join('_').replaceAll('-', '')}`, async () => {
    const [month, ...before] = months.toReversed();
    const template = before.length === 0 ? undefined : await pulledTemplate(before.toReversed());
    const testEnv = await openEnvironmentOver(await createTestDb(template, { isTemplate: true }), {});
    if (month !== undefined) {
      await testEnv.pull(monthWindow(month, 'UTC'));
      // Pulled again, it is re-checked.
      await testEnv.pull(monthWindow(month, 'UTC'));
    }
    await confirmDetails(testEnv);
    await testEnv.close();
    return { database: testEnv.name };
  });
}

/** The same over a database of the caller. */
export async function openEnvironmentOver(test: TestDb, options: UpstreamOptions & { timeZone?: string }): Promise<TestEnvironment> {
  const { timeZone = 'UTC', ...upstreamOptions } = options;
  const upstream = await createUpstream({ now: NOW, ...upstreamOptions });
  // Sixty calls a minute would make every test wait: calls of a test are not entered into the budget.
  await test.pool.query('create or replace rule unmetered as on insert to rate_call do instead nothing');
  const own = openWithPool(test.logins.both, PATIENT);
  const config: GameConfig = { slug: 'demo', name: 'Demo', environment: 'production', baseUrl: upstream.url, gameSecret: SECRET, timeZone };
  const testEnv: TestEnvironment = {
    ...test,
    upstream,
    config,
    game: async (changed) => ({
      ...(await openGame(own.db, { ...config, ...changed }, { settleLag_minutes: 15, now: () => NOW })),
      pool: own.pool,
    }),
    claim: (window, request = {}) => claimWindow(testEnv, window, request),
    pull: (window, request = {}) => pullToItsEnd(testEnv, window, request),
    control: (method, path, body) => control(upstream, method, path, body),
    calls: async () => (await testEnv.control('GET', 'calls'))['calls'] as Awaited<ReturnType<TestEnvironment['calls']>>,
    forgetCalls: async () => void (await testEnv.control('DELETE', 'calls')),
    heldCount: async () => Number((await testEnv.control('GET', 'held'))['held']),
    release: async () => {
      if ((await testEnv.control('POST', 'release'))['released'] === 0) throw new Error('no call was held');
    },
    close: async () => {
      await Promise.all([own.close(), test.close(), upstream.close()]);
    },
  };
  await testEnv.control('POST', 'game', { rateLimit: false });
  return testEnv;
}

async function claimWindow(
  testEnv: TestEnvironment,
  window: Window,
  { isFresh = false, owner = 'test' }: { isFresh?: boolean; owner?: string },
  now = NOW,
): Promise<Lease> {
  const { gameId } = await testEnv.game();
  const requested = await requestPull(testEnv.db, { gameId, window, isFresh, requestedBy: 'test', now, settleLag_minutes: 15 });
  if (!requested.ok) throw new Error(`the pull was refused: ${requested.reason}`);
  const lease = await claimPull(testEnv.db, owner, { gameId, pullId: requested.pullId });
  if (!lease) throw new Error(`pull ${requested.pullId} is at work elsewhere`);
  return lease;
}

async function pullToItsEnd(
  testEnv: TestEnvironment,
  window: Window,
  { isFresh = false, changed = {}, now = NOW, ...run }: NonNullable<Parameters<TestEnvironment['pull']>[1]>,
): Promise<Pulled> {
  const lease = await claimWindow(testEnv, window, { isFresh }, now);
  const game = { ...(await testEnv.game(changed)), now: () => now };
  const ended = await runPull(game, { ...testEnv.config, ...changed }, lease, run);
  const job = await findPullJob(testEnv.db, lease.gameId, lease.pullId);
  return { run: ended, job, snapshot: job.snapshotId === null ? null : await findSnapshot(testEnv.db, lease.gameId, job.snapshotId) };
}

async function control(upstream: Upstream, method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`${upstream.controlUrl}/${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const read = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw new Error(`control ${path}: ${JSON.stringify(read)}`);
  return read;
}

/** Lists the tables, by name, that hold a text matching the pattern: in any column, and within bytes that are compressed too. */
export async function listTablesHolding(pool: pg.Pool, pattern: RegExp): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<Record<string, unknown>>(`select * from ${name}`);
    if (rows.some((row) => Object.values(row).some((value) => pattern.test(textIn(value))))) found.push(name.replace(/^public\./, ''));
  }
  return found;
}

/** A pattern that matches any of these texts. */
export function anyOf(texts: Iterable<string>): RegExp {
  return new RegExp([...texts].map((text) => text.replaceAll(/[^\w-]/g, '\\$&')).join('|'));
}

function textIn(value: unknown): string {
  return Buffer.isBuffer(value) ? textInBytes(value) : typeof value === 'string' ? value : JSON.stringify(value);
}
