import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export type ProcessPlan = {
  name: string;
  /** What our own Node runs: the file, then its arguments. */
  run: string[];
  env: NodeJS.ProcessEnv;
  /** `stop-all`: nothing works without it. `restart`: it is started again, each time after a longer pause. */
  whenItDies: 'stop-all' | 'restart';
  /** Lines of its stdout; when absent they are shown like those of stderr. */
  onLine?: (line: string) => void;
};

export type Processes = {
  start: (plan: ProcessPlan) => void;
  /** Resolves with a sentence when a process that everything depends on is gone. */
  broken: Promise<string>;
  /** Asks every process to stop, waits, and forces those that do not. */
  stopAll: () => Promise<void>;
};

export type ProcessesOptions = { show: (line: string) => void; pauses_ms?: number[]; grace_ms?: number };

const PAUSES_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000];
const STEADY_MS = 60_000;
const GRACE_MS = 12_000;
const LEAVE_WITH_PARENT = path.join(import.meta.dirname, 'exit-with-parent.ts');

/** Keeps a set of processes running together: named lines, restarts with bounded pauses, one common end. */
export function superviseProcesses({ show, pauses_ms = PAUSES_MS, grace_ms = GRACE_MS }: ProcessesOptions): Processes {
  const running = new Map<string, ChildProcess>();
  const stopping = new AbortController();
  const broken = Promise.withResolvers<string>();

  function start(plan: ProcessPlan, failures = 0): void {
    if (stopping.signal.aborted) return;
    const started_at = performance.now();
    const child = launch(plan, show);
    running.set(plan.name, child);
    child.on('error', (error) => show(`${plan.name} | ${error.message}`));
    child.on('close', (code, signal) => {
      running.delete(plan.name);
      if (stopping.signal.aborted) return;
      const how = `${plan.name} ended (${signal ?? `exit code ${code}`})`;
      if (plan.whenItDies === 'stop-all') return broken.resolve(`${how}.`);
      const count = performance.now() - started_at > STEADY_MS ? 0 : failures;
      const pause_ms = pauses_ms[Math.min(count, pauses_ms.length - 1)] ?? 1_000;
      show(`${how}; it starts again in ${pause_ms / 1000} s.`);
      sleep(pause_ms, undefined, { signal: stopping.signal }).then(
        () => start(plan, count + 1),
        () => undefined,
      );
    });
  }

  async function stopAll(): Promise<void> {
    stopping.abort();
    await Promise.all([...running.values()].map((child) => stopChild(child, grace_ms)));
  }

  return { start: (plan) => start(plan), broken: broken.promise, stopAll };
}

/** Each child leads a process group of its own: ctrl-C reaches only us, and stopping it reaches its children too. */
function launch(plan: ProcessPlan, show: (line: string) => void): ChildProcess {
  const child = spawn(process.execPath, ['--import', LEAVE_WITH_PARENT, ...plan.run], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    env: plan.env,
  });
  const label = (line: string): void => show(`${plan.name} | ${line}`);
  createInterface({ input: child.stdout }).on('line', plan.onLine ?? label);
  createInterface({ input: child.stderr }).on('line', label);
  return child;
}

async function stopChild(child: ChildProcess, grace_ms: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const isGone = await Promise.race([gone.then(() => true), sleep(grace_ms, false, { ref: false })]);
  if (isGone) return;
  killGroup(child.pid);
  await gone;
}

function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
