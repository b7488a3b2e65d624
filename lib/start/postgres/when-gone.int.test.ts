import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startPostgres } from './embedded-postgres.ts';
import { whenGone } from './when-gone.ts';

test('a PostgreSQL that somebody ends is noticed, and one that runs is not', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-gone-'));
  const server = await startPostgres({ folder: path.join(folder, 'postgres'), flags: ['fsync=off'] });
  let isGone = false;
  const gone = whenGone(server.dataFolder).then(() => {
    isGone = true;
  });
  try {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(isGone).toBe(false);
    process.kill(Number(fs.readFileSync(path.join(server.dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGINT');
    await expect.poll(() => isGone).toBe(true);
    await gone;
  } finally {
    await server.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
