// @module-tag no-retry
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from './data-folder.ts';

interface Running {
  child: ChildProcess;
  ended: Promise<unknown[]>;
  log: string[];
}

function run(...args: string[]): Running {
  const child = spawn(process.execPath, [path.join(ROOT, 'e2e/support/start/run-web-processes.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const log: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
  return { child, ended: once(child, 'exit'), log };
}

async function findOrigin({ child }: Running): Promise<string> {
  if (child.stdout === null) throw new Error('no output');
  // The first of two listens; the other one joins it.
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return `http://127.0.0.1:${port}`;
}

const ask = async (url: string): Promise<string> => (await fetch(url)).text();

test('several processes answer on one port, one that ends is started again, and one metric counts what all of them did', async () => {
  const processes = run();
  const origin = await findOrigin(processes);
  const seen = new Set<string>();
  let requests = 0;
  const seeOthers = async (count: number): Promise<void> => {
    await expect
      .poll(async () => {
        requests += 1;
        seen.add(await ask(`${origin}/who`));
        return seen.size;
      })
      .toBe(count);
  };
  await seeOthers(2);
  const counted = `sharebook_job_seconds_count{queue="test"} ${requests}`;
  await expect.poll(() => ask(`${origin}/metrics`)).toContain(counted);
  expect(await ask(`${origin}/metrics`)).toContain(counted);

  await ask(`${origin}/end`).catch(() => 'cut');
  await seeOthers(3);
  expect(processes.log).toEqual(['A web process ended (exit code 7) and is started again.']);

  processes.child.kill('SIGTERM');
  expect(await processes.ended).toEqual([0, null]);
});

test('a process that ends before it ever listened ends them all', { tags: 'proof' }, async () => {
  expect(await run('early').ended).toEqual([1, null]);
});
