import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestPull } from '#lib/evidence/pull/request-pull.ts';
import { openGame } from '#lib/games/open-game.ts';
import { workerPlan } from '#lib/start/serve.ts';
import { createUpstream } from '../upstream/server.ts';
import type { Bench, Goal, Measurement, Round } from './goal.ts';
import { gameAt, NOW, OCTOBER, openPullBench, SECRET } from './pull-bench.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MEMORY_MOST_MB = 350;
const PULL_MOST_MS = 600_000;

/** G17, the worker: its memory while it pulls a maximal month. */
export const workerMemory: Goal = {
  id: 'G17',
  title: 'memory of the worker',
  rounds: 1,
  works: { pull: { work: 'worker, pull of a maximal month', unit: 'MB', beside: null, goal: { most: MEMORY_MOST_MB } } },
  open,
};

async function open(bench: Bench): Promise<Measurement> {
  const pulls = await openPullBench(false);
  let number = 0;
  async function round(): Promise<Round> {
    number += 1;
    const upstream = await createUpstream({ now: NOW, world: 'max-month' });
    await fetch(`${upstream.controlUrl}/game`, { method: 'POST', body: JSON.stringify({ rateLimit: false }) });
    const open = await pulls.openDatabase(`bench_memory_${number}`);
    const config = gameAt(upstream.url);
    const game = await openGame(open.db, config, { settleLag_minutes: 15, now: () => NOW });
    const worker = spawn(process.execPath, workerPlan(process.env).run, {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'test',
        DATABASE_URL: open.url,
        INVO_GAME: config.slug,
        INVO_GAME_NAME: config.name,
        INVO_BASE_URL: upstream.url,
        INVO_GAME_SECRET: SECRET,
        SHAREBOOK_NOW: NOW,
      },
    });
    const ended = once(worker, 'exit');
    const request = { gameId: game.gameId, window: OCTOBER, isFresh: true, requestedBy: 'bench', now: NOW, settleLag_minutes: 15 };
    const requested = await requestPull(open.db, request);
    if (!requested.ok) throw new Error(`the pull was refused: ${requested.reason}`);
    const until = Date.now() + PULL_MOST_MS;
    for (;;) {
      const pull = await open.db
        .selectFrom('pull')
        .select(['state', 'failure_message'])
        .where('pull_id', '=', requested.pullId)
        .executeTakeFirst();
      if (pull?.state === 'done') break;
      if (pull?.state === 'failed' || worker.exitCode !== null || Date.now() > until)
        throw new Error(`the pull did not end: ${pull?.failure_message ?? pull?.state}`);
      await sleep(250);
    }
    const peak = peakOf(worker.pid ?? 0);
    worker.kill('SIGTERM');
    await ended;
    await open.close();
    await upstream.close();
    bench.say(`G17: worker at most ${Math.round(peak)} MB`);
    return { pull: { figure: peak } };
  }
  return { round, close: () => pulls.close() };
}

/** The most memory a process ever had resident, in MB. */
function peakOf(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
