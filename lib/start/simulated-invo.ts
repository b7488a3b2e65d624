import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalSecrets, ROOT } from './data-folder.ts';
import { identifyProcess, isSameProcess, withFileLock } from './file-lock.mjs';
import { stopChild } from './processes.ts';

export type SimulatedInvo = {
  url: string;
  /** Resolves when it ends without having been stopped or restarted here. */
  ended: Promise<void>;
  /** Starts it again with its current source files, at the same address and with the same state. Throws when it does not start. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
};

export type SimulatedInvoOptions = {
  dataFolder: string;
  secrets: LocalSecrets;
  env: NodeJS.ProcessEnv;
  show: (line: string) => void;
  startsWithin_ms?: number;
};

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const ENTRY = path.join(ROOT, 'e2e', 'upstream', 'start.ts');
const ANSWERS_WITHIN_MS = 2_000;
const STARTS_WITHIN_MS = 30_000;
const STOPS_WITHIN_MS = 5_000;

/** Starts the simulated Invo as a separate process, which ends when this process does. */
export async function startSimulatedInvo(options: SimulatedInvoOptions): Promise<SimulatedInvo> {
  const ended = Promise.withResolvers<void>();
  let current: Child | null = null;

  async function launch(port: string): Promise<string> {
    const child = spawnInvo(options, port);
    current = child;
    child.once('exit', () => {
      if (current === child) ended.resolve();
    });
    try {
      const line = await firstLine(child, options.startsWithin_ms ?? STARTS_WITHIN_MS);
      return (JSON.parse(line) as { url: string }).url;
    } catch (error) {
      await stop();
      throw error;
    }
  }

  async function stop(): Promise<void> {
    const child = current;
    current = null;
    if (child) await stopChild(child, STOPS_WITHIN_MS);
  }

  const url = await launch('0');
  const restart = async (): Promise<void> => {
    await stop();
    await launch(new URL(url).port);
  };
  return { url, ended: ended.promise, restart, stop };
}

function spawnInvo({ dataFolder, secrets, env, show }: SimulatedInvoOptions, port: string): Child {
  const child = spawn(process.execPath, [ENTRY], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    env: {
      ...env,
      SHAREBOOK_PAYEE_KEY: undefined,
      SHAREBOOK_PAYEE_KEY_PREVIOUS: undefined,
      ...upstreamSettings(dataFolder, secrets, env),
      UPSTREAM_PORT: port,
    },
  });
  createInterface({ input: child.stderr }).on('line', (line) => show(`simulated Invo | ${line}`));
  return child;
}

function upstreamSettings(dataFolder: string, secrets: LocalSecrets, env: NodeJS.ProcessEnv): NodeJS.Dict<string> {
  return {
    UPSTREAM_STATE: path.join(dataFolder, 'simulated'),
    UPSTREAM_SECRET: secrets.simulatedGame,
    UPSTREAM_SANDBOX_SECRET: secrets.simulatedSandboxGame,
    UPSTREAM_WEBHOOK_SECRET: secrets.simulatedWebhook,
    UPSTREAM_WEBHOOK_URL: `http://127.0.0.1:${env['PORT'] || '3000'}/api/invo/demo/webhook`,
    UPSTREAM_PARENT_STDIN: '1',
    ...(env['SHAREBOOK_NOW'] ? { UPSTREAM_NOW: env['SHAREBOOK_NOW'] } : {}),
  };
}

async function firstLine(child: Child, within_ms: number): Promise<string> {
  const settled = new AbortController();
  const late = sleep(within_ms, undefined, { signal: settled.signal }).then(() => `did not listen within ${within_ms / 1000} s`);
  const gone = once(child, 'exit', { signal: settled.signal }).then(() => 'ended before it listened');
  const line = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const failed = Promise.race([late, gone]).then((how) => Promise.reject(new Error(`The simulated Invo ${how}.`)));
  try {
    return (await Promise.race([line, failed]))[0];
  } finally {
    settled.abort();
    failed.catch(() => undefined);
  }
}

/** Finds the simulated Invo that another process has published for this data folder; null when none answers. */
export async function findSimulatedInvo(dataFolder: string): Promise<{ url: string } | null> {
  const note = readNote(dataFolder);
  return note && (await answers(note.url)) ? { url: note.url } : null;
}

/**
 * Starts a simulated Invo that other commands over this data folder use while this process runs; `stop` withdraws it.
 * Throws when another process has published one: two would write the same state.
 */
export async function publishSimulatedInvo(options: SimulatedInvoOptions): Promise<SimulatedInvo> {
  const file = noteOf(options.dataFolder);
  return withFileLock(`${file}.lock`, async () => {
    const other = readNote(options.dataFolder);
    if (other) throw new Error(alreadyRunning(options.dataFolder, Number.parseInt(other.owner, 10)));
    const invo = await startSimulatedInvo(options);
    const note = JSON.stringify({ url: invo.url, owner: identifyProcess(process.pid) });
    fs.writeFileSync(`${file}.part`, note, { mode: 0o600 });
    fs.renameSync(`${file}.part`, file);
    const stop = async (): Promise<void> => {
      if (fs.existsSync(file) && fs.readFileSync(file, 'utf8') === note) fs.rmSync(file, { force: true });
      await invo.stop();
    };
    return { ...invo, stop };
  });
}

function alreadyRunning(dataFolder: string, pid: number): string {
  const inside = path.relative(ROOT, dataFolder);
  const where = inside.startsWith('..') ? dataFolder : inside;
  return `Sharebook is already running over ${where} (process ${pid}). Stop it first, or set SHAREBOOK_DATA to run a second one over another folder.`;
}

/** What another process has published; null when there is nothing or that process is gone. */
function readNote(dataFolder: string): { url: string; owner: string } | null {
  const file = noteOf(dataFolder);
  if (!fs.existsSync(file)) return null;
  const note = JSON.parse(fs.readFileSync(file, 'utf8')) as { url: string; owner: string };
  return isSameProcess(note.owner) ? note : null;
}

function noteOf(dataFolder: string): string {
  return path.join(dataFolder, 'running.json');
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS), redirect: 'manual' });
    return true;
  } catch {
    return false;
  }
}
