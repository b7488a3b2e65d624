import { setTimeout as sleep } from 'node:timers/promises';
import { currentRequest } from '#lib/observability/request-context.ts';
import { watchShutdown } from '#lib/start/processes.ts';
import { startWebServer } from '#lib/start/web-server.ts';

/** A web server in a process of its own for tests: /slow answers in two parts and waits for /release between them, /method answers with the method, an address under /address/ with itself, /late writes after its end. */
const released = Promise.withResolvers<void>();
const shutdown = watchShutdown();
const server = await startWebServer({
  host: '127.0.0.1',
  port: 0,
  findRoute: (pathname) => ({ route: pathname, kind: 'page' }),
  log: (event, fields) => void process.stderr.write(`${JSON.stringify({ event, ...fields })}\n`),
  handle: async (request, response) => {
    if (request.url === '/slow') {
      response.write('first ');
      await released.promise;
      await sleep(50);
      response.end('second');
      return;
    }
    if (request.url === '/release') released.resolve();
    if (request.url === '/broken') throw new Error('broken for fan@players.example');
    if (request.url?.startsWith('/address/')) return void response.end(request.url);
    response.end(request.url === '/method' ? currentRequest()?.method : 'done');
    if (request.url === '/late') response.write('more');
  },
});
process.stdout.write(`${server.port}\n`);
await shutdown.requested;
await server.stop();
process.stdout.write('stopped\n');
process.exit(0);
