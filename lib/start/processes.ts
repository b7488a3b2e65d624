import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

export type ProcessPlan = {
  name: string;
  /** What our own Node runs: the file, then its arguments. */
  run: string[];
  env: NodeJS.ProcessEnv;
  /** `stop-all`: nothing works without it. `restart`: it is started again, each time after a longer pause. */
  whenItEnds: 'stop-all' | 'restart';
};

export type Processes = {
  start: (plan: ProcessPlan) => void;
  /** Stops the process of that name, if it runs, and starts it again at once. */
  restart: (name: string) => Promise<void>;
  /** Resolves with a sentence when a process that everything depends on has ended. */
  broken: Promise<string>;
  /** Tells every process to stop, waits, and kills those that don't. */
  stopAll: () => Promise<void>;
};

export type ProcessesOptions = { show: (line: string) => void; pauses_ms?: number[]; grace_ms?: number };

/** One process over its restarts. */
type Supervised = { plan: ProcessPlan; child: ChildProcess | null; failures: number; stopped: AbortController };

const PAUSES_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000];
const STEADY_MS = 60_000;
/** Longer than the web process takes for the requests in progress. */
const GRACE_MS = 30_000;
const EXIT_WITH_PARENT = path.join(import.meta.dirname, 'exit-with-parent.ts');

/** Runs a set of processes together: labelled output, restarts after bounded pauses, one common end. */
export function superviseProcesses({ show, pauses_ms = PAUSES_MS, grace_ms = GRACE_MS }: ProcessesOptions): Processes {
  const supervised = new Map<string, Supervised>();
  const broken = Promise.withResolvers<string>();
  let isStopping = false;

  function start(plan: ProcessPlan): void {
    if (isStopping) return;
    const process: Supervised = { plan, child: null, failures: 0, stopped: new AbortController() };
    supervised.set(plan.name, process);
    launch(process);
  }

  function launch(process: Supervised): void {
    const { plan, stopped } = process;
    const started_at = performance.now();
    const child = spawnLabelled(plan, show);
    process.child = child;
    child.on('error', (error) => show(`${plan.name} | ${error.message}`));
    child.on('close', (code, signal) => {
      process.child = null;
      if (stopped.signal.aborted) return;
      const how = `${plan.name} ended (${signal ?? `exit code ${code}`})`;
      if (plan.whenItEnds === 'stop-all') return broken.resolve(`${how}.`);
      const failures = performance.now() - started_at > STEADY_MS ? 0 : process.failures;
      const pause_ms = pauses_ms[Math.min(failures, pauses_ms.length - 1)] ?? 1_000;
      process.failures = failures + 1;
      show(`${how}; it starts again in ${pause_ms / 1000} s.`);
      sleep(pause_ms, undefined, { signal: stopped.signal }).then(
        () => launch(process),
        () => undefined,
      );
    });
  }

  async function stop(process: Supervised): Promise<void> {
    process.stopped.abort();
    if (process.child) await stopChild(process.child, grace_ms);
  }

  async function restart(name: string): Promise<void> {
    const process = supervised.get(name);
    if (!process) return;
    await stop(process);
    // Only the newest is started: another restart may have started while this one waited.
    if (supervised.get(name) === process) start(process.plan);
  }

  async function stopAll(): Promise<void> {
    isStopping = true;
    await Promise.all([...supervised.values()].map(stop));
  }

  return { start, restart, broken: broken.promise, stopAll };
}

/** Each child leads a process group of its own: Ctrl-C reaches only us, and killing the group reaches its children too. */
function spawnLabelled(plan: ProcessPlan, show: (line: string) => void): ChildProcess {
  const child = spawn(process.execPath, ['--import', EXIT_WITH_PARENT, ...plan.run], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    env: plan.env,
  });
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      if (stripVTControlCharacters(line).trim() !== '') show(`${plan.name} | ${line}`);
    });
  }
  return child;
}

/** Stops a child that leads a process group of its own, kills the group after a while, and waits until the child is gone. */
export async function stopChild(child: ChildProcess, grace_ms: number): Promise<void> {
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

const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

export type Shutdown = {
  /** Aborted by the first INT, TERM or HUP, with its name as the reason. */
  signal: AbortSignal;
  /** Resolves with the exit code a shell expects after that signal: 128 and its number. */
  requested: Promise<number>;
};

/** Watches for a request to shut down. Later signals change nothing, so that a second Ctrl-C leaves no process behind. */
export function watchShutdown(): Shutdown {
  const requested = Promise.withResolvers<number>();
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      controller.abort(name);
      requested.resolve(128 + NUMBERS[name]);
    });
  }
  return { signal: controller.signal, requested: requested.promise };
}
