// Plain JavaScript without packages: bootstrap.mjs locks before anything is installed. Its types are in file-lock.d.mts.
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const BREAK_STALE_MS = 10_000;

export async function withFileLock(file, work, wait_ms = 120_000, signal) {
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
function take(file) {
  const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  fs.writeFileSync(draft, identifyProcess(process.pid) ?? String(process.pid));
  try {
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

function readHolder(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Only one process may remove a dead holder's lock, else the second would remove the lock of the next holder. */
function removeWhenAbandoned(file) {
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

export function identifyProcess(pid) {
  if (!isAlive(pid)) return null;
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces; the fields after it are fixed: state is the 3rd, start time the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return null;
    return `${pid}:${fields[19]}`;
  } catch {
    return `${pid}`;
  }
}

export function isSameProcess(identity) {
  const pid = Number(identity.split(':')[0]);
  return Number.isSafeInteger(pid) && pid > 0 && identifyProcess(pid) === identity;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
