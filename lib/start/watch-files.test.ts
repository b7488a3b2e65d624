import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listChanged, watchFiles } from './watch-files.ts';

function watchProject(onChange: (files: string[]) => Promise<void>): { root: string; errors: unknown[] } {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-watch-'));
  for (const folder of ['lib/jobs', 'db', 'app']) fs.mkdirSync(path.join(root, folder), { recursive: true });
  const errors: unknown[] = [];
  const watch = watchFiles(root, ['lib', 'db'], { onChange, onError: (error) => errors.push(error) });
  onTestFinished(() => {
    watch.close();
    fs.rmSync(root, { recursive: true, force: true });
  });
  return { root, errors };
}

test('files saved together are reported in one call, with paths from the root', async () => {
  const calls: string[][] = [];
  const { root } = watchProject(async (files) => void calls.push(files));
  fs.writeFileSync(path.join(root, 'app/page.tsx'), '');
  fs.writeFileSync(path.join(root, 'lib/jobs/worker.ts'), '');
  fs.writeFileSync(path.join(root, 'db/open.ts'), '');
  await expect.poll(() => calls).toEqual([['db/open.ts', 'lib/jobs/worker.ts']]);
});

test('a file saved during a call is in the next call, even when the call failed', async () => {
  const calls: string[][] = [];
  const { root, errors } = watchProject(async (files) => {
    calls.push(files);
    if (calls.length > 1) return;
    fs.writeFileSync(path.join(root, 'db/second.ts'), '');
    await expect.poll(() => fs.existsSync(path.join(root, 'db/second.ts'))).toBe(true);
    throw new Error('the first call failed');
  });
  fs.writeFileSync(path.join(root, 'db/first.ts'), '');
  await expect.poll(() => calls).toEqual([['db/first.ts'], ['db/second.ts']]);
  expect(String(errors[0])).toContain('the first call failed');
});

test.each([
  [['e2e/upstream/server.ts'], ['simulated Invo']],
  [['db/migrations/0008_next.sql'], ['migrations', 'worker']],
  [
    ['lib/refunds/text.ts', 'e2e/upstream/wire/prose.ts'],
    ['simulated Invo', 'worker'],
  ],
  [['db/kit/open.ts'], ['worker']],
  [['lib/core/money.test.ts', 'lib/README.md', 'db/.open.ts.swp'], []],
])('a change of %j restarts %j', (files, parts) => {
  expect([...listChanged(files)]).toEqual(parts);
});
