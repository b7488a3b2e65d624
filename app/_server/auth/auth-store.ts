import { createHash } from 'node:crypto';
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import type { BetterAuthOptions } from 'better-auth';
import type { DBAdapter, Where } from 'better-auth/adapters';
import type { Db } from '#db/kit/open.ts';

type Store = Omit<DBAdapter, 'transaction'>;
type Row = Record<string, unknown>;
interface Request {
  model: string;
  where?: Where[] | undefined;
}

/**
 * Where the sign-in library keeps people and sessions: our tables. Two things differ from the library's own store: the token of a
 * session is kept as its SHA-256 only, and instants, which our connections hand over as text, are given to it as dates.
 */
export function authStore(db: Db): (options: BetterAuthOptions) => DBAdapter {
  const open = kyselyAdapter(db, { type: 'postgres', transaction: true });
  return (options) => {
    const store = open(options);
    return { ...wrap(store), transaction: (work) => store.transaction((inner) => work(wrap(inner))) };
  };
}

/** What is stored of a session's token. Hex. */
export function digestToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function wrap<Inner extends Store>(store: Inner): Inner {
  const reads = {
    findOne: async (request: Parameters<Store['findOne']>[0]) => restore(await store.findOne<Row>(hashWhere(request)), request),
    findMany: async (request: Parameters<Store['findMany']>[0]) =>
      (await store.findMany<Row>(hashWhere(request))).map((row) => restore(row, request)),
    count: (request: Parameters<Store['count']>[0]) => store.count(hashWhere(request)),
    consumeOne: async (request: Parameters<Store['consumeOne']>[0]) => restore(await store.consumeOne<Row>(hashWhere(request)), request),
  };
  const writes = {
    create: async (request: Parameters<Store['create']>[0]) => {
      const row = await store.create<Row, Row>({ ...request, data: hashToken(request.model, request.data) });
      return { ...withDates(row), ...(request.model === 'session' ? { token: request.data.token as string } : {}) };
    },
    update: async (request: Parameters<Store['update']>[0]) =>
      restore(await store.update<Row>({ ...hashWhere(request), update: hashToken(request.model, request.update) }), request),
    updateMany: (request: Parameters<Store['updateMany']>[0]) =>
      store.updateMany({ ...hashWhere(request), update: hashToken(request.model, request.update) }),
    delete: (request: Parameters<Store['delete']>[0]) => store.delete(hashWhere(request)),
    deleteMany: (request: Parameters<Store['deleteMany']>[0]) => store.deleteMany(hashWhere(request)),
  };
  // The library types each answer by its caller; rows are the store's own, only token and instants are put back.
  return { ...store, ...reads, ...writes } as unknown as Inner;
}

function hashWhere<R extends Request>(request: R): R {
  if (request.model !== 'session' || !request.where) return request;
  const where = request.where.map((clause) => (clause.field === 'token' ? { ...clause, value: digestValue(clause.value) } : clause));
  return { ...request, where };
}

function digestValue(value: Where['value']): Where['value'] {
  if (Array.isArray(value)) return value.map((each) => digestToken(String(each)));
  return typeof value === 'string' ? digestToken(value) : value;
}

function hashToken<Data extends Row>(model: string, row: Data): Data {
  return model === 'session' && typeof row.token === 'string' ? { ...row, token: digestToken(row.token) } : row;
}

/** The row with dates, and under the token it was asked for by. */
function restore(row: Row | null, request: Request): Row | null {
  if (!row) return null;
  const asked = request.model === 'session' ? request.where?.find((clause) => clause.field === 'token')?.value : undefined;
  const token = [asked].flat().find((each) => typeof each === 'string' && digestToken(each) === row.token);
  return { ...withDates(row), ...(token === undefined ? {} : { token }) };
}

function withDates(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, isRow(value) ? withDates(value) : asDate(key, value)]));
}

function asDate(key: string, value: unknown): unknown {
  return key.endsWith('At') && typeof value === 'string' ? new Date(value) : value;
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
