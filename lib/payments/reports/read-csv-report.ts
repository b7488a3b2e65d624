import { parseUploadedCsvInSteps, type UploadedRecord } from '#lib/core/parse-uploaded-csv.ts';
import { findIndexInSteps, mapInSteps, type Steps } from '#lib/core/steps.ts';
import { findPaymentReferences } from '../rules/payment-reference.ts';
import {
  type DateOrder,
  findDateOrder,
  isCutDate,
  parseCurrency,
  parseReportedAmount,
  parseReportedDate,
  splitSign,
} from '../rules/report-cells.ts';
import { type ParsedReport, type ReportKind, type ReportRow, refuse } from '../rules/report-row.ts';
import { findWord, hasWord, stateOfWord } from '../rules/report-words.ts';
import type { ReportedState } from '../rules/reported-states.ts';
import { buildRows, type FoundRow } from './build-row.ts';

/** The columns that tell layouts apart; they are found by name, so that a provider may add others or change their order. */
const LAYOUTS: readonly {
  kind: ReportKind;
  sign: readonly string[];
  needed: readonly string[];
  read: (table: Table) => Steps<Omit<ParsedReport, 'kind'>>;
}[] = [
  { kind: 'wise_statement', sign: ['transferwise id'], needed: ['date', 'amount', 'currency'], read: readWise },
  // Without the custom number, which has our reference, every payment would be none of ours.
  { kind: 'paypal_activity', sign: ['transaction id', 'gross'], needed: ['date', 'status', 'currency', 'custom number'], read: readPaypal },
  { kind: 'generic', sign: ['reference', 'status'], needed: ['amount', 'currency', 'provider_id', 'date'], read: readGeneric },
];

export interface CsvBounds {
  bytesMax: number;
  rowsMax: number;
  /** Which of the first two numbers of a date is the day, said by a person; null: the report must show it. */
  dateOrder: DateOrder | null;
}

interface Table {
  rows: Row[];
  order: DateOrder | null;
}

interface Row {
  rowNo: number;
  cells: string[];
  cell: (column: string) => string;
}

/** Reads a CSV report of PayPal, Wise or the generic layout; null: its first line is the header of none of them. Throws `RefusedReport`. */
export function* readCsvReport(text: string, bounds: CsvBounds): Steps<ParsedReport | null> {
  const records = yield* parseRecords(text, bounds);
  const [header, ...body] = records;
  if (header === undefined) refuse('empty');
  const columns = header.cells.map((cell) => cell.trim().toLowerCase());
  const layout = LAYOUTS.find(({ sign }) => sign.every((column) => columns.includes(column)));
  if (layout === undefined) return (yield* isTable(records)) ? refuse('unknown_layout') : null;
  const missing = layout.needed.find((column) => !columns.includes(column));
  if (missing !== undefined) refuse('column_missing', null, missing);
  const twice = [...layout.sign, ...layout.needed].find((column) => columns.indexOf(column) !== columns.lastIndexOf(column));
  if (twice !== undefined) refuse('column_twice', null, twice);
  const rows = yield* mapInSteps(body, ({ line, cells }): Row => {
    if (cells.length < columns.length) refuse('cells_missing', line, `${cells.length} of ${columns.length}`);
    return { rowNo: line, cells, cell: (column) => cells[columns.indexOf(column)]?.trim() ?? '' };
  });
  return { kind: layout.kind, ...(yield* layout.read({ rows, order: bounds.dateOrder })) };
}

/**
 * Whether what names payments are the rows of a table under heads that aren't known, in another language or of another provider: read as pasted lines, it would lose the
 * meaning of its columns. Heads are words, as many as the row has cells.
 */
function* isTable(records: readonly UploadedRecord[]): Steps<boolean> {
  const first = yield* findIndexInSteps(records, ({ cells }) => cells.some((cell) => findPaymentReferences(cell).length > 0));
  return records
    .slice(0, Math.max(first, 0))
    .some(
      ({ cells }) =>
        cells.length === records[first]?.cells.length &&
        cells.filter((cell) => /\p{L}/u.test(cell)).length >= 3 &&
        !cells.some((cell) => /\d/.test(cell)),
    );
}

/**
 * Reads lines that a person pasted: each has a payment reference or is listed, and says its state in a word. A text in which no line has both, such as a payment file
 * of ours, is no report. Throws `RefusedReport`.
 */
export function* readPastedLines(text: string, { rowsMax, dateOrder }: CsvBounds): Steps<ParsedReport> {
  const all = yield* mapInSteps(text.split(/\r\n?|\n/), (line, index) => {
    const dates = [...new Set(line.match(PASTED_DATE))];
    return { line: line.trim(), rowNo: index + 1, dates, shown: dates.length === 1 ? findDateOrder(dates) : null };
  });
  const lines = all.filter(({ line }) => line !== '');
  if (lines.length > rowsMax) refuse('too_many_rows', lines[rowsMax]?.rowNo ?? null);
  const orders = new Set(lines.map(({ shown }) => shown));
  const isShown = orders.has('dmy') || orders.has('mdy');
  // Lines that contradict each other show no order.
  const order = dateOrder ?? (orders.has('dmy') === orders.has('mdy') ? null : orders.has('dmy') ? 'dmy' : 'mdy');
  const rows = yield* mapInSteps(lines, ({ line, rowNo, dates, shown }): FoundRow => {
    const word = findWord(line);
    if (shown === 'open' && order === null && !isShown && findPaymentReferences(line).length > 0) refuse('date_order', rowNo, dates[0]);
    const date = readOnlyDate(dates, order);
    // Figures and letters that belong to a date or a reference belong to no amount.
    const rest = line.replaceAll(PASTED_DATE, '\t').replaceAll(/\b[0-9A-Z]{10}\b/g, '\t');
    const [amount, currency] = [findAmount(rest), /\b[A-Z]{3}\b/.exec(rest)?.[0] ?? null];
    return {
      rowNo,
      state: stateOfWord(word),
      word,
      hasAmount: true,
      amounts: amount !== null && currency !== null ? [{ amount: splitSign(amount).amount, currency }] : [],
      occurredOn: date,
      // Two dates, or one that can be read in several ways or ends too early.
      unreadable: dates.length > 0 && date === null ? 'date' : null,
      cells: [line],
    };
  });
  const found = yield* buildRows(rows);
  if (!found.some(({ references, text: shown }) => references.length > 0 && hasWord(shown))) refuse('unknown_layout');
  return { kind: 'pasted', account: null, feeRows: 0, rows: found };
}

const PASTED_DATE = /\b(?:\d{4}[-/]\d{1,2}[-/]\d{0,2}|\d{4}\.\d{1,2}\.\d{1,2}|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d))(?!\d)/g;

/** The one date of a line; null: it has none, several, or one that can be read in two ways and `order`, of the other lines, is null. */
function readOnlyDate(dates: readonly string[], order: DateOrder | null): string | null {
  const [written, ...others] = dates;
  if (written === undefined || others.length > 0) return null;
  const found = findDateOrder(dates);
  const used = found === 'open' ? order : found;
  return used === null || used === 'mixed' ? null : parseReportedDate(written, used);
}

/** The one amount of a line; null: it has none, several, or one that can't be read without a guess. `12 013.50` may be thousands, or a number beside an amount. */
function findAmount(line: string): string | null {
  const words = line.split(/[\t;]/).flatMap((cell) => {
    const inCell = cell.split(/[^\S\u00a0\u202f]+/);
    return inCell.map((word, index) => ({ word, before: inCell[index - 1] ?? '' }));
  });
  const [only, ...others] = words.filter(({ word }) => /[.,]\d{1,2}$/.test(word));
  if (only === undefined || others.length > 0) return null;
  const isInGroups = /^\d{3}(?!\d)/.test(only.word) && /(?<!\d)\d{1,3}$/.test(only.before);
  return isInGroups ? null : parseReportedAmount(only.word);
}

function* parseRecords(text: string, { bytesMax, rowsMax }: CsvBounds): Steps<UploadedRecord[]> {
  const { records, error } = yield* parseUploadedCsvInSteps(new TextEncoder().encode(text), {
    bytesMax: bytesMax * 2,
    recordsMax: rowsMax + 1,
    delimiter: 'detect',
  });
  if (error?.kind === 'too_many') refuse('too_many_rows', error.line);
  if (error?.kind === 'open_quote') refuse('open_quote', error.line);
  if (error !== null) refuse(error.kind === 'too_large' ? 'too_large' : 'encoding');
  return records;
}

/**
 * Money that comes in is a return: PayPal calls it completed too. What it converts for a payment from another currency comes in and goes out beside it, names it and may
 * have its amount, so those rows are left out. What it holds and releases may be about a payment: a person decides.
 */
function* readPaypal(table: Table): Steps<Omit<ParsedReport, 'kind'>> {
  const dateOf = yield* dateReader(table);
  const isConversion = (row: Row): boolean => /\bconversion\b/i.test(row.cell('type'));
  const rows = yield* mapInSteps(
    table.rows.filter((row) => !isConversion(row)),
    (row): FoundRow => {
      const word = row.cell('status');
      const { isIncoming, ...facts } = readFacts(row, 'gross', dateOf);
      const isHold = /\b(?:hold|authorization)\b/i.test(row.cell('type'));
      return {
        ...facts,
        state: isHold ? null : isIncoming ? incomingState(word) : stateOfWord(word),
        word,
        providerId: row.cell('transaction id') || null,
        relatedId: row.cell('reference txn id') || null,
      };
    },
  );
  return { account: null, feeRows: table.rows.filter(isConversion).length, rows: yield* buildRows(rows) };
}

/** Money that comes in is a return once it is there; what is pending or was denied isn't. */
function incomingState(word: string): ReportedState | null {
  const state = stateOfWord(word);
  return state === 'paid' || state === 'returned' ? 'returned' : null;
}

/** A statement has booked movements only, and dates with the day first. Rows of fees carry the reference of their transfer and are left out. */
function* readWise(table: Table): Steps<Omit<ParsedReport, 'kind'>> {
  const dateOf = yield* dateReader({ ...table, order: 'dmy' });
  const isFee = (row: Row): boolean => /^FEE-/i.test(row.cell('transferwise id'));
  const rows = yield* mapInSteps(
    table.rows.filter((row) => !isFee(row)),
    (row): FoundRow => {
      const { isIncoming, ...facts } = readFacts(row, 'amount', dateOf);
      const id = row.cell('transferwise id');
      // A return has the ID of the transfer that it returns.
      return isIncoming
        ? { ...facts, state: 'returned', word: 'incoming', providerId: `${id} in`, relatedId: id }
        : { ...facts, state: 'paid', word: 'booked', providerId: id };
    },
  );
  return { account: null, feeRows: table.rows.filter(isFee).length, rows: yield* buildRows(rows) };
}

function* readGeneric(table: Table): Steps<Omit<ParsedReport, 'kind'>> {
  const dateOf = yield* dateReader(table);
  const rows = yield* mapInSteps(table.rows, (row): FoundRow => {
    const word = row.cell('status');
    const { isIncoming: _, ...facts } = readFacts(row, 'amount', dateOf);
    return { ...facts, state: stateOfWord(word), word, providerId: row.cell('provider_id') || null };
  });
  return { account: null, feeRows: 0, rows: yield* buildRows(rows) };
}

type Facts = Pick<ReportRow, 'rowNo' | 'hasAmount' | 'amounts' | 'unreadable' | 'occurredOn'> & { cells: string[]; isIncoming: boolean };

/** What every layout has of a row: its amount and currency, and its date. */
function readFacts(row: Row, amountColumn: string, dateOf: (row: Row) => string | null | undefined): Facts {
  const [written, currency, date] = [parseReportedAmount(row.cell(amountColumn)), parseCurrency(row.cell('currency')), dateOf(row)];
  const signed = written === null ? null : splitSign(written);
  return {
    rowNo: row.rowNo,
    hasAmount: true,
    amounts: signed !== null && currency !== null ? [{ amount: signed.amount, currency }] : [],
    unreadable: signed === null || currency === null ? 'amount' : date === undefined ? 'date' : null,
    occurredOn: date ?? null,
    cells: row.cells,
    isIncoming: signed?.isIncoming ?? false,
  };
}

/** Reads the column of dates in the one order that all of them have. null: the cell is empty. undefined: there is no such day. */
function* dateReader({ rows, order }: Table): Steps<(row: Row) => string | null | undefined> {
  const dates = yield* mapInSteps(rows, (row) => row.cell('date'));
  const different = [...new Set(dates)];
  const cut = different.find(isCutDate);
  if (cut !== undefined) refuse('date_cut', rows[dates.indexOf(cut)]?.rowNo ?? null, cut);
  const found = findDateOrder(different);
  if (found === 'mixed') refuse('date_orders_mixed');
  const used = found === 'open' ? (order ?? refuse('date_order', rows[0]?.rowNo ?? null, rows[0]?.cell('date') ?? '')) : found;
  return (row) => (row.cell('date') === '' ? null : (parseReportedDate(row.cell('date'), used) ?? undefined));
}
