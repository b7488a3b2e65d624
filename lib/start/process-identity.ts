import fs from 'node:fs';

/**
 * Names a running process so that a later process with the same number is not taken for it: the number and, where
 * the system tells, the instant it started. Null when no such process runs.
 */
export function identifyProcess(pid: number): string | null {
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

/** Tells whether the process an identity was taken from still runs. */
export function isSameProcess(identity: string): boolean {
  const pid = Number(identity.split(':')[0]);
  return Number.isSafeInteger(pid) && pid > 0 && identifyProcess(pid) === identity;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
