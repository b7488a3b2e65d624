import 'server-only';
import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

/** The connections of the pages that the current step of a file has. */
const step = new AsyncLocalStorage<{ held: number }>();

/** Makes a pool count what a file takes from it. */
export function guardPages(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  pool.connect = (async () => {
    const file = step.getStore();
    const client = await connect();
    if (file === undefined) return client;
    file.held += 1;
    // The pool gives a client a new `release` each time it lends it.
    const release = client.release;
    client.release = (error) => {
      file.held -= 1;
      release(error);
    };
    return client;
  }) as typeof pool.connect;
}

/**
 * The pieces of a file, which may not keep a connection of the pages from one piece to the next: a reader that stalls would keep it from them.
 * Throws at the first piece that does.
 */
export function withoutPageConnections<Piece>(pieces: AsyncIterable<Piece>): AsyncIterator<Piece> {
  const iterator = pieces[Symbol.asyncIterator]();
  const file = { held: 0 };
  return {
    next: async () => {
      const result = await step.run(file, () => iterator.next());
      if (file.held === 0) return result;
      await iterator.return?.();
      throw new Error('a file holds a connection of the pages between its pieces: write it with downloads()');
    },
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  };
}
