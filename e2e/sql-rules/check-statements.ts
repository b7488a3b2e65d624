import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type CompiledQuery, DefaultQueryExecutor } from 'kysely';
import { loadModule } from 'libpg-query';
import pg from 'pg';
import { afterAll, expect } from 'vitest';
import { type Catalog, readCatalog } from './catalog.ts';
import { EVERY_GAME } from './every-game.ts';
import { findBreaches } from './rules.ts';

/** Where a statement was sent from. */
interface Sender {
  file: string;
  name: string;
}

interface Check {
  catalog: Catalog;
  /** Texts that were judged: each once a process. */
  judged: Set<string>;
  /** What statements break that the present test file was the first to send. */
  breaches: Set<string>;
}

const ROOT = path.resolve(import.meta.dirname, '../..');
/** What sends for others, and what belongs to the administrator. */
const PASSED_ON = /^(node_modules\/|db\/kit\/(open|copy|copy-csv|list|rank-list|paging)\.ts$|e2e\/sql-rules\/)/;
const NOT_OURS = /^(e2e|db\/migrations)\/|\/testing\/|\.test\.tsx?$|^db\/kit\/(migrate|rights|administer)\.ts$/;

await loadModule();

/** A process runs many test files, and this file again before each of them. */
const shared = globalThis as { sqlRules?: Check };
const check = (shared.sqlRules ??= watchStatements());

afterAll(() => {
  const breaches = [...check.breaches];
  check.breaches.clear();
  expect(breaches, 'statements that break the rules of e2e/sql-rules').toEqual([]);
});

/** Judges the statements of each handle, before they are sent. Those that a test writes itself don't count. */
function watchStatements(): Check {
  const found: Check = { catalog: readCatalog(), judged: new Set(), breaches: new Set() };
  const judgeOnce = (text: unknown): void => void (typeof text === 'string' && !found.judged.has(text) && judge(text, found));
  const { executeQuery, stream } = DefaultQueryExecutor.prototype;
  DefaultQueryExecutor.prototype.executeQuery = function judged(query: CompiledQuery, ...rest) {
    // The text of a COPY from here is a stream; its rows name their game.
    judgeOnce(query.sql);
    return executeQuery.call(this, query, ...rest) as never;
  };
  DefaultQueryExecutor.prototype.stream = function judged(query: CompiledQuery, ...rest) {
    judgeOnce(query.sql);
    return stream.call(this, query, ...rest) as never;
  };
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = function judged(this: pg.Client, ...args: unknown[]) {
    // Only a COPY of a query goes past Kysely.
    if (args[0] instanceof Readable && 'text' in args[0]) judgeOnce(args[0].text);
    return Reflect.apply(query, this, args);
  } as typeof query;
  return found;
}

function judge(text: string, { catalog, judged, breaches }: Check): void {
  const sender = findSender();
  if (NOT_OURS.test(sender.file)) return;
  judged.add(text);
  const { games, clocks, locks, refused } = findBreaches(text, catalog);
  const excused = EVERY_GAME[sender.name]?.tables ?? [];
  const broken = [
    ...games.filter((reference) => !excused.some((table) => reference.startsWith(`${table} `))),
    ...clocks,
    ...locks,
    ...refused,
  ];
  if (broken.length > 0) breaches.add(`${sender.file}, ${sender.name}: ${[...new Set(broken)].join('; ')}`);
}

/** The function that sends the statement: the first on the stack that doesn't send for others. */
function findSender(): Sender {
  const [sender, ...callers] = listCalls().filter(({ file }) => !PASSED_ON.test(file));
  if (sender === undefined) return { file: 'unknown', name: 'unknown' };
  const named = [sender, ...callers].find(({ file, name }) => file === sender.file && name !== '');
  return named ?? sender;
}

function listCalls(): Sender[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 40;
    Error.prepareStackTrace = (_, sites) => sites.map((site) => ({ file: pathOf(site.getFileName()), name: site.getFunctionName() ?? '' }));
    const calls = new Error('where').stack as unknown as Sender[];
    return calls.filter(({ file }) => file !== '');
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}

/** Below the project; empty for what lies elsewhere. */
function pathOf(file: string | null | undefined): string {
  if (!file) return '';
  const relative = path.relative(ROOT, file.startsWith('file:') ? fileURLToPath(file) : file);
  return relative.startsWith('..') || file.startsWith('node:') ? '' : relative;
}
