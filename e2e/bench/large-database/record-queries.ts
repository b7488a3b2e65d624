import type pg from 'pg';

/** A query as a pool was given it. */
export interface GivenQuery {
  text: string;
  values: unknown[];
}

/** Records the queries of every client a pool will create. The returned function runs `work` and returns the queries sent meanwhile. */
export function recordQueries(pool: pg.Pool): (work: () => Promise<unknown>) => Promise<GivenQuery[]> {
  let recording: GivenQuery[] | null = null;
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const recorded = (...args: unknown[]): unknown => {
      const [first, second] = args;
      if (typeof first === 'string') recording?.push({ text: first, values: Array.isArray(second) ? second : [] });
      return query(...args);
    };
    Object.assign(client, { query: recorded });
  });
  return async (work) => {
    const mine: GivenQuery[] = [];
    recording = mine;
    try {
      await work();
    } finally {
      recording = null;
    }
    return mine;
  };
}
