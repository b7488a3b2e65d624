import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 1_000;

/** Resolves once the PostgreSQL of a data folder is gone, whoever ended it. Looking keeps no process alive. */
export async function whenGone(dataFolder: string): Promise<void> {
  while (isThere(dataFolder)) await sleep(LOOK_MS, undefined, { ref: false });
}

function isThere(dataFolder: string): boolean {
  try {
    const pid = Number(fs.readFileSync(path.join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A server of another user is there, too.
    return error instanceof Error && (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
