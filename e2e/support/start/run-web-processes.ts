import cluster from 'node:cluster';
import http from 'node:http';
import { instruments, writeInstruments } from '#lib/observability/instruments.ts';
import { watchShutdown } from '#lib/start/processes.ts';
import { joinMetrics, runWebProcesses } from '#lib/start/web-processes.ts';

/** Two web processes behind one port for tests: /who answers with the process, /end ends it, /metrics answers for both. With an argument they end before they listen. */
const shutdown = watchShutdown();
if (cluster.isPrimary) {
  cluster.on('listening', (_, { port }) => process.stdout.write(`${port}\n`));
  process.exit((await runWebProcesses(2, shutdown, (message) => process.stderr.write(`${message}\n`))) ? 0 : 1);
}
if (process.argv[2] !== undefined) process.exit(3);
joinMetrics();
const server = http.createServer(async (request, response) => {
  response.setHeader('connection', 'close');
  if (request.url === '/end') process.exit(7);
  if (request.url === '/metrics') return void response.end(await writeInstruments());
  instruments().jobSeconds.observe({ queue: 'test' }, 1);
  response.end(String(process.pid));
});
server.listen(0, '127.0.0.1');
await shutdown.requested;
process.exit(0);
