import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './data-folder.ts';
import { identifyProcess, isSameProcess } from './process-identity.ts';
import type { LocalSecrets } from './secrets.ts';

export type SimulatedInvo = { url: string; isJoined: boolean; ended: Promise<void>; stop: () => Promise<void> };
export type SimulatedInvoOptions = { dataFolder: string; secrets: LocalSecrets; env: NodeJS.ProcessEnv; show: (line: string) => void };

const ENTRY = path.join(ROOT, 'e2e', 'upstream', 'start.ts');
const ANSWERS_WITHIN_MS = 2_000;
const STARTS_WITHIN_MS = 30_000;
const STOPS_WITHIN_MS = 5_000;

/** Starts the simulated Invo as a process of its own. It ends by itself when this process does. */
export async function startSimulatedInvo({ dataFolder, secrets, env, show }: SimulatedInvoOptions): Promise<SimulatedInvo> {
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
  const failed = ended.then(() => Promise.reject(new Error('The simulated Invo ended before it listened.')));
  failed.catch(() => undefined);
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), failed, tooLate(stop)])) as [string];
  return { url: (JSON.parse(line) as { url: string }).url, isJoined: false, ended, stop };
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

async function tooLate(stop: () => Promise<void>): Promise<never> {
  await sleep(STARTS_WITHIN_MS, undefined, { ref: false });
  await stop();
  throw new Error(`The simulated Invo did not listen within ${STARTS_WITHIN_MS / 1000} s.`);
}
