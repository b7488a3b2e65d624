// @module-tag no-retry
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type SqlBool, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { proofSize } from '#e2e/support/proof.ts';
import { readSheet } from '#e2e/support/read-sheet.ts';
import { readXlsx, unzip } from '#e2e/support/read-xlsx.ts';
import { openTestEnvironment, type TestEnvironment } from '#e2e/support/test-environment.ts';
import { parseCsv } from '../core/csv.ts';
import { XLSX_ROWS_MAX } from '../core/xlsx.ts';
import { exportSheet, type SheetRequest } from './export-sheet.ts';
import { MONTH_SHEETS } from './reads/month-sheets.ts';
import { renderDue } from './render-snapshot.ts';
import { ATTRIBUTION_NOTICE, SHEETS, type SheetName } from './rules/sheets.ts';

const GOLDEN = path.resolve(import.meta.dirname, '../../e2e/golden');
const DAY = { start: '2026-10-01T00:00:00Z', end: '2026-10-02T00:00:00Z' };
let testEnv: TestEnvironment;

beforeAll(async () => {
  testEnv = await openTestEnvironment();
  await testEnv.pull(DAY);
});
afterAll(() => testEnv.close());

/** Added up by hand from the golden rows. */
const SUMS: Record<SheetName, { rows: number; sums: Record<string, string> }> = {
  recipients: {
    rows: 13,
    sums: { renewal_count: '13', gross_attributed_usd: '52.7909', reversed_attributed_usd: '27.3155', net_attributed_usd: '25.4754' },
  },
  renewals: {
    rows: 13,
    sums: { amount_usd: '383.0040', invo_fee_usd: '38.3004', partner_revenue_settled_usd: '344.7036', attributed_amount_usd: '52.7909' },
  },
  reversals: {
    rows: 10,
    sums: { refunded_amount_usd: '136.0020', reversed_attributed_usd: '27.3155', partner_revenue_reversed_usd: '117.0018' },
  },
};

test.each(SHEETS)('the %s sheet of the first day of October is the golden file, byte for byte', async (sheet) => {
  const { text, fileName, manifest } = await readSheet(testEnv, DAY, sheet);
  const golden = readFileSync(path.join(GOLDEN, fileName), 'utf8');
  expect(text.split('\r\n')).toEqual(golden.split('\r\n'));
  expect(text).toBe(golden);
  expect(manifest).toMatchObject({
    game: 'demo',
    environment: 'production',
    window: DAY,
    snapshot_id: 1,
    sheet,
    filter: null,
    complete: true,
    reasons: [],
  });
  expect({ rows: manifest.rows, sums: manifest.sums }).toEqual(SUMS[sheet]);
  expect(manifest.sha256).toBe(createHash('sha256').update(golden).digest('hex'));
  expect(manifest.attribution_notice).toEqual(ATTRIBUTION_NOTICE);
  const { digest } = await testEnv.db.selectFrom('snapshot').select('digest').executeTakeFirstOrThrow();
  expect(manifest.snapshot_digest).toBe(digest.toString('hex'));
  expect(manifest.chain_head).toEqual({ position: 1, digest: digest.toString('hex') });
});

test('the manifest has exactly the fields of the contract, in its order', async () => {
  const { manifest } = await readSheet(testEnv, DAY, 'recipients');
  expect(Object.keys(manifest)).toEqual([
    'game',
    'environment',
    'window',
    'snapshot_id',
    'snapshot_digest',
    'sheet',
    'filter',
    'rows',
    'sums',
    'complete',
    'reasons',
    'replaces_snapshot',
    'chain_head',
    'sha256',
    'attribution_notice',
  ]);
});

test('a window that was never pulled is refused, and one without rows is a header alone', async () => {
  await expect(readSheet(testEnv, { start: DAY.end, end: '2026-10-03T00:00:00Z' }, 'renewals')).rejects.toThrow(/never_pulled/);
  const quiet = { start: '2026-10-01T00:00:00.001Z', end: '2026-10-01T00:30:00Z' };
  await testEnv.pull(quiet);
  const { text, manifest } = await readSheet(testEnv, quiet, 'renewals');
  expect([text.endsWith('mint_order_id\r\n'), text.split('\r\n').length, manifest.rows, manifest.sums['amount_usd']]).toEqual([
    true,
    2,
    0,
    '0.00',
  ]);
});

describe('a spreadsheet', () => {
  const letters = (index: number): string => `${index < 26 ? '' : 'A'}${String.fromCharCode(65 + (index % 26))}`;

  async function takeXlsx(request: Pick<SheetRequest, 'sheet'> & Partial<SheetRequest>) {
    const file = await exportSheet(testEnv.db, await testEnv.game(), {
      window: DAY,
      mayBeIncomplete: false,
      hasManifest: true,
      format: 'xlsx',
      ...request,
    });
    if (!file.ok) throw new Error(file.reason);
    const bytes = Buffer.concat(await Array.fromAsync(file.bytes));
    return { ...file, bytes, manifest: file.manifest() };
  }

  test.each(SHEETS)('of the %s sheet has the cells of the golden CSV, in its order, and its own manifest', async (sheet) => {
    const csv = await readSheet(testEnv, DAY, sheet);
    const records = (await Array.fromAsync(parseCsv(one(readFileSync(path.join(GOLDEN, csv.fileName)))))).flat();
    const { bytes, fileName, manifest } = await takeXlsx({ sheet });
    const { rows } = readXlsx(bytes);
    const shown = (cell: { type: string; value: string } | undefined): string =>
      cell?.type === 'boolean' ? String(cell.value === '1') : (cell?.value ?? '');
    expect(rows.map((row) => MONTH_SHEETS[sheet].columns.map((_, index) => shown(row[letters(index)])))).toEqual(records);
    const figures = MONTH_SHEETS[sheet].columns.flatMap(({ kind }, index) =>
      ['text', 'instant', 'boolean'].includes(kind) ? [] : [letters(index)],
    );
    const types = rows.slice(1).flatMap((row) => figures.flatMap((column) => row[column]?.type ?? []));
    expect([types.length > 50, new Set(types)]).toEqual([true, new Set(['number'])]);
    expect(fileName).toBe(csv.fileName.replace('.csv', '.xlsx'));
    const { sha256, chain_head, ...facts } = manifest;
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect({ ...csv.manifest, sha256, chain_head, format: 'xlsx', numbers_as_text: 0 }).toEqual({ ...facts, sha256, chain_head });
    expect(Object.keys(manifest).slice(-4)).toEqual(['format', 'numbers_as_text', 'sha256', 'attribution_notice']);
  });

  test('has the same bytes and manifest when the CSV behind it is rendered', async () => {
    const live = await takeXlsx({ sheet: 'renewals' });
    await renderDue(await testEnv.game());
    const rendered = await takeXlsx({ sheet: 'renewals' });
    expect((await readRendered()).length).toBeGreaterThan(0);
    expect(rendered.bytes.equals(live.bytes)).toBe(true);
    expect(rendered.manifest).toEqual(live.manifest);
  });

  const readRendered = async () => (await testEnv.pool.query('select from rendition')).rows;

  test('counts the figures it contains as text, and its export is recorded under its name', async () => {
    const gameId = await seedGame(testEnv.db, 'large-figures');
    const recipients = [
      { recipient_player_id: 1, net_attributed_usd: '1234567890123456.78', player_name: '=1+1' },
      { recipient_player_id: 2, net_attributed_usd: '0.1' },
    ];
    await seedSnapshot(testEnv.db, gameId, { ...DAY, recipients });
    const game = { gameId, slug: 'large-figures', environment: 'production', timeZone: 'UTC' } as const;
    const request = {
      window: DAY,
      sheet: 'recipients',
      format: 'xlsx',
      hasManifest: true,
      mayBeIncomplete: false,
      takenBy: 'Fiona',
    } as const;
    const file = await exportSheet(testEnv.db, game, request);
    if (!file.ok) throw new Error(file.reason);
    expect(() => file.manifest()).toThrow(/read to its end/);
    const { rows } = readXlsx(Buffer.concat(await Array.fromAsync(file.bytes)));
    const [header = {}, ...lines] = rows;
    const letterOf = (key: string): string => Object.keys(header).find((letter) => header[letter]?.value === key) ?? '';
    expect(lines.map((row) => [row[letterOf('net_attributed_usd')], row[letterOf('recipient_name')]?.value])).toEqual([
      [{ type: 'text', value: '1234567890123456.78', format: '@' }, "'=1+1"],
      [{ type: 'number', value: '0.10', format: '#,##0.00' }, undefined],
    ]);
    expect(file.manifest()).toMatchObject({ numbers_as_text: 1, rows: 2, sums: { net_attributed_usd: '1234567890123456.88' } });
    const taken = await testEnv.db.selectFrom('audit').select(['actor', 'act', 'subject']).where('game_id', '=', gameId).execute();
    expect(taken).toEqual([{ actor: 'Fiona', act: 'took a file', subject: 'large-figures-recipients-2026-10-01-2026-10-02.xlsx' }]);
  });

  test('of more than 100,000 rows is refused and not recorded as taken, of as many it is written', { tags: ['proof'] }, async () => {
    const gameId = await seedGame(testEnv.db, 'many');
    await seedSnapshot(testEnv.db, gameId, { ...DAY, recipients: [{ recipient_player_id: 1 }] });
    await sql`insert into snapshot_recipient
      select (jsonb_populate_record(first, jsonb_build_object('recipient_player_id', no))).*
      from snapshot_recipient first, generate_series(2, ${XLSX_ROWS_MAX + 1}::int) no where first.game_id = ${gameId}`.execute(testEnv.db);
    const game = { gameId, slug: 'many', environment: 'production', timeZone: 'UTC' } as const;
    const request = { window: DAY, sheet: 'recipients', format: 'xlsx', mayBeIncomplete: false } as const;
    expect(await exportSheet(testEnv.db, game, { ...request, takenBy: 'Fiona' })).toEqual({
      ok: false,
      reason: 'too_many_rows',
      rows_max: 100_000,
    });
    expect(await testEnv.db.selectFrom('audit').select('act').where('game_id', '=', gameId).execute()).toEqual([]);
    const choose = (rows: number) => {
      const condition = sql<SqlBool>`snapshot_recipient.recipient_player_id between 2 and ${rows + 1}::int`;
      return exportSheet(testEnv.db, game, { ...request, only: { filter: { find: '1' }, condition } });
    };
    expect(await choose(XLSX_ROWS_MAX)).toMatchObject({ ok: true, fileName: 'many-recipients-2026-10-01-2026-10-02.filtered.xlsx' });
    const written = proofSize(1_000, XLSX_ROWS_MAX);
    const chosen = await choose(written);
    if (!chosen.ok) throw new Error(chosen.reason);
    const sheetXml = unzip(Buffer.concat(await Array.fromAsync(chosen.bytes)))
      .get('xl/worksheets/sheet1.xml')
      ?.toString();
    const players = [...(sheetXml ?? '').matchAll(/<c r="F\d+" s="3"><v>(\d+)<\/v>/g)].map(([, player]) => Number(player));
    expect(players).toEqual(Array.from({ length: written }, (_, index) => index + 2));
  });

  test('of an open window is refused, or has a name that says it is incomplete', async () => {
    const open = { start: '2026-11-01T00:00:00Z', end: '2026-12-01T00:00:00Z' };
    await testEnv.pull(open);
    await expect(takeXlsx({ sheet: 'reversals', window: open })).rejects.toThrow('incomplete');
    const { fileName, manifest } = await takeXlsx({ sheet: 'reversals', window: open, mayBeIncomplete: true });
    expect([fileName, manifest.complete]).toEqual(['demo-reversals-2026-11-01-2026-12-01.incomplete.xlsx', false]);
  });
});

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
