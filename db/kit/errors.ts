/** Whether an error says that no connection of a pool became free in time. The pool gives it no code. */
export function isPoolBusy(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect';
}

/** Whether an error is of a row that a unique constraint or index refuses. On a distributed database the name has the number of a shard, and no field of its own. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return false;
  return new RegExp(`"${constraint}(_\\d+)?"`).test(error.message);
}
