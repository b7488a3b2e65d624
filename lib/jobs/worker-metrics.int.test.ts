// @module-tag proof
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startWorker } from '#e2e/support/start-worker.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';

let testEnv: TestEnvironment;
beforeAll(async () => {
  testEnv = await openTestEnvironment();
});
afterAll(() => testEnv.close());

test('a worker whose metrics port is taken warns, and works', async () => {
  const taken = http.createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const worker = await startWorker(testEnv, { env: { SHAREBOOK_WORKER_METRICS_PORT: String(port) } });
  await expect.poll(() => worker.said()).toMatch(/"event":"warning","message":"The metrics are not served: listen EADDRINUSE/);
  expect(await worker.end('SIGTERM')).toBe(0);
});
