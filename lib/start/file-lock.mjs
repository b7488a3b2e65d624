import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess, isSameProcess } from './process-identity.ts';

const BREAK_STALE_MS = 10_000;

/**
 * Runs the work while this process alone holds the lock file; waits for a living holder, takes over from a dead one.
 * Throws when a living holder keeps it longer than `wait_ms`, and when `signal` is aborted while waiting.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>, wait_ms = 120_000, signal?: AbortSignal): Promise<T> {
  const deadline = performance.now() + wait_ms;
  while (!take(file)) {
    if (performance.now() > deadline) throw new Error(`${file} is held by process ${readHolder(file) ?? '(unknown)'}.`);
    removeWhenAbandoned(file);
    await sleep(50, undefined, signal ? { signal } : {});
  }
  try {
    return await work();
  } finally {
    fs.rmSync(file, { force: true });
  }
}

/** A link appears with its content at once, so a lock never exists without the name of its holder. */
function take(file: string): boolean {
  const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  fs.writeFileSync(draft, identifyProcess(process.pid) ?? String(process.pid));
  try {
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

function readHolder(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Only one process may remove a dead holder's lock, else the second would remove the lock of the next holder. */
function removeWhenAbandoned(file: string): void {
  const holder = readHolder(file);
  if (holder === null || isSameProcess(holder)) return;
  const breaking = `${file}.break`;
  try {
    fs.mkdirSync(breaking);
  } catch {
    const made = fs.statSync(breaking, { throwIfNoEntry: false });
    if (made && Date.now() - made.mtimeMs > BREAK_STALE_MS) fs.rmSync(breaking, { recursive: true, force: true });
    return;
  }
  if (readHolder(file) === holder) fs.rmSync(file, { force: true });
  fs.rmSync(breaking, { recursive: true, force: true });
}
