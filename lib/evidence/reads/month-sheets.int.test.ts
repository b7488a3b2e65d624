import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeCellSql, writeLiteral } from '#db/kit/copy-csv.ts';
import { fileRows, filterRows } from '#db/kit/list.ts';
import { seedGame, seedSnapshot } from '#e2e/support/db/row-page-seed.ts';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { type CellKind, writeRow } from '#lib/core/csv.ts';
import type { GameRef } from '#lib/core/game.ts';
import { sumMoney } from '#lib/core/money.ts';
import { SHEETS, type SheetName } from '../rules/sheets.ts';
import { MONTH_SHEETS } from './month-sheets.ts';
import { type ChosenRows, type SheetSnapshot, snapshotSource } from './month-snapshot.ts';
import { RECIPIENTS } from './recipients-sheet.ts';
import { type FileSums, streamSheetFile } from './sheet-files.ts';

const OCTOBER = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' };
// Texts as players and partners write them; a column can't hold NUL, which the wire replaces.
const AWKWARD = [
  'plain',
  '',
  '=1+1',
  '+49 30 1234',
  '-12.50',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  "'=1",
  'a=b',
  ' =1',
  '"',
  '""',
  'say "hi"',
  '"quoted"',
  'Guild, the',
  '\n',
  'two\nlines',
  'two\r\nlines',
  '\r\n"\n,',
  '=HYPERLINK("http://x","y")',
  '\\.',
  '\\N',
  'back\\slash\\n',
  'NULL',
  '\u0001\u001f\u007f',
  'lost \uFFFD mark',
  '\u202Eright to left\u202C',
  'مرحبا بالعالم',
  'Ōkami 🦊 e\u0301',
  '\uFEFFbom',
  'x'.repeat(300),
  `"${',\n'.repeat(150)}"`,
  '$1 {0} %s \'; drop table "x"; --',
] as const;
const AMOUNTS = ['0', '12', '12.5', '12.50', '-12.505', '0.10', '-0.4', '1234567890123456789.000000000000000001', '100.000'];

let testDb: TestDb;
let game: GameRef;
let snapshot: SheetSnapshot;

beforeAll(async () => {
  testDb = await createTestDb();
  const gameId = await seedGame(testDb.db);
  const amount = (index: number): string => AMOUNTS[index % AMOUNTS.length] ?? '';
  const own = (index: number) => ({ period_id: index + 1, recipient_player_id: 7 + (index % 3) });
  const line = (index: number) => ({ ...own(index), paid_at: '2026-10-02T00:00:00Z' });
  snapshot = await seedSnapshot(testDb.db, gameId, {
    ...OCTOBER,
    recipients: AWKWARD.map((text, index) => ({
      recipient_player_id: index + 1,
      player_name: text,
      player_email: index % 3 === 0 ? null : text,
      identity_id: text,
      resolved: [true, false, null][index % 3] ?? null,
      renewal_count: index,
      net_attributed_usd: amount(index),
      gross_attributed_usd: amount(index + 1),
      first_paid_at: index % 2 === 0 ? null : '2026-10-02T00:00:00.1200Z',
    })),
    slices: [
      {
        ...OCTOBER,
        renewals: AWKWARD.map((text, index) => ({
          ...line(index),
          item_id: index % 4 === 0 ? null : text,
          item_name: text,
          subscription_id: text,
          status: text,
          percent_at_renewal: index % 2 === 0 ? null : '12.5',
          amount_usd: amount(index),
          base_usd: index % 5 === 0 ? null : amount(index),
          amount_coins: index % 2 === 0 ? null : amount(index),
          base_matches_settled_fee: [true, false, null][index % 3] ?? null,
          mint_order_id: text,
        })),
        reversals: AWKWARD.map((text, index) => ({
          ...line(index),
          subscription_id: text,
          reversal_basis: index % 2 === 0 ? 'refund_receipts' : 'period_row',
          reversed_attributed_usd: amount(index),
        })),
        events: AWKWARD.flatMap((text, index) =>
          index % 2 === 0
            ? [
                {
                  ...own(index),
                  event_no: 1,
                  refunded_at: '2026-10-03T00:00:00Z',
                  refunded_amount_usd: amount(index),
                  partner_revenue_reversal_basis: text,
                },
              ]
            : [],
        ),
      },
    ],
  });
  game = { gameId, slug: snapshot.slug, environment: 'production', timeZone: 'UTC' };
});
afterAll(() => testDb.close());

async function copy(sheet: SheetName, condition?: ChosenRows['condition']): Promise<{ text: string; sums: FileSums | null }> {
  let sums: FileSums | null = null;
  const options = { ...(condition ? { condition } : {}), onSums: (found: FileSums) => void (sums = found) };
  const snapshotScope = { snapshotId: snapshot.snapshotId, window: OCTOBER };
  const text = Buffer.concat(await Array.fromAsync(streamSheetFile(testDb.db, game, snapshotScope, sheet, options))).toString();
  return { text, sums };
}

async function render(sheet: SheetName, condition?: ChosenRows['condition']): Promise<{ text: string; sums: FileSums }> {
  const snapshotScope = { snapshotId: snapshot.snapshotId, window: OCTOBER };
  const list = MONTH_SHEETS[sheet];
  const rows = await fileRows(testDb.db, list, snapshotSource(game, snapshotScope), condition).execute();
  const sums = list.columns.flatMap(({ key, kind, isSummed }) => {
    if (!isSummed) return [];
    const sum = sumMoney(rows.flatMap((row) => (row[key] === null ? [] : [String(row[key])])));
    return [[key, kind === 'count' ? sum.replace(/\.00$/, '') : sum]];
  });
  return { text: rows.map((row) => writeRow(list.columns, row)).join(''), sums: { rows: rows.length, sums: Object.fromEntries(sums) } };
}

describe('a sheet copied out of the database', () => {
  test.each(SHEETS)('has the bytes and the sums of its rows written one by one: %s', async (sheet) => {
    const [copied, rendered] = [await copy(sheet), await render(sheet)];
    expect(copied.text.split('\r\n')).toEqual(rendered.text.split('\r\n'));
    expect(copied.text).toBe(rendered.text);
    expect(copied.sums).toEqual(rendered.sums);
    expect(rendered.sums.rows).toBe(AWKWARD.length);
  });

  test.each(AWKWARD.filter((text) => text !== ''))('has the rows a person searched for, whatever the text: %j', async (find) => {
    const source = snapshotSource(game, { ...snapshot, window: OCTOBER });
    const condition = filterRows(RECIPIENTS, source, { find, chip: 'all' });
    const [copied, rendered] = [await copy('recipients', condition), await render('recipients', condition)];
    expect(copied).toEqual(rendered);
    expect(rendered.sums.rows).toBeGreaterThan(0);
  });

  test('sums to nothing when no row is left', async () => {
    expect(await copy('renewals', sql`false`)).toEqual({
      text: '',
      sums: {
        rows: 0,
        sums: { amount_usd: '0.00', invo_fee_usd: '0.00', partner_revenue_settled_usd: '0.00', attributed_amount_usd: '0.00' },
      },
    });
  });
});

describe('a cell in SQL is the cell in TypeScript', () => {
  /** 4,000 texts of the characters that decide how a cell is written, the same in each run. */
  const texts = Array.from({ length: 4_000 }, (_, seed) => {
    const bytes = createHash('sha256').update(`text ${seed}`).digest();
    const characters = [...'=+-@\t;\r\n",\'\\.aN0＝＋－＠é🦊 '];
    return Array.from(bytes.subarray(1, 1 + ((bytes[0] ?? 0) % 7)), (byte) => characters[byte % characters.length]).join('');
  });
  const amounts = Array.from({ length: 1_000 }, (_, seed) => {
    const bytes = createHash('sha256').update(`amount ${seed}`).digest();
    const digits = bytes
      .toString('hex')
      .replace(/\D/g, '')
      .slice(0, 1 + ((bytes[0] ?? 0) % 9));
    const places = (bytes[1] ?? 0) % 5;
    return `${seed % 2 === 0 && /[1-9]/.test(digits) ? '-' : ''}${BigInt(digits || '0')}${places === 0 ? '' : `.${'120450'.slice(0, places)}`}`;
  });

  test.each<[CellKind, string, readonly (string | null)[]]>([
    ['text', 'text', [...texts, ...AWKWARD, null]],
    ['percent', 'text', [...texts, '12.5', null]],
    ['instant', 'text', [...texts, '2026-10-01T00:00:00Z', null]],
    ['money', 'numeric', [...amounts, ...AMOUNTS, null]],
    ['coins', 'numeric', [...amounts, ...AMOUNTS, null]],
    ['count', 'bigint', ['0', '9007199254740991', null]],
    ['boolean', 'boolean', ['true', 'false', null]],
  ])('of kind %s', async (kind, type, values) => {
    const cell = writeCellSql(kind, sql`given::${sql.raw(type)}`);
    const { rows } = await testDb.pool.query<{ cell: string | null }>(
      `${writeLiteral(sql`select (${cell})::text as cell`)} from unnest($1::text[]) with ordinality as one(given, at) order by at`,
      [values],
    );
    // What COPY does to a cell is tested with the sheets; here both are quoted by the same hand.
    const column = { key: 'x', label: 'X', kind };
    const asWritten = { key: 'x', label: 'X', kind: 'instant' as const };
    expect(rows.map((row) => writeRow([asWritten], { x: row.cell }))).toEqual(values.map((x) => writeRow([column], { x })));
    expect(rows.some((row) => row.cell === '')).toBe(false);
  });
});
