import { mkdtempSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ensureDatabase } from '#db/kit/administer.ts';
import { migrateDatabase } from '#db/kit/migrate.ts';
import { openWithPool } from '#e2e/support/db/open-with-pool.ts';
import type { GameConfig } from '#lib/config.ts';
import { addMonths, listMonths, monthWindow } from '#lib/core/month.ts';
import type { Window } from '#lib/core/window.ts';
import { requestPull } from '#lib/evidence/pull/request-pull.ts';
import { runPull } from '#lib/evidence/pull/run-pull.ts';
import { renderDue } from '#lib/evidence/render-snapshot.ts';
import { claimPull } from '#lib/evidence/writes/pull-queue.ts';
import { openGame } from '#lib/games/open-game.ts';
import { removeAbandonedPostgres, startPostgres } from '#lib/start/postgres/embedded-postgres.ts';
import { createUpstream, type Upstream } from '../../upstream/server.ts';
import type { Bench } from '../goal.ts';
import { BENCH_GAME, BENCH_NOW } from './web.ts';

/** The month at Invo's caps: 20,000 renewals, 20,000 reversals, 2,000 recipients. */
export const FULL_MONTH = '2026-10';
export const MONTHS = 36;
const PREFIX = 'months-';

export interface MonthDatabase {
  databaseUrl: string;
  gameId: number;
  close(): Promise<void>;
}

const FLAGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200', 'shared_buffers=512MB'];

/** The database of the run: 36 months pulled as the product does, without the rate limit; 35 small ones of the demo, and October 2026 at Invo's caps. */
export function openMonthDatabase(bench: Bench): Promise<MonthDatabase> {
  return bench.share('months', () => fillMonthDatabase(bench));
}

async function fillMonthDatabase({ folder, say }: Bench): Promise<MonthDatabase> {
  await removeAbandoned(folder);
  const home = mkdtempSync(path.join(folder, PREFIX));
  const server = await startPostgres({ folder: home, flags: FLAGS });
  const close = async (): Promise<void> => {
    await server.stop();
    await removeAbandonedPostgres(home);
  };
  try {
    await ensureDatabase(server.url, 'bench_months');
    const databaseUrl = server.databaseUrl('bench_months');
    await migrateDatabase(databaseUrl);
    const startedAt = performance.now();
    const earlier = listMonths(addMonths(FULL_MONTH, 1 - MONTHS), addMonths(FULL_MONTH, -1));
    await pullFrom('demo', databaseUrl, earlier);
    const gameId = await pullFrom('max-month', databaseUrl, [FULL_MONTH]);
    say(`Pulled ${MONTHS} months in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
    return { databaseUrl, gameId, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A run that was killed leaves its server behind; the next one clears it away. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of readdirSync(folder).filter((each) => each.startsWith(PREFIX))) await removeAbandonedPostgres(path.join(folder, name));
}

/** Pulls months of a world of the simulated Invo, unmetered, and returns the id of the game. */
export async function pullFrom(world: string, databaseUrl: string, months: string[], slug = BENCH_GAME): Promise<number> {
  const upstream = await createUpstream({ now: BENCH_NOW, world });
  const { db, pool, close } = openWithPool(databaseUrl);
  try {
    await fetch(`${upstream.controlUrl}/game`, { method: 'POST', body: JSON.stringify({ rateLimit: false }) });
    await pool.query('create or replace rule unmetered as on insert to rate_call do instead nothing');
    const config = configOf(upstream, slug);
    const game = await openGame(db, config, { settleLag_minutes: 15, now: () => BENCH_NOW });
    for (const month of months) await pullMonth(game, config, monthWindow(month, 'UTC'));
    await renderDue(game);
    await pool.query('drop rule unmetered on rate_call');
    await pool.query('vacuum (analyze)');
    return game.gameId;
  } finally {
    await close();
    await upstream.close();
  }
}

function configOf({ url }: Upstream, slug: string): GameConfig {
  return { slug, name: 'Bench', environment: 'production', baseUrl: url, gameSecret: 'upstream-secret', timeZone: 'UTC' };
}

async function pullMonth(game: Awaited<ReturnType<typeof openGame>>, config: GameConfig, window: Window): Promise<void> {
  const request = { gameId: game.gameId, window, isFresh: false, requestedBy: 'bench', now: BENCH_NOW, settleLag_minutes: 15 };
  const requested = await requestPull(game.db, request);
  const lease = requested.ok ? await claimPull(game.db, 'bench', { gameId: game.gameId, pullId: requested.pullId }) : null;
  if (!lease) throw new Error(`the pull from ${window.start} could not be claimed`);
  const run = await runPull(game, config, lease);
  if (run.ended !== 'done') throw new Error(JSON.stringify(run));
}
