import { once } from 'node:events';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { expect } from 'vitest';
import type { Db } from '#db/kit/open.ts';
import type { Database } from '#db/types.ts';

/** A database over connections of which the one in a transaction is cut before, or right after, its `index`th statement. `wasCut`: whether it was. */
function cutAt(source: pg.Pool, index: number, when: 'before' | 'after'): { db: Db; wasCut: () => boolean } {
  let count = 0;
  let wasCut = false;
  const cut = (client: pg.PoolClient): void => {
    wasCut = true;
    (client as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy();
  };
  const connect = async (): Promise<pg.PoolClient> => {
    const client = await source.connect();
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    let isInTransaction = false;
    const counted = (...args: unknown[]): unknown => {
      isInTransaction ||= args[0] === 'begin';
      if (!isInTransaction) return query(...args);
      count++;
      if (wasCut || count !== index) return query(...args);
      if (when === 'before') {
        cut(client);
        return query(...args);
      }
      const answer = query(...args);
      if (!(answer instanceof Promise)) return answer;
      return answer.then(async () => {
        cut(client);
        // Until then the pool would hand the connection out again.
        await once(client, 'end');
        throw new Error('the answer was lost');
      });
    };
    return new Proxy(client, { get: (target, key) => (key === 'query' ? counted : bound(target, key)) });
  };
  const pool = new Proxy(source, { get: (target, key) => (key === 'connect' ? connect : bound(target, key)) });
  return { db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }), wasCut: () => wasCut };
}

function bound(target: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key, target);
  return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
}

/**
 * Cuts an act at its statements, before and after them, until it runs to its end; what `settled` checks holds after every cut. `every`: which statements are cut, 1: each
 * one. Returns how many cuts.
 */
export async function cutEverywhere(
  { pool, every }: { pool: pg.Pool; every: number },
  act: (db: Db) => Promise<unknown>,
  settled: () => Promise<void>,
): Promise<number> {
  let cuts = 0;
  for (const [first, when] of [
    [1, 'before'],
    [every === 1 ? 1 : 2, 'after'],
  ] as const) {
    for (let index = first; ; index += every) {
      const { db, wasCut } = cutAt(pool, index, when);
      const answer = await act(db).catch(() => null);
      await settled();
      if (!wasCut()) {
        expect(answer).not.toBeNull();
        break;
      }
      cuts++;
    }
  }
  return cuts;
}
