import type { Db } from '#db/kit/open.ts';

/** A handle that does something before each transaction it starts, as another process could. What it reads outside of one is as before. */
export function beforeTransaction(db: Db, hook: () => Promise<unknown>): Db {
  const transaction = () => ({
    execute: async <T>(work: (tx: Db) => Promise<T>): Promise<T> => {
      await hook();
      return await db.transaction().execute(work);
    },
  });
  return new Proxy(db, {
    get: (target, key) => {
      if (key === 'transaction') return transaction;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
