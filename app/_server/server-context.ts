import 'server-only';
import { AsyncLocalStorage } from 'node:async_hooks';
import { cache } from 'react';
import { type Db, findDatabaseNow, type OpenDb, openDb } from '#db/kit/open.ts';
import { type CompleteReads, openCompleteReads, type ReadComplete } from '#db/kit/replica.ts';
import { type Config, clockOf, readConfig } from '#lib/config.ts';
import { STATEMENT_RECORD } from '#lib/observability/instruments.ts';

declare global {
  /** One per process: a second copy of this module (development reloads it) must not open a second pool. The server closes it when it stops. */
  var sharebookContext: ServerContext | undefined;
}

/** Nobody waits longer for a page. */
const PAGE_STATEMENT_MS = 30_000;

/** A database that takes longer is not ready. */
export const PROBE_MS = 2_000;

/** Files that are written as they are read, at a time in one process. */
const DOWNLOADS_AT_ONCE = 4;

/** A million lines take about a second; a slow line gets this long. */
export const DOWNLOAD_MS = 30 * 60_000;

interface ServerContext {
  config?: Config;
  pages?: OpenDb;
  downloads?: OpenDb;
  probe?: OpenDb;
  completeReads?: CompleteReads;
  /** Whether what runs now writes a file. Every copy of this module must ask the same. */
  inFile: AsyncLocalStorage<true>;
  /** Closes every pool that is open. */
  close: () => Promise<void>;
}

function context(): ServerContext {
  return (globalThis.sharebookContext ??= { inFile: new AsyncLocalStorage(), close: closeAll });
}

/** The validated configuration. Read when first requested, so that a build needs none. */
export function config(): Config {
  return (context().config ??= readConfig(process.env));
}

/** The secret that signs session cookies and seals second factors. Throws when it is missing or short. */
export function authSecret(): string {
  const secret = process.env.SHAREBOOK_AUTH_SECRET ?? '';
  if (secret.length < 32)
    throw new Error('SHAREBOOK_AUTH_SECRET is missing or shorter than 32 characters; `npm start` creates and stores one.');
  return secret;
}

/** The data folder of this process; null: it has none. */
export function dataFolder(): string | null {
  return process.env.SHAREBOOK_DATA || null;
}

/** The key that payment details are sealed under; null: it isn't set, and their pages say so. */
export function payeeKey(): Uint8Array | null {
  return config().payeeKey;
}

/** The database, through one pool per process that connects when first used. */
export function db(): Db {
  return (context().pages ??= openDb(config().databaseUrl, {
    statement_ms: PAGE_STATEMENT_MS,
    record: STATEMENT_RECORD,
    onStream: refuseInFile,
  })).db;
}

/** The connection of `/readyz`: one connection of its own, so that probes take none from the pages, however many come. */
export function probe(): Db {
  return (context().probe ??= openDb(config().databaseUrl, { poolSize: 1, connect_ms: PROBE_MS, statement_ms: PROBE_MS })).db;
}

/** Connections for files alone: readers that stall take none from the pages. Short, so that a file that has to wait is refused soon. */
export function downloads(): OpenDb {
  return (context().downloads ??= openDb(config().databaseUrl, {
    poolSize: DOWNLOADS_AT_ONCE,
    connect_ms: 2_000,
    statement_ms: DOWNLOAD_MS,
    record: STATEMENT_RECORD,
  }));
}

/** The reads of complete months: by the replica of DATABASE_READ_URL where it has them, otherwise by the database. */
export function completeReads(): CompleteReads {
  return (context().completeReads ??= openCompleteReads({ primary: db(), url: config().databaseReadUrl, record: STATEMENT_RECORD }));
}

/** Reads something of a complete month that never changes, and nothing else: see `ReadComplete`. */
export const readComplete: ReadComplete = (find) => completeReads().read(find);

async function closeAll(): Promise<void> {
  const { pages, downloads: files, probe: probes, completeReads: reads } = context();
  await Promise.all([pages?.close(), files?.close(), probes?.close(), reads?.close()]);
}

/** The instant it is, UTC, ending in Z; fixed where the configuration fixes it. */
export function now(): string {
  return clockOf(config())();
}

/** The instant it is by the clock that stored times come from, once per request: the age of something stored is measured by it alone. */
export const storedNow: () => Promise<string> = cache(async () => await findDatabaseNow(db()));

function refuseInFile(): void {
  if (context().inFile.getStore()) throw new Error('a file reads rows in parts over a connection of the pages: write it with downloads()');
}

/**
 * The pieces of a file, which may read no rows in parts over a connection of the pages: a reader that stalls would keep it from them. What reads some,
 * however few, throws.
 */
export function withoutPageConnections<Piece>(pieces: AsyncIterable<Piece>): AsyncIterator<Piece> {
  const iterator = pieces[Symbol.asyncIterator]();
  return {
    next: async () => await context().inFile.run(true, () => iterator.next()),
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  };
}
