import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerDelivery, type IncomingDelivery, type IntakeAnswer } from '#lib/webhooks/receive-delivery.ts';

/** Where a statement is cut short: before it is sent, when it is sent and its answer is not read, or once its answer is here. */
export const KILLED = ['before', 'sent', 'after'] as const;

/** Serves an intake over a real socket; returns its address. `observed` is what a test gets from `observed` below it. */
export async function serveIntake(
  receive: (delivery: IncomingDelivery) => Promise<IntakeAnswer>,
  observed: () => unknown = () => null,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url === '/observed') response.end(JSON.stringify(observed()));
    else void answerDelivery(receive, request, response);
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
