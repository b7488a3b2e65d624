import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureDatabase } from '#db/kit/administer.ts';
import { withoutSettings } from '#e2e/runner/run-sharebook.ts';
import { openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { ROOT } from '#lib/start/data-folder.ts';
import { findFreePort } from '#lib/start/free-port.ts';
import { removeAbandonedPostgres, startPostgres } from '#lib/start/postgres/embedded-postgres.ts';
import type { Bench, Goal, Measurement, Round } from './goal.ts';

const WITHIN_MS = 600_000;

/** G16: how soon a fresh clone is of use, and how soon it is the second time. */
export const startUp: Goal = {
  id: 'G16',
  title: 'npm start, the first time and the second (on an idle machine)',
  rounds: 1,
  works: {
    cold: { work: 'npm start of a fresh clone until a month can be read', unit: 's', beside: null, goal: { most: 40 } },
    warm: { work: 'npm start the second time until /readyz', unit: 's', beside: null, goal: { most: 1.5 } },
  },
  open: async (bench) => open(bench),
};

async function open({ say }: Bench): Promise<Measurement> {
  async function round(): Promise<Round> {
    const folder = mkdtempSync(path.join(tmpdir(), 'sharebook-clone-'));
    try {
      // The committed files alone, as a clone has them.
      const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: ROOT, maxBuffer: 2 ** 28 });
      execFileSync('tar', ['x', '-C', folder], { input: archive });
      mkdirSync(path.join(folder, '.data'), { recursive: true });
      const cold = await start(folder, say, hasReadableMonth);
      const warm = await start(folder, say, null);
      return { cold: { figure: cold }, warm: { figure: warm } };
    } finally {
      await removeAbandonedPostgres(path.join(folder, '.data', 'postgres'));
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { round, close: async () => undefined };
}

/** Seconds from `npm start` until it is ready, and until `isUsable` holds besides; stops it then. */
async function start(folder: string, say: Bench['say'], isUsable: ((folder: string) => Promise<boolean>) | null): Promise<number> {
  const port = await findFreePort();
  const startedAt = performance.now();
  const env = { ...withoutSettings(process.env), PORT: String(port) };
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: env as NodeJS.Dict<string> as NodeJS.ProcessEnv,
    stdio: ['ignore', 'ignore', 'pipe'],
    // A process group of its own: npm ends before what it started.
    detached: true,
  });
  child.stderr.on('data', (text: Buffer) => say(text.toString().trimEnd()));
  try {
    await until(child, () => isReady(port));
    if (isUsable) await until(child, () => isUsable(folder));
    return (performance.now() - startedAt) / 1000;
  } finally {
    child.kill('SIGTERM');
    while (isRunning(child)) await sleep(20);
  }
}

/** Whether a process of a group runs. */
function isRunning({ pid }: ChildProcess): boolean {
  try {
    return pid !== undefined && process.kill(-pid, 0);
  } catch {
    return false;
  }
}

async function until(child: ChildProcess, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  while (!(await holds())) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`);
    if (performance.now() > deadline) throw new Error(`npm start took longer than ${WITHIN_MS / 1000} s`);
    await sleep(20);
  }
}

async function isReady(port: number): Promise<boolean> {
  return await fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Whether a complete month is stored: joins the database server that `npm start` runs. */
async function hasReadableMonth(folder: string): Promise<boolean> {
  const server = await startPostgres({ folder: path.join(folder, '.data', 'postgres') });
  try {
    await ensureDatabase(server.url, 'sharebook_simulated');
    const { pool, close } = openWithPool(server.databaseUrl('sharebook_simulated'), { poolSize: 1 });
    try {
      const { rowCount } = await pool.query(`select 1 from snapshot where status = 'complete' limit 1`);
      return rowCount === 1;
    } finally {
      await close();
    }
  } finally {
    await server.stop();
  }
}
