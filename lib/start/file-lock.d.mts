/**
 * Runs the work while this process alone holds the lock file; waits for a living holder, takes over from a dead one.
 * Throws when a living holder keeps it longer than `wait_ms`, and when `signal` is aborted while waiting.
 */
export function withFileLock<T>(file: string, work: () => Promise<T>, wait_ms?: number, signal?: AbortSignal): Promise<T>;

/**
 * Names a running process so that a later process with the same number is not taken for it: the number and, where
 * the system tells, the instant it started. Null when no such process runs.
 */
export function identifyProcess(pid: number): string | null;

/** Tells whether the process an identity was taken from still runs. */
export function isSameProcess(identity: string): boolean;
