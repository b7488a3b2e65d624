import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerDelivery } from '../answer-delivery.ts';
import type { IncomingDelivery } from '../read-bounded-body.ts';
import type { IntakeAnswer } from '../receive-delivery.ts';

/** Serves an intake over a real socket; returns its address. */
export async function serveIntake(
  receive: (delivery: IncomingDelivery) => Promise<IntakeAnswer>,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => void answerDelivery(receive, request, response));
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
