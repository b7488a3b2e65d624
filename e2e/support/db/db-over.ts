import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import Cursor from 'pg-cursor';
import type { Db } from '#db/kit/open.ts';
import type { Database } from '#db/types.ts';

/** A handle whose statements a test watches or breaks: `see` is called with each before it is sent, and what it throws is the statement's error. */
export function dbOver(pool: PostgresPool, see: (text: string) => void | Promise<void>): Db {
  const connect = async (): ReturnType<PostgresPool['connect']> => {
    const client = await pool.connect();
    const send = async (text: string, values: unknown[]): Promise<unknown> => {
      await see(text);
      return await client.query(text, values);
    };
    // A cursor is handed over as it is: it has no text.
    const query = (text: unknown, values: unknown[]): unknown =>
      typeof text === 'string' ? send(text, values) : (client.query as (cursor: unknown) => unknown).call(client, text);
    return { query, release: (isBroken?: boolean) => client.release(isBroken) } as unknown as Awaited<ReturnType<PostgresPool['connect']>>;
  };
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool: { connect, end: async () => undefined, options: pool.options }, cursor: Cursor }),
  });
}
