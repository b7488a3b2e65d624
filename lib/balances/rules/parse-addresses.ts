/** Addresses one file may hold: what Invo takes in a batch (document 2, limits). */
export const ADDRESSES_MAX = 100_000;
/** The largest file. */
export const FILE_BYTES_MAX = 8 * 1024 * 1024;
/** Lines that a refusal names; a file with more of them is of another kind, and the rest is counted. */
export const LINES_NAMED_MAX = 20;
const EMAIL_LENGTH_MAX = 254;

/** One address to ask for, once, with every line that has it, each in its own spelling. */
interface AskedAddress {
  /** Trimmed, as it is first spelled. */
  email: string;
  /** Line numbers in the file, from 1. */
  lines: number[];
  /** As spelled on each of the lines. */
  spellings: string[];
}

export interface AddressList {
  addresses: AskedAddress[];
  /** Lines with an address. */
  lineCount: number;
  /** Lines whose address an earlier line has. */
  repeatedCount: number;
}

/** Why a file is refused. `lines` are at most `LINES_NAMED_MAX` of `count`. */
export type AddressError =
  | { kind: 'empty' | 'too_large' | 'not_utf8' | 'too_many' }
  | { kind: 'open_quote'; line: number }
  | { kind: 'not_addresses'; lines: number[]; count: number };

/** The names by which a first line is a header although no cell of it is called `player_email`. */
const HEADERS = new Set(['email', 'e-mail', 'email address', 'player email']);
const EMAIL = /^[^\s@\p{Cc}\p{Cs}]{1,128}@[^\s@\p{Cc}\p{Cs}]+$/u;

/**
 * Parses a list of addresses: UTF-8 with or without BOM, cells separated by commas or semicolons, the column `player_email` or else the first.
 * Empty lines count as lines and are skipped. Addresses are compared trimmed and in lower case (document 2 doesn't say how Invo compares them).
 */
export function parseAddresses(bytes: Uint8Array): { ok: true; list: AddressList } | { ok: false; error: AddressError } {
  if (bytes.length > FILE_BYTES_MAX) return { ok: false, error: { kind: 'too_large' } };
  const text = decode(bytes);
  if (text === null) return { ok: false, error: { kind: 'not_utf8' } };
  const records = readRecords(text);
  if ('openQuote' in records) return { ok: false, error: { kind: 'open_quote', line: records.openQuote } };
  const { column, rows } = withoutHeader(records.rows);
  const found = new Map<string, AskedAddress>();
  const wrong: number[] = [];
  let lineCount = 0;
  for (const { line, cells } of rows) {
    const spelled = cells[column] ?? '';
    const email = spelled.trim();
    lineCount += 1;
    if (!EMAIL.test(email) || email.length > EMAIL_LENGTH_MAX) {
      wrong.push(line);
      continue;
    }
    const key = addressKey(email);
    const known = found.get(key);
    if (known === undefined) found.set(key, { email, lines: [line], spellings: [email] });
    else {
      known.lines.push(line);
      known.spellings.push(email);
    }
  }
  if (lineCount === 0) return { ok: false, error: { kind: 'empty' } };
  if (lineCount > ADDRESSES_MAX) return { ok: false, error: { kind: 'too_many' } };
  if (wrong.length > 0) return { ok: false, error: { kind: 'not_addresses', lines: wrong.slice(0, LINES_NAMED_MAX), count: wrong.length } };
  return { ok: true, list: { addresses: [...found.values()], lineCount, repeatedCount: lineCount - found.size } };
}

/** What two spellings of one address have in common. */
export function addressKey(email: string): string {
  return email.trim().toLowerCase();
}

function decode(bytes: Uint8Array): string | null {
  try {
    // The decoder leaves a BOM out.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

interface Row {
  /** The line it begins on. */
  line: number;
  cells: string[];
}

/** A first line is a header when a cell of it is `player_email`, or its first cell is another usual name of the column. */
function withoutHeader(rows: Row[]): { column: number; rows: Row[] } {
  const names = rows[0]?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const named = names.indexOf('player_email');
  if (named >= 0) return { column: named, rows: rows.slice(1) };
  return { column: 0, rows: HEADERS.has(names[0] ?? '') ? rows.slice(1) : rows };
}

/** One cell and what ends it: a separator, a line end, or the end of the text. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"[^\S\r\n]*|([^,;\r\n]*))([,;]|\r\n|\r|\n|$)/y;

/** The rows of a text, without the empty ones. A quote that never ends, or ends within a cell, is named by its line. */
function readRecords(text: string): { rows: Row[] } | { openQuote: number } {
  const rows: Row[] = [];
  let row: Row = { line: 1, cells: [] };
  let line = 1;
  CELL.lastIndex = 0;
  while (CELL.lastIndex < text.length || row.cells.length > 0) {
    const found = CELL.exec(text);
    // A quote that doesn't close also reads as a plain cell; an address holds none.
    if (found === null || found[2]?.startsWith('"')) return { openQuote: line };
    const [whole, quoted, plain = '', end = ''] = found;
    row.cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += countLineEnds(whole);
    if (end === ',' || end === ';') continue;
    if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row);
    if (rows.length > ADDRESSES_MAX + 1) break;
    row = { line, cells: [] };
    if (end === '') break;
  }
  return { rows };
}

function countLineEnds(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
