import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findDataDirectory } from '#db/kit/administer.ts';
import { identifyProcess, isSameProcess } from '../file-lock.mjs';

export type PostmasterNote = { pid: number; port: number };

const ANSWERS_WITHIN_MS = 60_000;
const STOPS_WITHIN_MS = 15_000;
const LOOK_MS = 1_000;
const CONNECT_MS = 3_000;

/** Reads from `postmaster.pid` which process serves this data; null when there is no such file. */
export function readPostmaster(data: string): PostmasterNote | null {
  try {
    const lines = fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]) };
  } catch {
    return null;
  }
}

/**
 * Finds the server that already runs over this data: it answers, accepts our password and names this directory.
 * Waits for one that is starting or stopping, and removes the `postmaster.pid` of a dead one. Null when none runs.
 */
export async function findRunningServer(data: string, connectionUrl: (port: number) => string): Promise<PostmasterNote | null> {
  const deadline = performance.now() + ANSWERS_WITHIN_MS;
  while (performance.now() < deadline) {
    const note = readPostmaster(data);
    if (!note) return null;
    const served = note.port > 0 ? await findDataDirectory(connectionUrl(note.port), CONNECT_MS) : null;
    if (served !== null && path.resolve(served) === path.resolve(data)) return note;
    if (!isServerProcess(note.pid, data)) {
      fs.rmSync(path.join(data, 'postmaster.pid'), { force: true });
      return null;
    }
    await sleep(100);
  }
  throw new Error(`The PostgreSQL server over ${data} is running but does not answer.`);
}

/** Stops the server over this data, gracefully first, and waits until it is gone. */
export async function stopServer(data: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const note = readPostmaster(data);
    if (!note || !isServerProcess(note.pid, data)) return;
    const identity = identifyProcess(note.pid);
    sendSignal(note.pid, signal);
    if (!identity || (await isGone(identity))) return;
  }
}

/** Resolves once the server over this data has ended, for whatever reason. Waiting doesn't hold the process open. */
export async function whenGone(data: string): Promise<void> {
  for (let note = readPostmaster(data); note && identifyProcess(note.pid) !== null; note = readPostmaster(data)) {
    await sleep(LOOK_MS, undefined, { ref: false });
  }
}

/** A process that is ending has already lost its command line: only its identity shows when it is gone. */
async function isGone(identity: string): Promise<boolean> {
  const deadline = performance.now() + STOPS_WITHIN_MS;
  while (performance.now() < deadline) {
    if (!isSameProcess(identity)) return true;
    await sleep(20);
  }
  return false;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** After a restart of the machine a process id may belong to another program: the command line must name the data as well. */
function isServerProcess(pid: number, data: string): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 1 || identifyProcess(pid) === null) return false;
  try {
    const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.includes('postgres') && command.split('\0').includes(data);
  } catch {
    return true;
  }
}
