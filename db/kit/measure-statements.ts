import type pg from 'pg';

/** Told of every statement of a pool; `begun` is called by the code that sends it. */
export interface StatementRecord {
  begun: () => void;
  ended: (duration_ms: number) => void;
}

/** Reports every statement that a pool's clients send, BEGIN and COMMIT included. COPY and cursors are counted and not timed. */
export function measureStatements(pool: pg.Pool, record: StatementRecord): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const measured = (...args: unknown[]): unknown => {
      const begun_at = performance.now();
      record.begun();
      const answer = query(...args);
      if (answer instanceof Promise) {
        const end = (): void => record.ended(performance.now() - begun_at);
        answer.then(end, end);
      }
      return answer;
    };
    // Same parameters, same answer: only the record is added.
    client.query = measured as typeof client.query;
  });
}
