import { type CellKind, parseCsv, type SheetColumn } from './csv.ts';
import { writeZip } from './zip.ts';

/** A spreadsheet of more rows is slow to open, and nobody reads it by eye: the CSV has them all. */
export const XLSX_ROWS_MAX = 100_000;

/**
 * Writes a CSV of ours, header included, as a spreadsheet in pieces: the same rows in the same order, and cell by cell the same text. A
 * figure is a number when a spreadsheet can hold each of its digits, otherwise text with all of them; `onEnd` gets how many are text.
 * Texts keep the guard of the CSV against formulas: no text cell can run here, but the next person may save the sheet as a CSV.
 * Equal rows give equal bytes, however they arrive. Errors: those of the rows; more rows than `XLSX_ROWS_MAX`; a text no cell can hold.
 */
export function writeXlsx(
  { name, columns }: { name: string; columns: readonly SheetColumn[] },
  csv: AsyncIterable<string | Uint8Array>,
  onEnd?: (numbersAsText: number) => void,
): AsyncGenerator<Uint8Array> {
  const parts = [
    { name: '[Content_Types].xml', content: CONTENT_TYPES },
    { name: '_rels/.rels', content: relationships('officeDocument', 'xl/workbook.xml') },
    { name: 'xl/workbook.xml', content: workbook(name) },
    { name: 'xl/_rels/workbook.xml.rels', content: relationships('worksheet', 'worksheets/sheet1.xml', 'styles', 'styles.xml') },
    { name: 'xl/styles.xml', content: STYLES },
    { name: 'xl/worksheets/sheet1.xml', content: writeSheet(columns, csv, onEnd) },
  ];
  return writeZip(parts, { compress: true });
}

/** Rows written at a time: few enough that other requests run in between, and always the same number, so that the bytes are the same. */
const ROWS_AT_ONCE = 200;

async function* writeSheet(
  columns: readonly SheetColumn[],
  csv: AsyncIterable<string | Uint8Array>,
  onEnd: ((numbersAsText: number) => void) | undefined,
): AsyncGenerator<string> {
  const letters = columns.map((_, index) => columnLetters(index));
  let [text, row, numbersAsText] = [openSheet(columns), 0, 0];
  for await (const records of parseCsv(csv)) {
    for (const record of records) {
      row += 1;
      if (row > XLSX_ROWS_MAX + 1) throw new Error(`a spreadsheet of more than ${XLSX_ROWS_MAX} rows`);
      text += `<row r="${row}">`;
      for (const [index, { kind }] of columns.entries()) {
        const [cell, reference] = [record[index] ?? '', `${letters[index]}${row}`];
        if (cell === '') continue;
        if (row === 1) text += writeText(reference, cell, HEADER_STYLE);
        else if (kind === 'boolean') text += `<c r="${reference}" t="b"><v>${cell === 'true' ? 1 : 0}</v></c>`;
        else {
          const number = isFigure(kind) ? writeNumber(reference, cell, kind) : null;
          if (isFigure(kind) && number === null) numbersAsText += 1;
          text += number ?? writeText(reference, cell, TEXT_STYLE);
        }
      }
      text += '</row>';
      if (row % ROWS_AT_ONCE !== 0) continue;
      yield text;
      text = '';
    }
  }
  yield `${text}</sheetData></worksheet>`;
  onEnd?.(numbersAsText);
}

function isFigure(kind: CellKind): boolean {
  return kind !== 'text' && kind !== 'instant' && kind !== 'boolean';
}

/** A, B, … Z, AA, AB, … */
function columnLetters(index: number): string {
  return `${index < 26 ? '' : columnLetters(Math.floor(index / 26) - 1)}${String.fromCharCode(65 + (index % 26))}`;
}

/** A double holds every decimal of so many digits, and a spreadsheet shows no more. */
const DIGITS_MAX = 15;

/** The decimals an amount may be reported with. */
const PLACES_MAX = 18;

/** A number cell with the decimals of the text; null when a spreadsheet would lose a digit of it. */
function writeNumber(reference: string, text: string, kind: CellKind): string | null {
  const [, minus = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction.replace(/0+$/, '')}`.replace(/^0+/, '');
  if (whole === '' || digits.length > DIGITS_MAX || fraction.length > PLACES_MAX) return null;
  const style = numberStyle(fraction.length, kind === 'money' || kind === 'coins');
  // The decimal itself, not what a double prints. Zero has no sign in a spreadsheet.
  return `<c r="${reference}" s="${style}"><v>${digits === '' && minus ? text.slice(1) : text}</v></c>`;
}

/** What a cell holds, in UTF-16 units. */
const TEXT_MAX = 32_767;

function writeText(reference: string, text: string, style: number): string {
  if (text.length > TEXT_MAX) throw new Error(`a text of ${text.length} characters in ${reference}; a cell holds ${TEXT_MAX}`);
  return `<c r="${reference}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`;
}

/** What XML can't hold, or changes on the way in (CR), and what would be read as its escape. */
// The control characters are what it looks for.
// oxlint-disable-next-line no-control-regex
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Cs}|_(?=x[\dA-Fa-f]{4}_)/gu;

/** Characters that XML can't hold are written `_xHHHH_`, as spreadsheets do (ECMA-376, 22.9.2.19). */
function escapeText(text: string): string {
  return text
    .replace(UNWRITABLE, (unit) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const PART = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const CONTENT_TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${PART}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${PART}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${PART}.styles+xml"/></Types>`;

function relationships(...targets: string[]): string {
  const links: string[] = [];
  for (let index = 0; index < targets.length; index += 2)
    links.push(`<Relationship Id="rId${index / 2 + 1}" Type="${OFFICE}/${targets[index]}" Target="${targets[index + 1]}"/>`);
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${links.join('')}</Relationships>`;
}

function workbook(name: string): string {
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
}

/** The sheet up to its first row, with the header frozen and columns as wide as their headings. */
function openSheet(columns: readonly SheetColumn[]): string {
  const widths = columns.map(
    ({ key }, index) => `<col min="${index + 1}" max="${index + 1}" width="${Math.max(key.length + 3, 12)}" customWidth="1"/>`,
  );
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  return `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`;
}

/** Text stays text when a person edits the cell: 49 is the format `@`. */
const TEXT_STYLE = 1;
const HEADER_STYLE = 2;

/** The style of a number: after the first three, one for each count of decimals, then the same with thousands separated. */
function numberStyle(places: number, isGrouped: boolean): number {
  return HEADER_STYLE + 1 + places + (isGrouped ? PLACES_MAX + 1 : 0);
}

/** Formats of our own have ids from 164 on. */
const FIRST_FORMAT = 164;
const FORMATS = ['0', '#,##0'].flatMap((whole) =>
  Array.from({ length: PLACES_MAX + 1 }, (_, places) => (places === 0 ? whole : `${whole}.${'0'.repeat(places)}`)),
);

const STYLES = [
  `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${FORMATS.length}">`,
  ...FORMATS.map((code, index) => `<numFmt numFmtId="${FIRST_FORMAT + index}" formatCode="${code}"/>`),
  '</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  `<cellXfs count="${FORMATS.length + 3}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>`,
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>',
  ...FORMATS.map(
    (_, index) => `<xf numFmtId="${FIRST_FORMAT + index}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  ),
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
].join('');
