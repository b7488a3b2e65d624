import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './data-folder.ts';
import { identifyProcess, isSameProcess } from './process-identity.ts';
import type { LocalSecrets } from './secrets.ts';

export type SimulatedInvo = { url: string; isJoined: boolean; ended: Promise<void>; stop: () => Promise<void> };
export type SimulatedInvoOptions = {
  dataFolder: string;
  secrets: LocalSecrets;
  env: NodeJS.ProcessEnv;
  show: (line: string) => void;
  startsWithin_ms?: number;
};

const ENTRY = path.join(ROOT, 'e2e', 'upstream', 'start.ts');
const ANSWERS_WITHIN_MS = 2_000;
const STARTS_WITHIN_MS = 30_000;
const STOPS_WITHIN_MS = 5_000;

/** Starts the simulated Invo as a process of its own. It ends by itself when this process does. */
export async function startSimulatedInvo({
  dataFolder,
  secrets,
  env,
  show,
  startsWithin_ms = STARTS_WITHIN_MS,
}: SimulatedInvoOptions): Promise<SimulatedInvo> {
  const child = spawn(process.execPath, [ENTRY], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    env: { ...env, ...upstreamSettings(dataFolder, secrets, env) },
  });
  const ended = once(child, 'exit').then(() => undefined);
  createInterface({ input: child.stderr }).on('line', (line) => show(`simulated Invo | ${line}`));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    if (await Promise.race([ended.then(() => true), sleep(STOPS_WITHIN_MS, false, { ref: false })])) return;
    child.kill('SIGKILL');
    await ended;
  };
  try {
    const line = await firstLine(child, startsWithin_ms);
    return { url: (JSON.parse(line) as { url: string }).url, isJoined: false, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function firstLine(child: ChildProcessByStdio<Writable, Readable, Readable>, within_ms: number): Promise<string> {
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

/** Finds the simulated Invo of a Sharebook that runs over the same data folder; null when none answers. */
export async function joinSimulatedInvo(dataFolder: string): Promise<SimulatedInvo | null> {
  const file = noteOf(dataFolder);
  if (!fs.existsSync(file)) return null;
  const { url, owner } = JSON.parse(fs.readFileSync(file, 'utf8')) as { url: string; owner: string };
  if (!isSameProcess(owner) || !(await answers(url))) return null;
  return { url, isJoined: true, ended: new Promise(() => undefined), stop: async () => undefined };
}

/** Tells other commands over this data folder which simulated Invo to join while this process runs. */
export function publishSimulatedInvo(dataFolder: string, url: string): { withdraw: () => void } {
  const file = noteOf(dataFolder);
  const note = JSON.stringify({ url, owner: identifyProcess(process.pid) });
  fs.writeFileSync(`${file}.part`, note, { mode: 0o600 });
  fs.renameSync(`${file}.part`, file);
  return { withdraw: () => fs.existsSync(file) && fs.readFileSync(file, 'utf8') === note && fs.rmSync(file, { force: true }) };
}

function noteOf(dataFolder: string): string {
  return path.join(dataFolder, 'running.json');
}

function upstreamSettings(dataFolder: string, secrets: LocalSecrets, env: NodeJS.ProcessEnv): NodeJS.Dict<string> {
  return {
    UPSTREAM_PORT: '0',
    UPSTREAM_STATE: path.join(dataFolder, 'simulated'),
    UPSTREAM_SECRET: secrets.simulatedGame,
    UPSTREAM_SANDBOX_SECRET: secrets.simulatedSandboxGame,
    UPSTREAM_WEBHOOK_SECRET: secrets.simulatedWebhook,
    UPSTREAM_PARENT_STDIN: '1',
    ...(env['SHAREBOOK_NOW'] ? { UPSTREAM_NOW: env['SHAREBOOK_NOW'] } : {}),
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS), redirect: 'manual' });
    return true;
  } catch {
    return false;
  }
}
