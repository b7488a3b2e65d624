import path from 'node:path';
import next from 'next';
import { logEvent } from '../operate/log.ts';
import { exitOnUncaught, formatError, logConsole } from '../operate/log-errors.ts';
import { ROOT } from './data-folder.ts';
import { readRoutePatterns } from './route-patterns.ts';
import { watchShutdown } from './shutdown-signal.ts';
import { startWebServer } from './web-server.ts';

/** What the built pages leave for the server to close; `app/_server/wiring.ts` fills it. */
const opened = globalThis as typeof globalThis & { sharebookWiring?: { close?: () => Promise<void> } };

logConsole('web');
const handOver = exitOnUncaught('web');
try {
  await serve(process.env);
} catch (error) {
  logEvent('web', 'error', { message: formatError(error) });
  process.exit(1);
}
process.exit(0);

/** The web process: serves the build until a signal asks it to stop. */
async function serve(env: NodeJS.ProcessEnv): Promise<void> {
  const shutdown = watchShutdown();
  const host = env['HOST'] || '127.0.0.1';
  const port = Number(env['PORT'] || '3000');
  const app = next({ dir: ROOT, dev: false, hostname: host, port, quiet: true });
  await app.prepare();
  // Next has listeners of its own now: it prints what nothing caught and goes on.
  handOver();
  const server = await startWebServer({
    host,
    port,
    handle: app.getRequestHandler(),
    findRoute: readRoutePatterns(path.join(ROOT, '.next')),
    log: (event, fields) => logEvent('web', event, fields),
  });
  logEvent('web', 'ready', { port: server.port });
  await shutdown.requested;
  logEvent('web', 'stopping', {});
  await server.stop();
  await opened.sharebookWiring?.close?.();
  logEvent('web', 'stopped', {});
}
