/** The state of the read replica for operators; `problem` is null when reads use it. Lag in seconds; null: not known. */
export interface ReplicaFacts {
  problem: keyof typeof REPLICA_PROBLEMS | null;
  lag_seconds: number | null;
}

const FALLBACK = 'Complete months are read from the primary.';

const REPLICA_PROBLEMS = {
  unreachable: 'The read replica can’t be reached.',
  not_a_replica: 'The server of DATABASE_READ_URL accepts writes: it isn’t a replica, and it isn’t used.',
  foreign: 'The server of DATABASE_READ_URL is a replica of another database, or of another history of this one: it isn’t used.',
  lagging: 'The read replica lags too far behind.',
} as const;

/** The state of the read replica in one or two sentences, with its lag. */
export function formatReplica({ problem, lag_seconds }: ReplicaFacts): string {
  if (problem !== null) {
    const lag = problem === 'lagging' && lag_seconds !== null ? ` Lag: ${formatSeconds(lag_seconds)}.` : '';
    return `${REPLICA_PROBLEMS[problem]}${lag} ${FALLBACK}`;
  }
  return lag_seconds === 0 ? 'The read replica is up to date.' : `The read replica lags ${formatSeconds(lag_seconds ?? 0)} behind.`;
}

function formatSeconds(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}
