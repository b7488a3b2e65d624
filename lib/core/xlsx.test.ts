import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ANY_CHARACTER } from '#e2e/support/any-character.ts';
import { readXlsx, unzip, type XlsxCell } from '#e2e/support/read-xlsx.ts';
import { type CellKind, parseCsv, type SheetColumn, writeHeader, writeRow } from './csv.ts';
import { compareMoney } from './money.ts';
import { writeXlsx, XLSX_ROWS_MAX } from './xlsx.ts';

const TEXTS = [
  'Aurora',
  'Guild, the',
  'say "hi"',
  '""',
  '"",\r\n"',
  'two\nlines',
  'two\r\nlines',
  '\r',
  ' blanks at both ends ',
  '\n',
  '=1+1',
  '=HYPERLINK("http://x","y")',
  '+49 30 1234',
  '-12.50',
  '@SUM(A1)',
  '\t=1',
  '＝1+1',
  'a;=1+1',
  "'=1",
  '<v>&amp;</v>',
  ']]>',
  'שלום עולם',
  '\u202eevil',
  '🦊 Ōkami é',
  'x'.repeat(300),
  '\u0000',
  '\u0001\u0008\u000b\u000c\u001f\u007f',
  '\ufffe\uffff',
  '_x0041_',
  '_x005F_x0041_',
  '_x000d_ and __x0041__',
  'true',
  '0042',
  '12.50',
  '\ufeffx',
];

/** One cell of this kind, as its file holds it, and what the file states of numbers. */
async function writeOne(kind: CellKind, value: unknown): Promise<{ cell: XlsxCell | undefined; numbersAsText: number; csv: string }> {
  const columns: SheetColumn[] = [{ key: 'x', label: 'X', kind }];
  const { bytes, numbersAsText } = await writeWhole(columns, [{ x: value }]);
  return { cell: readXlsx(bytes).rows[1]?.['A'], numbersAsText, csv: writeRow(columns, { x: value }).slice(0, -2) };
}

async function writeWhole(columns: SheetColumn[], rows: Record<string, unknown>[]): Promise<{ bytes: Buffer; numbersAsText: number }> {
  let numbersAsText = -1;
  const pieces = cut(writeHeader(columns) + rows.map((row) => writeRow(columns, row)).join(''), 10_007);
  const written = await Array.fromAsync(writeXlsx({ name: 'sheet', columns }, pieces, (count) => (numbersAsText = count)));
  return { bytes: Buffer.concat(written), numbersAsText };
}

/** The text in pieces that end anywhere, also within a character. */
async function* cut(text: string, piece = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let index = 0; index < bytes.length; index += piece) yield bytes.subarray(index, index + piece);
}

describe('a text cell', () => {
  test.each(TEXTS)('%j is the text of the CSV cell, as text, and no formula', async (text) => {
    const { cell, csv } = await writeOne('text', text);
    const [[wanted] = []] = (await Array.fromAsync(parseCsv(cut(`${csv}\r\n`)))).flat();
    expect(wanted?.replace(/^'/, '')).toBe(text.replace(/^'/, '').replace('a;=', "a;'="));
    expect(cell).toEqual({ type: 'text', value: wanted, format: '@' });
  });

  test('any text is the text of the CSV cell', async () => {
    const columns: SheetColumn[] = [{ key: 'x', label: 'X', kind: 'text' }];
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: ANY_CHARACTER, maxLength: 30 }), fc.integer({ min: 1, max: 9 }), async (x, piece) => {
        const csv = writeHeader(columns) + writeRow(columns, { x });
        const records = (await Array.fromAsync(parseCsv(cut(csv, piece)))).flat();
        expect(writeRow(columns, { x: records[1]?.[0]?.replace(/^'(?=[=+\-@\t\r＝＋－＠])/, '') })).toBe(writeRow(columns, { x }));
        const { rows } = readXlsx(Buffer.concat(await Array.fromAsync(writeXlsx({ name: 'sheet', columns }, cut(csv, piece)))));
        expect(rows[1]?.['A']?.value ?? '').toBe(records[1]?.[0]);
      }),
    );
  });

  test('longer than a spreadsheet holds is an error and never cut short', async () => {
    expect((await writeOne('text', 'x'.repeat(32_767))).cell?.value).toHaveLength(32_767);
    await expect(writeOne('text', 'x'.repeat(32_768))).rejects.toThrow(/32,?768/);
  });
});

describe('a figure that a double holds exactly is a number with the decimals reported', () => {
  test.each<[CellKind, unknown, string, string]>([
    ['money', '0.1', '0.10', '#,##0.00'],
    ['money', '12', '12.00', '#,##0.00'],
    ['money', '-12.50', '-12.50', '#,##0.00'],
    ['money', '12.505', '12.505', '#,##0.000'],
    ['money', '-0.00', '0.00', '#,##0.00'],
    ['money', '0.000000000000000001', '0.000000000000000001', '#,##0.000000000000000000'],
    ['money', '1.500000000000000000', '1.500000000000000000', '#,##0.000000000000000000'],
    ['money', '9999999999999.99', '9999999999999.99', '#,##0.00'],
    ['coins', '100', '100.00', '#,##0.00'],
    ['count', 0, '0', '0'],
    ['count', 2026100012, '2026100012', '0'],
    ['count', 999999999999999, '999999999999999', '0'],
    ['percent', '12.5', '12.5', '0.0'],
    ['percent', '-3', '-3', '0'],
  ])('%s %j', async (kind, given, value, format) => {
    expect(await writeOne(kind, given)).toMatchObject({ cell: { type: 'number', value, format }, numbersAsText: 0 });
  });

  test('any amount is a number of the same value, or a text with every digit', async () => {
    const amount = fc.stringMatching(/^-?\d{1,17}\.\d{2,18}$/);
    await fc.assert(
      fc.asyncProperty(amount, async (text) => {
        const { cell, numbersAsText } = await writeOne('money', text);
        if (cell?.type === 'text') {
          expect([cell.value, numbersAsText]).toEqual([text, 1]);
          return;
        }
        // What Excel stores of a number: fifteen digits of the nearest double.
        const [mantissa = '', exponent = '0'] = Number(cell?.value).toExponential(14).split('e');
        expect(compareMoney(shift(mantissa, Number(exponent)), text)).toBe(0);
        expect(compareMoney(cell?.value ?? '', text)).toBe(0);
      }),
    );
  });
});

/** A decimal with one digit before its point, times a power of ten, exactly. */
function shift(mantissa: string, exponent: number): string {
  const [minus, digits] = [mantissa.startsWith('-') ? '-' : '', mantissa.replace('-', '').replace('.', '')];
  const padded = exponent < 0 ? digits.padStart(digits.length - exponent, '0') : digits.padEnd(exponent + 1, '0');
  const point = exponent < 0 ? 1 : exponent + 1;
  return `${minus}${padded.slice(0, point)}.${padded.slice(point)}0`;
}

describe('a figure that a double doesn’t hold exactly is text, and is counted', () => {
  test.each<[CellKind, unknown, string]>([
    ['money', '1234567890123456.78', '1234567890123456.78'],
    ['money', '9007199254740993.01', '9007199254740993.01'],
    ['money', '99999999999999.99', '99999999999999.99'],
    ['money', '-1.0000000000000001', '-1.0000000000000001'],
    ['coins', '100000000000000000000', '100000000000000000000.00'],
    ['count', 9007199254740991, '9007199254740991'],
    ['percent', '12e1', '12e1'],
    ['percent', '33.3333333333333333', '33.3333333333333333'],
  ])('%s %j', async (kind, given, value) => {
    expect(await writeOne(kind, given)).toMatchObject({ cell: { type: 'text', value, format: '@' }, numbersAsText: 1 });
  });
});

describe('a cell', () => {
  test.each<CellKind>(['text', 'money', 'coins', 'count', 'percent', 'instant', 'boolean'])(
    'of kind %s that was not recorded is empty and not counted',
    async (kind) => {
      expect(await writeOne(kind, null)).toMatchObject({ cell: undefined, numbersAsText: 0 });
    },
  );

  test('of an instant is its text, and of a boolean a boolean', async () => {
    const instant = '2026-10-01T00:00:00.123456Z';
    expect((await writeOne('instant', instant)).cell).toEqual({ type: 'text', value: instant, format: '@' });
    expect((await writeOne('boolean', true)).cell).toMatchObject({ type: 'boolean', value: '1' });
    expect((await writeOne('boolean', false)).cell).toMatchObject({ type: 'boolean', value: '0' });
  });
});

const WIDE: SheetColumn[] = Array.from({ length: 29 }, (_, index) => ({
  key: `column_${index}`,
  label: 'Any',
  kind: index % 2 ? 'money' : 'text',
}));

describe('a file', () => {
  test('has the keys of its columns in a first row that stays in view', async () => {
    const { bytes } = await writeWhole(WIDE, [{ column_28: 'last' }]);
    const { rows, frozenRows } = readXlsx(bytes);
    expect([rows.length, frozenRows]).toEqual([2, 1]);
    expect(Object.keys(rows[0] ?? {}).slice(-4)).toEqual(['Z', 'AA', 'AB', 'AC']);
    expect(Object.values(rows[0] ?? {}).map(({ value }) => value)).toEqual(WIDE.map(({ key }) => key));
    expect(rows[1]).toEqual({ AC: { type: 'text', value: 'last', format: '@' } });
  });

  test('without rows is its header alone', async () => {
    expect(readXlsx((await writeWhole(WIDE, [])).bytes).rows).toHaveLength(1);
  });

  test('has the same bytes however its rows arrive, and no time of day', async () => {
    const rows = Array.from({ length: 1_500 }, (_, position) => ({ column_0: `name ${position}`, column_1: `${position}.5` }));
    const csv = writeHeader(WIDE) + rows.map((row) => writeRow(WIDE, row)).join('');
    const [one, other] = await Promise.all(
      [11, 60_000].map(async (piece) => Buffer.concat(await Array.fromAsync(writeXlsx({ name: 'sheet', columns: WIDE }, cut(csv, piece))))),
    );
    expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true);
    // Midnight of 1 January 2000.
    expect([one?.readUInt16LE(10), one?.readUInt16LE(12)]).toEqual([0, (20 << 9) | (1 << 5) | 1]);
    expect(unzip(one ?? Buffer.alloc(0)).size).toBe(6);
  });

  // Taken from files as they were written before another writer of the ZIP around them.
  test.each([
    ['[Content_Types].xml', 'b34a1c9f5b5c0f54f1274272a429578b417e119fdc48bfcd96f25f93f301458f'],
    ['_rels/.rels', '9f96bb683e71c45171c7ae310bf6c37fb5a834bb9738497ac7084c42ac9c2d9a'],
    ['xl/workbook.xml', '52d66f0044b8518971c96cc6b51cbba0778ae0349b0eb899bda483278043efd0'],
    ['xl/_rels/workbook.xml.rels', '1b2fc82d18a622c89e94093d1d5a256857ac9641b8ee51a8290ea82796b1060f'],
    ['xl/styles.xml', '4436912605279886cf75c1836518f6e1c84c3520f2fe27cbb2600c1dd0a06acd'],
    ['xl/worksheets/sheet1.xml', '9c6e7fecdcb1ee6789f43ca86d3e9f682a7d3031d843f8ecc702b61d12cafcd0'],
  ])('of the same rows has the same bytes in its part %s for good', async (name, digest) => {
    const part = unzip(await (sample ??= writeSample())).get(name);
    expect(
      createHash('sha256')
        .update(part ?? '')
        .digest('hex'),
    ).toBe(digest);
  });

  let sample: Promise<Buffer> | undefined;
  async function writeSample(): Promise<Buffer> {
    const kinds: CellKind[] = ['text', 'money', 'coins', 'count', 'percent', 'instant', 'boolean'];
    const columns: SheetColumn[] = kinds.map((kind) => ({ key: `a_${kind}`, label: kind, kind }));
    const rows = Array.from({ length: 1_500 }, (_, index) => ({
      a_text: ['Guild, the', '=1+1', 'two\r\nlines', '<v>&amp;</v> 🦊', null][index % 5],
      a_money: ['0.1', '-12.505', '1234567890123456.78', null][index % 4],
      a_coins: '100',
      a_count: index,
      a_percent: '12.5',
      a_instant: '2026-10-01T00:00:00.123456Z',
      a_boolean: index % 2 === 0,
    }));
    return (await writeWhole(columns, rows)).bytes;
  }

  test('of more rows than allowed is an error and never cut short', { tags: ['proof'] }, async () => {
    const columns: SheetColumn[] = [{ key: 'x', label: 'X', kind: 'count' }];
    const row = '1\r\n';
    async function* rows(count: number): AsyncGenerator<string> {
      yield writeHeader(columns);
      for (let left = count; left > 0; left -= 10_000) yield row.repeat(Math.min(left, 10_000));
    }
    const most = Buffer.concat(await Array.fromAsync(writeXlsx({ name: 'sheet', columns }, rows(XLSX_ROWS_MAX))));
    expect(unzip(most).get('xl/worksheets/sheet1.xml')?.toString()).toContain(`<row r="${XLSX_ROWS_MAX + 1}">`);
    await expect(Array.fromAsync(writeXlsx({ name: 'sheet', columns }, rows(XLSX_ROWS_MAX + 1)))).rejects.toThrow(/rows/);
  });

  test('of rows that break off ends in an error, and a reader that goes away ends the rows', async () => {
    const state = { isEnded: false };
    async function* rows(fails: boolean): AsyncGenerator<string> {
      try {
        yield writeHeader(WIDE);
        for (;;) {
          yield Array.from({ length: 500 }, (_, position) =>
            writeRow(WIDE, { column_0: createHash('sha512').update(String(position)).digest('hex') }),
          ).join('');
          if (fails) throw new Error('the connection broke');
        }
      } finally {
        state.isEnded = true;
      }
    }
    await expect(Array.fromAsync(writeXlsx({ name: 'sheet', columns: WIDE }, rows(true)))).rejects.toThrow('the connection broke');
    state.isEnded = false;
    const reader = writeXlsx({ name: 'sheet', columns: WIDE }, rows(false));
    expect([(await reader.next()).done, (await reader.next()).done]).toEqual([false, false]);
    await reader.return(undefined);
    await expect.poll(() => state.isEnded).toBe(true);
    await expect(Array.fromAsync(writeXlsx({ name: 'sheet', columns: WIDE }, cut(`${writeHeader(WIDE)}half a`)))).rejects.toThrow(/record/);
  });
});
