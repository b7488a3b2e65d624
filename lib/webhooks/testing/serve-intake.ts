import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IncomingDelivery } from '../read-bounded-body.ts';
import type { IntakeAnswer } from '../receive-delivery.ts';

/** Serves an intake over a real socket, as its route does; returns its address. */
export async function serveIntake(
  receive: (request: IncomingDelivery) => Promise<IntakeAnswer>,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void receive({ headers: headersOf(request), body: request }).then(({ status, says, retryAfter_seconds: wait }) => {
      response.writeHead(status, wait === undefined ? {} : { 'retry-after': String(wait) });
      response.end(JSON.stringify({ says }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function headersOf(request: IncomingMessage): IncomingDelivery['headers'] {
  return {
    get: (name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(', ') : (value ?? null);
    },
  };
}
