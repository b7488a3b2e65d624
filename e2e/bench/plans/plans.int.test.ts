// @module-tag proof
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type OpenWithPool, openWithPool } from '#e2e/support/db/open-with-pool.ts';
import { proofSize, recordFigure } from '#e2e/support/proof.ts';
import { SHEETS } from '#lib/evidence/rules/sheets.ts';
import { ROOT } from '#lib/start/data-folder.ts';
import { CASES } from '../large-database/cases.ts';
import { hasPlan, readPlan } from '../large-database/explain.ts';
import { type DatabaseSize, fillDatabase } from '../large-database/fill-database.ts';
import { LARGE as LARGE_BOOK } from '../look-ups.ts';
import { startLargeServer } from '../product/large-server.ts';
import { pullFrom } from '../product/month-book.ts';
import { type SentQuery, startRecorder } from '../product/statement-recorder.ts';
import { BENCH_GAME, type RunningWeb, startWeb } from '../product/web.ts';
import { driveLists, drivePages, driveSearch, type Subjects } from './drive-product.ts';

// No statement of the product may read a large table from one end to the other. The statements are recorded on their way to a generated
// database while every page, route, list and search is requested, and explained there.

const IS_WHOLE = proofSize(false, true);
const SIZE: DatabaseSize = proofSize(
  { months: 36, slices_a_month: 14, per_slice: 397, snapshots_a_month: 2, recipients: 200, refunds: 10_000, reversal_every: 1 },
  LARGE_BOOK,
);
const LINES = ['renewal_line', 'reversal_line', 'refund_event'];
/** Tables that grow with what is sold, refunded or looked up. */
const LARGE = [...LINES, 'refund', 'known_id', 'known_player', 'known_subscription', 'detail_read', 'report_read'];
/** Renewals of the smaller book count for so many, which makes ten million of 200,000; it has as many reversals as ten million have. */
const RAISED = 50;
const PULLED_MONTH = '2023-10';

let open: OpenWithPool;
let web: RunningWeb;
let recorder: Awaited<ReturnType<typeof startRecorder>>;
let subjects: Subjects;
let searches: string[];
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const url = await fillBook();
  open = openWithPool(url);
  closing.push(open.close);
  await measureRareGames(open);
  if (!IS_WHOLE) await raiseEstimates(open);
  recorder = await startRecorder(url);
  closing.push(recorder.close);
  web = await startWeb({ databaseUrl: recorder.url, say: () => undefined });
  closing.push(web.stop);
  subjects = await listSubjects();
  searches = await Promise.all(CASES.filter(({ group }) => group === 'search').map(({ sample }) => sampleOf(sample)));
}, 3_600_000);

afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

test('no statement of a page, route, list or search reads a large table in full', async () => {
  const sent = await recorder.record(async () => {
    await drivePages(web, subjects);
    await driveLists(web, subjects);
    await driveSearch(web, searches);
  });
  await expectNoScans(sent);
}, 1_800_000);

test('no statement of a stored read, of the work beside refunds or of a pull reads a large table in full', async () => {
  const through = openWithPool(recorder.url);
  const sent = await recorder.record(async () => {
    for (const { sample, run } of CASES) await run(through, await sampleOf(sample));
    // A game of its own: the simulated Invo knows nothing of the generated lines, whose game gives up its ID at Invo.
    await through.pool.query(`update game set invo_game_id = 'generated' where slug = 'bench'`);
    await pullFrom('demo', recorder.url, [PULLED_MONTH], 'pulled');
  });
  await through.close();
  // The pull ends with an ANALYZE, which sets every estimate back to what is stored.
  if (!IS_WHOLE) await raiseEstimates(open);
  await expectNoScans(sent);
}, 1_800_000);

test('a statement without an index is found, and one that walks every line of a game by an index', async () => {
  const walk = `select period_id from renewal_line where game_id = $1 order by period_id limit 200`;
  expect(await listScans([{ text: walk, values: ['1'] }])).toEqual([`renewal_line: ${walk} ["1"]`]);
  const text = `select sum(amount_usd) from renewal_line where game_id = $1 and item_name = $2`;
  expect(await listScans([{ text, values: ['1', 'Guild supporter pass 7'] }])).toEqual([
    `renewal_line: ${text} ["1","Guild supporter pass 7"]`,
  ]);
});

async function expectNoScans(sent: SentQuery[]): Promise<void> {
  const once = [...new Map(sent.filter(hasPlan).map((query) => [JSON.stringify(query), query])).values()];
  const statements = new Set(once.map(({ text }) => text)).size;
  expect(statements).toBeGreaterThan(30);
  expect(await listScans(once)).toEqual([]);
  recordFigure('plans', `${statements} statements, ${once.length} with their parameters, none scans a large table`);
}

/** What reads a large table in full: the table, the statement and its parameters. */
async function listScans(sent: SentQuery[]): Promise<string[]> {
  const found: string[] = [];
  const client = await open.pool.connect();
  try {
    const whole = await listWholeIndexes(client);
    for (const query of sent) {
      const { scans, walks } = await readPlan(client, query).catch((cause: unknown) => {
        throw new Error(`no plan of ${query.text}`, { cause });
      });
      const read = [...scans.filter((table) => LARGE.includes(table)), ...walks.flatMap((index) => whole.get(index) ?? [])];
      for (const table of read) {
        if (isWholeTable(table, query.text)) continue;
        found.push(`${table}: ${query.text.replace(/\s+/g, ' ')} ${JSON.stringify(query.values)}`);
      }
    }
  } finally {
    client.release();
  }
  return found;
}

/**
 * The indexes with every row of a table of lines, and that table. A partial index holds the few rows it is for. In the order of recipients a page
 * is full after the lines of one or two of them, so walking them is less than sorting the month.
 */
async function listWholeIndexes(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows } = await client.query<{ index: string; table: string }>(
    `select indexrelid::regclass::text as index, indrelid::regclass::text as table from pg_index
     where indrelid::regclass::text = any($1) and indpred is null and indexrelid::regclass::text <> 'renewal_line_recipient'`,
    [LINES],
  );
  return new Map(rows.map(({ index, table }) => [index, table]));
}

/** The file of the register contains every refund: reading the table is the way to get them. */
function isWholeTable(table: string, text: string): boolean {
  return table === 'refund' && text.endsWith('where "refund"."game_id" = $1 and true order by refund.refund_id asc');
}

async function fillBook(): Promise<string> {
  if (IS_WHOLE) {
    const server = await startLargeServer({ folder: `${ROOT}/.data/bench` });
    closing.push(server.stop);
    return await fillDatabase(server, 'bench_large', SIZE, () => undefined);
  }
  const url = new URL(inject('serverUrl'));
  const databaseUrl = (name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  return await fillDatabase({ url: url.href, databaseUrl }, `test_plans_${randomBytes(4).toString('hex')}`, SIZE, () => undefined);
}

/**
 * The pulled game has few of all lines. An ANALYZE whose sample has none of them says that it has no line at all, and then an index with every
 * line of the game looks as good as the right one. A sample has 300 rows for each of these 1,000: with 200,000 lines it is the table.
 */
async function measureRareGames({ pool }: OpenWithPool): Promise<void> {
  for (const table of LINES) await pool.query(`alter table ${table} alter column game_id set statistics 1000`);
}

/** The planner takes the rows of a table from its statistics: these say there are 50 times as many, and nothing measures them again. */
async function raiseEstimates({ pool }: OpenWithPool): Promise<void> {
  await pool.query(`do $$ declare each record; begin
    for each in select oid::regclass as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %s set (autovacuum_enabled = false)', each.name);
    end loop; end $$`);
  await pool.query(
    `update pg_class set reltuples = reltuples * ${RAISED} where reltuples > 0 and (relname = any($1)
       or oid in (select indexrelid from pg_index where indrelid::regclass::text = any($1)))`,
    [['renewal_line']],
  );
}

async function sampleOf(sample: string): Promise<string> {
  const { rows } = await open.pool.query<{ sample: string }>(
    `select ${sample} as sample from bench.size, lateral (select 9 * subscriptions + 7919 % subscriptions as g) as a`,
  );
  return rows[0]?.sample ?? '';
}

async function listSubjects(): Promise<Subjects> {
  const [period, subscription, refund] = await Promise.all(
    ['bench.period(g)::text', 'bench.subscription(g % subscriptions / 10 * 10)', '(g % refunds + 1)::text'].map(sampleOf),
  );
  return {
    game: [BENCH_GAME],
    month: ['2026-10', '2026-09'],
    list: ['refunds', 'deliveries'],
    sheet: ['lines', ...SHEETS, ...SHEETS.map((sheet) => `${sheet}.manifest.json`)],
    playerId: ['500007', '10000011'],
    periodId: [period ?? ''],
    subscriptionId: [subscription ?? ''],
    refundId: [refund ?? ''],
    orderId: ['MINT_2026100001'],
    transactionId: ['TRF_1'],
    deliveryId: ['1'],
    job: ['1'],
    kind: ['pull', 'details', 'balances', 'statements'],
    id: ['1'],
    runNo: ['1'],
    reference: ['A200701TC8'],
    file: ['1', '1.manifest.json'],
    reportNo: ['1'],
    format: ['csv'],
    layout: ['generic'],
    part: [...SHEETS, 'comparison', 'addresses'].map((part) => `${part}?snapshot=1`),
    recipient: ['500007'],
    find: ['500007', period ?? '', subscription ?? '', 'pass 7', 'Creator 500007', 'Colleague 7', 'nothing like that'],
  };
}
