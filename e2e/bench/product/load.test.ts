import http from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { sendAtRate } from './load.ts';

let server: http.Server | null = null;

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

async function serve(answer: http.RequestListener): Promise<string> {
  server = http.createServer(answer);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
}

test('requests at a fixed rate arrive while none is answered', async () => {
  const waiting: http.ServerResponse[] = [];
  // A sender that waits for answers would never send the last one.
  const url = await serve((_, response) => {
    waiting.push(response);
    if (waiting.length === 10) for (const each of waiting) each.end();
  });
  expect(await sendAtRate(() => ({ url }), { perSecond: 100, seconds: 0.1 })).toMatchObject({ sent: 10, errors: 0 });
});

test('the time of a request counts from when it was due, however late it was sent', async () => {
  const url = await serve((_, response) => response.end());
  let isFirst = true;
  const makeLate = (): { url: string } => {
    const until = performance.now() + (isFirst ? 50 : 0);
    isFirst = false;
    while (performance.now() < until);
    return { url };
  };
  const { p99_ms } = await sendAtRate(makeLate, { perSecond: 1_000, seconds: 0.01 });
  expect(p99_ms).toBeGreaterThanOrEqual(50);
});

test('answers other than 200 are errors, and what is sent is counted', async () => {
  let count = 0;
  const url = await serve((_, response) => response.writeHead((count += 1) % 2 === 0 ? 500 : 200).end());
  expect(await sendAtRate(() => ({ url }), { perSecond: 1_000, seconds: 0.01 })).toMatchObject({ sent: 10, errors: 5 });
});
