import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { createUpstream } from './server.ts';
import { REPORT, SECRET } from './testing/test-client.ts';

const MONTH = `${REPORT}?start=2026-10-01&end=2026-11-01&limit=100`;
const NOW = '2026-11-21T12:00:00Z';

async function startProcess(env: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [new URL('start.ts', import.meta.url).pathname], {
    env: { ...process.env, UPSTREAM_PORT: '0', UPSTREAM_NOW: NOW, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout === null) throw new Error('no stdout');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, url: (JSON.parse(line) as { url: string }).url };
}

async function digestOf(url: string): Promise<string> {
  const text = await (await fetch(url + MONTH, { headers: { 'x-game-secret-key': SECRET } })).text();
  return createHash('sha256').update(text).digest('hex');
}

test('a webhook registered from the start gets its first attempt once its address listens', async () => {
  const receiver = createServer((request, response) => void request.resume().on('end', () => response.end()));
  const listen = async (port: number): Promise<number> => {
    await new Promise<void>((resolve) => void receiver.listen(port, '127.0.0.1', resolve));
    return (receiver.address() as AddressInfo).port;
  };
  const port = await listen(0);
  await new Promise((resolve) => receiver.close(resolve));
  const upstream = await createUpstream({ webhook: { url: `http://127.0.0.1:${port}/`, secret: 'whsec_first' } });
  onTestFinished(async () => {
    await upstream.close();
    receiver.closeAllConnections();
    receiver.close();
  });
  const listDeliveries = async (): Promise<{ attempts: { status: number }[] }[]> =>
    ((await (await fetch(`${upstream.controlUrl}/deliveries`)).json()) as { deliveries: { attempts: { status: number }[] }[] }).deliveries;
  // What renewed in the last hours is due at once, and nothing listens.
  await expect.poll(async () => (await listDeliveries()).length, { timeout: 20_000 }).toBeGreaterThan(0);
  await listen(port);
  await expect.poll(async () => (await listDeliveries()).filter(({ attempts }) => attempts.length === 0), { timeout: 20_000 }).toEqual([]);
  for (const { attempts } of await listDeliveries()) expect(attempts).toMatchObject([{ status: 200 }]);
});

test('two processes return the same month byte for byte, and SIGTERM or a closed stdin ends them', { tags: ['proof'] }, async () => {
  const upstream = await createUpstream({ now: NOW });
  onTestFinished(() => upstream.close());
  const { child, url } = await startProcess({ UPSTREAM_PARENT_STDIN: '1' });
  expect(await digestOf(url)).toBe(await digestOf(upstream.url));
  child.stdin?.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
  const second = await startProcess({ UPSTREAM_SECRET: 'told' });
  expect((await fetch(second.url + MONTH, { headers: { 'x-game-secret-key': 'told' } })).status).toBe(200);
  second.child.kill('SIGTERM');
  expect(await once(second.child, 'exit')).toEqual([0, null]);
});
