import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countChips, heldKeys, sortsOf } from '#db/kit/list.ts';
import { listRecipientRows, listRenewalRows, listReversalRows } from '#e2e/support/evidence/list-sheets.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { monthWindow } from '../core/month.ts';
import { exportSheet } from './export-sheet.ts';
import { MONTH_SHEETS } from './reads/month-sheets.ts';
import { findMonthSnapshot } from './reads/month-snapshot.ts';
import { RECIPIENTS } from './reads/recipients-sheet.ts';
import { findComparison, findDueRendition, findRendition, findTablePart, streamRenderedFile, type TablePart } from './reads/renditions.ts';
import { renderDue } from './render-snapshot.ts';
import { type Comparison, RENDITION_VERSION, rowAt, SHEETS, type SheetName, type TableColumns, type TableOrders } from './rules/sheets.ts';

const MONTHS = ['2026-08', '2026-09', '2026-10'];
const ALL = { dir: 'asc' as const, after: null, limit: 2_000 };
let testEnv: TestEnvironment;
let gameId: number;
const snapshotIds: Record<string, number> = {};

beforeAll(async () => {
  testEnv = await openTestEnvironment({ world: 'demo' });
  gameId = (await testEnv.game()).gameId;
  for (const month of MONTHS) await pull(month);
  await renderDue(await testEnv.game());
});
afterAll(() => testEnv.close());

async function pull(month: string): Promise<void> {
  const { snapshot } = await testEnv.pull(monthWindow(month, 'UTC'));
  if (snapshot?.status !== 'complete') throw new Error(`${month} is ${snapshot?.status}`);
  snapshotIds[month] = snapshot.snapshotId;
}

const idOf = (month: string): number => snapshotIds[month] ?? 0;
const partOf = async (month: string, sheet: SheetName, part: TablePart): Promise<unknown> => {
  const found = await findTablePart(testEnv.db, { gameId, snapshotId: idOf(month), sheet }, part, RENDITION_VERSION);
  const text = gunzipSync(found?.body ?? Buffer.alloc(0)).toString();
  expect(found?.sha256).toEqual(createHash('sha256').update(text).digest());
  return JSON.parse(text);
};
const tableOf = async (month: string, sheet: SheetName) => (await partOf(month, sheet, 'table')) as TableColumns;
const ordersOf = async (month: string, sheet: SheetName) => (await partOf(month, sheet, 'orders')) as TableOrders;
const comparisonOf = async (month: string): Promise<Comparison> => {
  const found = await findComparison(testEnv.db, gameId, idOf(month), RENDITION_VERSION);
  return JSON.parse(gunzipSync(found?.body ?? Buffer.alloc(0)).toString()) as Comparison;
};
const sourceOf = async (month: string) => {
  const source = await findMonthSnapshot(testEnv.db, await testEnv.game(), month);
  if (!source) throw new Error(`${month} has no snapshot`);
  return source;
};

describe.each(SHEETS)('the rendered %s sheet', (sheet) => {
  test.each(MONTHS)('of %s has the bytes, the sums and the digest of the live file', async (month) => {
    const live = await openExport(sheet, { month, isLive: true });
    const text = Buffer.concat(await Array.fromAsync(live.bytes)).toString();
    const { rows, sums, sha256 } = live.manifest();
    expect(live.rendered).toBeNull();
    const facts = await findRendition(testEnv.db, gameId, idOf(month), sheet, RENDITION_VERSION);
    if (!facts) throw new Error('not rendered');
    const members = await Array.fromAsync(streamRenderedFile((find) => find(testEnv.db), gameId, idOf(month), sheet, facts));
    expect(gunzipSync(Buffer.concat(members)).toString()).toBe(text);
    expect(facts).toMatchObject({
      rowCount: rows,
      sums,
      fileSha256: Buffer.from(sha256, 'hex'),
      fileByteCount: Buffer.byteLength(text),
    });
  });
});

const LIVE = {
  recipients: async (filter: { chip: string }, order: object) =>
    await listRecipientRows(
      testEnv.db,
      await sourceOf('2026-10'),
      { find: '', canSeeEmails: true, ...filter },
      { ...ALL, sort: 'net_attributed_usd', withTotal: true, ...order },
    ),
  renewals: async (filter: { chip: string }, order: object) =>
    await listRenewalRows(
      testEnv.db,
      await sourceOf('2026-10'),
      { find: '', recipient: null, ...filter },
      { ...ALL, sort: 'recipient_player_id', withTotal: true, ...order },
    ),
  reversals: async (filter: { chip: string }, order: object) =>
    await listReversalRows(
      testEnv.db,
      await sourceOf('2026-10'),
      { find: '', recipient: null, ...filter },
      { ...ALL, sort: 'recipient_player_id', withTotal: true, ...order },
    ),
};
const identify = (rows: object[]): string[] =>
  rows.map((row) => {
    const { recipient_player_id: player, period_id: period, eventNo, refunded_at } = row as Record<string, unknown>;
    return [player, period, eventNo, refunded_at].join(' ');
  });

describe.each(SHEETS)('the stored table of the %s of October', (sheet) => {
  const heldRows = async (): Promise<object[]> => {
    const [table, comparison] = [await tableOf('2026-10', sheet), sheet === 'recipients' ? await comparisonOf('2026-10') : null];
    const all = { ...table, columns: { ...table.columns, ...comparison?.columns } };
    return (all.columns['recipient_player_id'] ?? []).map((_, index) => rowAt<object>(all, null, index));
  };

  test('states of each row what the live list states', async () => {
    const { key, dir } = MONTH_SHEETS[sheet].order;
    const { rows } = await LIVE[sheet]({ chip: 'all' }, { sort: key, dir });
    const keys = [...heldKeys(MONTH_SHEETS[sheet], 'own'), ...heldKeys(MONTH_SHEETS[sheet], 'beside')];
    const only = (row: object): object => Object.fromEntries(keys.map((each) => [each, (row as Record<string, unknown>)[each]]));
    expect(rows.length).toBeGreaterThan(10);
    expect((await heldRows()).map(only)).toEqual(rows.map(only));
  });

  test('has the order of the live list by every column', { tags: 'proof' }, async () => {
    const rows = identify(await heldRows());
    const [{ orders }, comparison] = [await ordersOf('2026-10', sheet), await comparisonOf('2026-10')];
    const all: Record<string, number[]> = sheet === 'recipients' ? { ...orders, ...comparison.orders } : orders;
    const sorts = Object.keys(sortsOf(MONTH_SHEETS[sheet])).filter((sort) => sort !== MONTH_SHEETS[sheet].order.key);
    expect(Object.keys(all).toSorted()).toEqual(sorts.toSorted());
    for (const sort of sorts)
      expect(
        all[sort]?.map((index) => rows[index]),
        sort,
      ).toEqual(identify((await LIVE[sheet]({ chip: 'all' }, { sort })).rows));
  });

  test('has the rows and the sums of the live list by every chip', async () => {
    const rows = identify(await heldRows());
    const own = await ordersOf('2026-10', sheet);
    const beside = sheet === 'recipients' ? await comparisonOf('2026-10') : null;
    const chips: Record<string, number[]> = { ...own.chips, ...beside?.chips };
    const { key, dir } = MONTH_SHEETS[sheet].order;
    expect(Object.keys(chips).toSorted()).toEqual(MONTH_SHEETS[sheet].chips.map((chip) => chip.key).toSorted());
    for (const chip of ['all', ...Object.keys(chips)]) {
      const live = await LIVE[sheet]({ chip }, { sort: key, dir });
      if (chip !== 'all')
        expect(
          chips[chip]?.map((index) => rows[index]),
          chip,
        ).toEqual(identify(live.rows));
      const sums = { ...own.sums[chip], ...beside?.sums[chip] };
      expect(exact(sums), chip).toEqual(exact(live.total?.sums ?? {}));
    }
  });
});

/** Sums without trailing zeros: 12.5 and 12.50 are the same amount. */
function exact(sums: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(sums).map(([key, sum]) => [key, sum.includes('.') ? sum.replace(/\.?0+$/, '') : sum]));
}

describe('what is stored for tables', () => {
  test('hold no email', async () => {
    const { rows: emails } = await testEnv.pool.query<{ player_email: string }>(
      'select distinct player_email from snapshot_recipient where player_email is not null',
    );
    const { rows: heads } = await testEnv.pool.query<{ head: unknown }>(
      'select head from rendition union all select head from month_comparison',
    );
    const answers = await Promise.all(SHEETS.flatMap((sheet) => [tableOf('2026-10', sheet), ordersOf('2026-10', sheet)]));
    const texts = [...heads.map(({ head }) => head), ...answers, await comparisonOf('2026-10')].map((each) => JSON.stringify(each));
    expect([emails.length > 60, heads.length]).toEqual([true, 12]);
    for (const { player_email } of emails) expect(texts.filter((text) => text.includes(player_email)).length, player_email).toBe(0);
  });

  test('come with the counts and sums of the live filters', async () => {
    const source = await sourceOf('2026-10');
    const { rows } = await testEnv.pool.query<{ counts: object; own: { first: number; changed: number }; previous: string }>(
      `select r.head->'counts' as counts, c.head->'counts' as own, c.head->'sums'->>'previous_net_usd' as previous
       from rendition r join month_comparison c using (game_id, snapshot_id) where r.snapshot_id = $1 and r.sheet = 'recipients'`,
      [idOf('2026-10')],
    );
    const live = await countChips(testEnv.db, RECIPIENTS, { ...source, canSeeEmails: true, recipient: null });
    expect({ ...rows[0]?.counts, ...rows[0]?.own }).toEqual(live);
    const filter = { chip: 'all', find: '', canSeeEmails: true } as const;
    const request = { sort: 'recipient_player_id', dir: 'asc', after: null, limit: 1, withTotal: true } as const;
    const { total } = await listRecipientRows(testEnv.db, source, filter, request);
    expect(Number(rows[0]?.previous)).toBe(Number(total?.sums['previous_net_usd']));
  });
});

test('an export sends the rendered file, with the manifest of the live one', async () => {
  const [rendered, live] = [await openExport('renewals'), await openExport('renewals', { isLive: true })];
  expect([rendered.rendered !== null, live.rendered]).toEqual([true, null]);
  const [one, other] = [Buffer.concat(await Array.fromAsync(rendered.bytes)), Buffer.concat(await Array.fromAsync(live.bytes))];
  expect(one.equals(other)).toBe(true);
  expect(rendered.manifest()).toEqual(live.manifest());
  const members = await Array.fromAsync(rendered.rendered?.members() ?? []);
  expect(gunzipSync(Buffer.concat(members)).equals(one)).toBe(true);
});

test('an export of stored bytes that are not those of their digest ends in an error', async () => {
  await testEnv.pool.query(`update rendition set file_sha256 = sha256('other') where snapshot_id = $1 and sheet = 'reversals'`, [
    idOf('2026-10'),
  ]);
  const file = await openExport('reversals');
  await expect(Array.fromAsync(file.bytes)).rejects.toThrow(/has the digest/);
});

/** Opens the export of a sheet; live: as if nothing were rendered. */
async function openExport(sheet: (typeof SHEETS)[number], { month = '2026-10', isLive = false } = {}) {
  const sheetRequest = { window: monthWindow(month, 'UTC'), sheet, mayBeIncomplete: false, hasManifest: true };
  if (isLive) await testEnv.pool.query('update rendition set version = version + 1');
  const file = await exportSheet(testEnv.db, await testEnv.game(), sheetRequest);
  if (isLive) await testEnv.pool.query('update rendition set version = version - 1');
  if (!file.ok) throw new Error(file.reason);
  return file;
}

test('nothing is due when everything is rendered, and everything of other rules is due', async () => {
  expect(await findDueRendition(testEnv.db, gameId, RENDITION_VERSION)).toBeNull();
  expect(await findDueRendition(testEnv.db, gameId, RENDITION_VERSION + 1)).toMatchObject({ snapshotId: idOf('2026-10'), left: 3 });
});

test('a re-check that finds no difference leaves every comparison', async () => {
  const listComparisons = async () => (await testEnv.pool.query('select snapshot_id, xmin::text from month_comparison order by 1')).rows;
  const before = await listComparisons();
  expect((await testEnv.pull(monthWindow('2026-08', 'UTC'))).job.snapshotId).toBe(idOf('2026-08'));
  expect([before.length, await listComparisons()]).toEqual([3, before]);
});

test('a snapshot of an earlier month removes what later months state beside it, and the next rendering states it again', {
  tags: 'proof',
}, async () => {
  const before = await comparisonOf('2026-10');
  await pull('2026-07');
  const listComparisons = async () => (await testEnv.pool.query('select snapshot_id from month_comparison order by 1')).rows;
  expect(await listComparisons()).toEqual([]);
  await renderDue(await testEnv.game());
  expect(await listComparisons()).toHaveLength(4);
  const after = await comparisonOf('2026-10');
  const netsOf = ({ columns }: Comparison, month: number) => (columns['sixNets'] as (string | null)[][]).map((nets) => nets[month]);
  expect([netsOf(after, 3), netsOf(after, 4)]).toEqual([netsOf(before, 3), netsOf(before, 4)]);
  expect(netsOf(before, 2).every((net) => net === null)).toBe(true);
  expect(netsOf(after, 2).some((net) => net !== null)).toBe(true);
  const source = await sourceOf('2026-08');
  const { rows } = await listRecipientRows(
    testEnv.db,
    source,
    { chip: 'first', find: '', canSeeEmails: true },
    { ...ALL, sort: 'net_attributed_usd', dir: 'desc' },
  );
  expect((await comparisonOf('2026-08')).chips['first']).toHaveLength(rows.length);
});
