import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { identifyProcess, isSameProcess } from '../process-identity.ts';

export type PostmasterNote = { pid: number; port: number };

/** Reads which process says it serves this data, from the file the server keeps there; null when none does. */
export function readPostmaster(data: string): PostmasterNote | null {
  try {
    const lines = fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]) };
  } catch {
    return null;
  }
}

/**
 * Finds the server that already runs over this data: it answers, takes our password and names this folder.
 * Waits for one that is starting or stopping; removes the note of one that is gone. Null when none runs.
 */
export async function findRunningServer(data: string, connectionUrl: (port: number) => string): Promise<PostmasterNote | null> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    const note = readPostmaster(data);
    if (!note) return null;
    if (note.port > 0 && (await serves(connectionUrl(note.port), data))) return note;
    if (!isServerProcess(note.pid, data)) {
      fs.rmSync(path.join(data, 'postmaster.pid'), { force: true });
      return null;
    }
    await sleep(100);
  }
  throw new Error(`The PostgreSQL server over ${data} runs but does not answer.`);
}

/** Stops the server over this data, first politely, and waits until it is gone. */
export async function stopServer(data: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const note = readPostmaster(data);
    if (!note || !isServerProcess(note.pid, data)) return;
    const identity = identifyProcess(note.pid);
    sendSignal(note.pid, signal);
    if (!identity || (await isGone(identity))) return;
  }
}

/** A process that is ending has lost its command line already: only its identity tells when it is gone. */
async function isGone(identity: string): Promise<boolean> {
  const deadline = performance.now() + 15_000;
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

async function serves(url: string, data: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const answer = await client.query<{ data_directory: string }>('show data_directory');
    return path.resolve(answer.rows[0]?.data_directory ?? '') === path.resolve(data);
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A process number is used again after a restart of the machine: the command line must name the data as well. */
function isServerProcess(pid: number, data: string): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 1 || identifyProcess(pid) === null) return false;
  try {
    const command = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.includes('postgres') && command.split('\0').includes(data);
  } catch {
    return true;
  }
}
