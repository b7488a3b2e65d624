import http from 'node:http';
import { hostname } from 'node:os';
import { type Db, openDb } from '#db/kit/open.ts';
import { instruments, METRICS_REFUSED, mayReadMetrics, STATEMENT_RECORD } from '#lib/observability/instruments.ts';
import { exitOnUncaught, formatError, logConsole, logEvent } from '#lib/observability/log.ts';
import { type Config, clockOf, readConfig } from '../config.ts';
import { openGame } from '../games/open-game.ts';
import { openRestoreGuard, type RestoreGuard } from '../refunds/check-restore.ts';
import { startEngine } from './engine.ts';
import { createHandlers } from './handlers.ts';

logConsole('worker');
exitOnUncaught('worker');
await work(readConfig(process.env));

/** The worker process. Any number of workers share one database; the lease of a row decides who works on it. */
async function work(config: Config): Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stopping.abort());
  log('ready', {});
  const { db, close } = openDb(config.databaseWorkerUrl, { poolSize: 8, record: STATEMENT_RECORD });
  const now = clockOf(config);
  const owner = `worker ${hostname()} ${process.pid}`;
  const handlers = createHandlers(config, {
    open: (game) => openGame(db, game, { settleLag_minutes: config.settleLag_minutes, isSimulated: config.isSimulated, now }),
    db,
    owner,
    signal,
    log,
    // The mail client is loaded where there is a server to use.
    mailer:
      config.mail === null || config.mail === 'outbox' ? config.mail : (await import('../notices/open-mailer.ts')).openMailer(config.mail),
    restoreGuard: openGuard(db, owner),
    // A worker of a real game doesn't load what acts as the demo people.
    runDemoYear: config.hasDemoYear ? (await import('./run-demo-year.ts')).createDemoYear(config, { signal, log }) : null,
  });
  const metrics = process.env['SHAREBOOK_WORKER_METRICS_PORT'];
  const server = metrics ? serveMetrics(Number(metrics), config) : null;
  const engine = await startEngine(config.databaseWorkerUrl, handlers, { signal, log });
  await stopped;
  await engine?.stop();
  server?.close();
  await close();
  log('stopped', {});
}

function log(event: string, fields: Parameters<typeof logEvent>[2]): void {
  logEvent('worker', event, fields);
}

/** Without a data folder of its own a worker can't tell a restored database; `restore-check` does it then. */
function openGuard(db: Db, owner: string): RestoreGuard | null {
  const folder = process.env['SHAREBOOK_DATA'];
  if (folder) return openRestoreGuard({ db, folder, owner });
  log('warning', {
    message: 'SHAREBOOK_DATA is not set: a restored database is not recognised by itself. Run restore-check after a restore.',
  });
  return null;
}

/** Serves the metrics of this worker if a port is configured. If the port is in use, the worker runs without metrics. */
function serveMetrics(port: number, config: Config): http.Server {
  const server = http.createServer((request, response) => {
    answerMetrics(request, response, config).catch((error: unknown) => {
      log('error', { message: formatError(error) });
      response.destroy();
    });
  });
  server.on('error', ({ message }) => log('warning', { message: `The metrics are not served: ${message}` }));
  return server.listen(port, process.env['HOST'] || '127.0.0.1');
}

async function answerMetrics(request: http.IncomingMessage, response: http.ServerResponse, config: Config): Promise<void> {
  if (!mayReadMetrics(request.headers.authorization ?? null, config)) {
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(METRICS_REFUSED);
    return;
  }
  const { registry } = instruments();
  const text = await registry.metrics();
  response.writeHead(200, { 'content-type': registry.contentType }).end(text);
}
