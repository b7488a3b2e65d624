import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { NOW, SECRET, type TestEnvironment } from './test-environment.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Compiled code is cached between the many starts: without it, loading the worker takes twice as long. */
const COMPILED = path.join(os.tmpdir(), 'sharebook-test-worker');

export interface RunningWorker {
  child: ChildProcess;
  /** Everything it said so far. */
  said(): string;
  /** Ends it by that signal and resolves with its exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | string | null>;
}

/** Starts the real worker over a testEnv as a process of its own and waits until it hears signals; it ends with the test. */
export async function startWorker(
  testEnv: Pick<TestEnvironment, 'logins' | 'upstream'>,
  { nodeFlags = [], env = {} }: { nodeFlags?: string[]; env?: Record<string, string> } = {},
): Promise<RunningWorker> {
  const child = spawn(process.execPath, [...nodeFlags, 'lib/jobs/worker.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      NODE_COMPILE_CACHE: COMPILED,
      DATABASE_URL: testEnv.logins.worker,
      INVO_GAME: 'demo',
      INVO_GAME_NAME: 'Demo',
      INVO_BASE_URL: testEnv.upstream.url,
      INVO_GAME_SECRET: SECRET,
      SHAREBOOK_NOW: NOW,
      SHAREBOOK_DETAIL_REPORTS: 'off',
      ...env,
    },
  });
  let text = '';
  const ended = once(child, 'exit');
  const ready = new Promise<void>((resolve) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (/"event":"ready"/.test(text)) resolve();
    });
  });
  const worker: RunningWorker = {
    child,
    said: () => text,
    async end(signal) {
      child.kill(signal);
      const [code, by] = (await ended) as [number | null, string | null];
      return code ?? by;
    },
  };
  onTestFinished(async () => void (await worker.end('SIGKILL')));
  await Promise.race([ready, ended]);
  if (child.exitCode !== null) throw new Error(`the worker ended before it was ready: ${text}`);
  return worker;
}
