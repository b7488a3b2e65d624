import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
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

test('two processes return the same month byte for byte, and SIGTERM or a closed stdin ends them', async () => {
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
