import cluster from 'node:cluster';
import type http from 'node:http';
import path from 'node:path';
import next from 'next';
import { exitOnUncaught, formatError, logConsole, logEvent } from '#lib/observability/log.ts';
import { readConfig } from '../config.ts';
import { answerDelivery, receiveDelivery } from '../webhooks/receive-delivery.ts';
import { ROOT } from './data-folder.ts';
import { openIntakes } from './intakes.ts';
import { watchShutdown } from './processes.ts';
import { joinMetrics, runWebProcesses } from './web-processes.ts';
import { type RoutePattern, readRoutePatterns, startWebServer } from './web-server.ts';

/**
 * Where Invo delivers, also as an absolute address and with slashes too many: Next would answer those with a redirect, which no sender of webhooks
 * follows. It would take longer over one delivery than the intake does, so its handler never sees them.
 */
const WEBHOOK = /^(?:https?:\/\/[^/?]+)?\/+api\/+invo\/+([^/?]+)\/+webhook\/*(?:\?|$)/;
const WEBHOOK_ROUTE: RoutePattern = { route: '/api/invo/[game]/webhook', kind: 'route' };
/** In development nothing lists the routes. */
const DEVELOPED: RoutePattern = { route: 'page', kind: 'page' };

logConsole('web');
const handOver = exitOnUncaught('web');
try {
  const { webProcesses } = readConfig(process.env);
  if (cluster.isWorker) joinMetrics();
  if (cluster.isWorker || webProcesses === 1) await serve(process.env);
  else if (!(await runWebProcesses(webProcesses, watchShutdown(), (message) => logEvent('web', 'warning', { message })))) process.exit(1);
} catch (error) {
  logEvent('web', 'error', { message: formatError(error) });
  process.exit(1);
}
process.exit(0);

/** The web process: deliveries and pages until a signal stops it; of the build, or in development each page compiled when it is first opened. */
async function serve(env: NodeJS.ProcessEnv): Promise<void> {
  const shutdown = watchShutdown();
  const isDevelopment = env['NODE_ENV'] === 'development';
  const host = env['HOST'] || '127.0.0.1';
  const port = Number(env['PORT'] || '3000');
  const intakes = openIntakes(readConfig(env));
  const app = next({ dir: ROOT, dev: isDevelopment, hostname: host, port, quiet: !isDevelopment });
  await app.prepare();
  // Next has listeners of its own now: it prints what nothing caught and continues.
  handOver();
  const answerPage = app.getRequestHandler();
  const findPage = isDevelopment ? () => DEVELOPED : readRoutePatterns(path.join(ROOT, '.next'));

  async function handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const slug = WEBHOOK.exec(request.url ?? '')?.[1];
    if (slug === undefined) return await answerPage(request, response);
    const intake = intakes.find(slug);
    await answerDelivery(intake && ((delivery) => receiveDelivery(intake, delivery)), request, response);
  }

  const server = await startWebServer({
    host,
    port,
    handle,
    findRoute: (pathname) => (WEBHOOK.test(pathname) ? WEBHOOK_ROUTE : findPage(pathname)),
    log: (event, fields) => logEvent('web', event, fields),
  });
  logEvent('web', 'ready', { port: server.port });
  await shutdown.requested;
  logEvent('web', 'stopping', {});
  await server.stop();
  // The built pages declare and open it, in app/_server/server-context.ts.
  await Promise.all([intakes.close(), globalThis.sharebookContext?.close()]);
  logEvent('web', 'stopped', {});
}
