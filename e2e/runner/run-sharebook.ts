import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '#lib/start/data-folder.ts';

/** Spared in data nobody needs after the run: what only a power failure would lose. */
export const THROW_AWAY_FLAGS = 'fsync=off,synchronous_commit=off,full_page_writes=off';

const LEAVE_WITH_PARENT = path.join(ROOT, 'lib/start/exit-with-parent.ts');
/** In the data folder: what a Sharebook under test has logged. */
export const LOG_FILE = 'sharebook.log';
const READY = /^Sharebook is ready at /;

export interface RunningSharebook {
  origin: string;
  /** What it printed on its standard output until it was ready. */
  lines: string[];
  /** What it and its processes have logged so far; the same is in `sharebook.log` of its data folder. */
  log: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts a Sharebook as `npm start` does, over that data folder, and resolves once it has printed how to sign in. Of the
 * environment only `settings` reach it: no game and no database that is configured outside. Throws with what it printed when it ends first.
 */
export async function runSharebook(port: number, dataFolder: string, settings: Record<string, string>): Promise<RunningSharebook> {
  const env = {
    ...withoutSettings(process.env),
    SHAREBOOK_POSTGRES_FLAGS: THROW_AWAY_FLAGS,
    // Specs count refunds: there are none unless a test requests them.
    SHAREBOOK_DEMO_REFUNDS: 'off',
    // Specs prepare the runs they need.
    SHAREBOOK_DEMO_YEAR: 'off',
    // Specs count calls: a month's detail reports are read when a test requests them.
    SHAREBOOK_DETAIL_REPORTS: 'off',
    ...settings,
    PORT: String(port),
    SHAREBOOK_DATA: dataFolder,
  };
  const child = spawn(process.execPath, ['--import', LEAVE_WITH_PARENT, 'lib/start/start.ts'], {
    cwd: ROOT,
    env: env as NodeJS.Dict<string> as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => printed.push(line));
  child.stderr.pipe(fs.createWriteStream(path.join(dataFolder, LOG_FILE)));
  const lines: string[] = [];
  // What is printed once it is ready ends with an empty line.
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line === '' && lines.some((each) => READY.test(each))) break;
  }
  if (!lines.some((line) => READY.test(line))) throw new Error(`Sharebook did not start:\n${printed.join('\n')}`);
  child.stdout.resume();
  return { origin: `http://127.0.0.1:${port}`, lines, log: printed, stop: () => stop(child) };
}

/** Runs the operator's command beside a Sharebook, over its data folder and settings, with a text on stdin. Returns what it printed; throws when it fails. */
export function runOperatorCommand(argv: string[], dataFolder: string, settings: Record<string, string>, stdin: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['lib/start/command.ts', ...argv], {
    cwd: ROOT,
    env: { ...withoutSettings(process.env), ...settings, SHAREBOOK_DATA: dataFolder } as NodeJS.Dict<string> as NodeJS.ProcessEnv,
    input: stdin,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}:\n${stderr}`);
  return stdout;
}

/** The environment without what is configured for a real game, a real database or another Sharebook. Tests may get a cluster of their own. */
export function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.Dict<string> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(INVO_|SHAREBOOK_(?!CITUS_URL$)|DATABASE_(READ_)?URL$|PORT$|HOST$|NODE_ENV$)/.test(name)),
  );
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
