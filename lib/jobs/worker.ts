import { hostname } from 'node:os';
import { openDb } from '#db/kit/open.ts';
import { type Config, clockOf, readConfig } from '../config.ts';
import { openGame } from '../games/open-game.ts';
import { startEngine } from './engine.ts';
import { createHandlers } from './handlers.ts';

await work(readConfig(process.env));

/** The worker process. Any number of workers share one database; the lease of a row decides who works on it. */
async function work(config: Config): Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stopping.abort());
  log('worker ready');
  const { db, pool, close } = openDb(config.databaseUrl, { poolSize: 8 });
  const now = clockOf(config);
  const handlers = createHandlers(config, {
    open: (game) => openGame(db, pool, game, { settleLag_minutes: config.settleLag_minutes, now }),
    owner: `worker ${hostname()} ${process.pid}`,
    signal,
    log,
  });
  const engine = await startEngine(config.databaseUrl, handlers, { signal, log });
  await stopped;
  await engine?.stop();
  await close();
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
