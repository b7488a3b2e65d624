/** Addresses one file may hold: what Invo takes in a batch (document 2, limits). */
export const ADDRESSES_MAX = 100_000;
/** The largest file. */
export const FILE_BYTES_MAX = 8 * 1024 * 1024;
/** Lines that a refusal names; a file with more of them is of another kind, and the rest is counted. */
export const LINES_NAMED_MAX = 20;
const EMAIL_LENGTH_MAX = 254;

/** One address to ask for, once, with every line that has it, each in its own spelling. */
interface ListedAddress {
  /** Trimmed, as it is first spelled. */
  email: string;
  /** Line numbers in the file, from 1. */
  lines: number[];
  /** As spelled on each of the lines. */
  spellings: string[];
}

export interface AddressList {
  addresses: ListedAddress[];
  /** Lines with an address. */
  lineCount: number;
  /** Lines whose address an earlier line has. */
  repeated: NamedLines;
}

/** Lines of a file by their numbers, in order: at most `LINES_NAMED_MAX` of `count`. */
export interface NamedLines {
  lines: number[];
  count: number;
}

/** Why a file is refused. */
export type AddressError =
  | { kind: 'empty' | 'too_large' | 'not_utf8' }
  /** `line`: the first one too many. */
  | { kind: 'too_many'; line: number }
  /** `openQuote`: the line of a quote that isn't closed, after which nothing can be read; null: there is none. */
  | { kind: 'lines'; notEmails: NamedLines; secondEmails: NamedLines; openQuote: number | null };

/** What the column of emails may be called, the surest name first. */
const HEADERS = ['player_email', 'email', 'player email', 'e-mail', 'email address'];
/**
 * What can't be an email is refused: no @ or two, nothing on a side of it, a blank or a control character. What is one is for Invo to decide: no
 * dot is required in the domain, and a first character that a spreadsheet takes for a formula is guarded in the files instead.
 */
const EMAIL = /^[^\s@\p{Cc}\p{Cs}]{1,128}@[^\s@\p{Cc}\p{Cs}]+$/u;

/**
 * Parses a list of addresses: UTF-8 with or without BOM, cells separated by commas or semicolons. The first column that a header calls
 * `player_email` or `email` counts, else the first. A cell without a heading that holds another address makes its line refused: reading one of the
 * two would drop a player unseen. Empty lines count as lines and are skipped. Addresses are compared trimmed and in lower case (document 2 doesn't
 * say how Invo compares them).
 */
export function parseAddresses(bytes: Uint8Array): { ok: true; list: AddressList } | { ok: false; error: AddressError } {
  if (bytes.length > FILE_BYTES_MAX) return { ok: false, error: { kind: 'too_large' } };
  const text = decode(bytes);
  if (text === null) return { ok: false, error: { kind: 'not_utf8' } };
  const { rows: records, openQuote } = readRecords(text);
  const { column, headings, rows } = withoutHeader(records);
  const found = new Map<string, ListedAddress>();
  const [notEmails, secondEmails, repeated] = [nameLines(), nameLines(), nameLines()];
  for (const [index, { line, cells }] of rows.entries()) {
    if (index >= ADDRESSES_MAX) return { ok: false, error: { kind: 'too_many', line } };
    const email = (cells[column] ?? '').trim();
    const key = addressKey(email);
    if (!isEmail(email)) addLine(notEmails, line);
    else if (cells.some((cell, other) => other !== column && !headings[other] && isEmail(cell.trim()) && addressKey(cell) !== key))
      addLine(secondEmails, line);
    else {
      const known = found.get(key);
      if (known === undefined) found.set(key, { email, lines: [line], spellings: [email] });
      else {
        known.lines.push(line);
        known.spellings.push(email);
        addLine(repeated, line);
      }
    }
  }
  if (openQuote !== null || notEmails.count + secondEmails.count > 0)
    return { ok: false, error: { kind: 'lines', notEmails, secondEmails, openQuote } };
  if (rows.length === 0) return { ok: false, error: { kind: 'empty' } };
  return { ok: true, list: { addresses: [...found.values()], lineCount: rows.length, repeated } };
}

function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH_MAX && EMAIL.test(text);
}

function nameLines(): NamedLines {
  return { lines: [], count: 0 };
}

function addLine(named: NamedLines, line: number): void {
  named.count += 1;
  if (named.lines.length < LINES_NAMED_MAX) named.lines.push(line);
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

/** A first line is a header when a cell of it is a usual name of the column and none is an email. `headings`: empty without a header. */
function withoutHeader(rows: Row[]): { column: number; headings: string[]; rows: Row[] } {
  const headings = rows[0]?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const name = headings.some(isEmail) ? undefined : HEADERS.find((each) => headings.includes(each));
  return name === undefined ? { column: 0, headings: [], rows } : { column: headings.indexOf(name), headings, rows: rows.slice(1) };
}

/** One cell and what ends it: a separator, a line end, or the end of the text. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"[^\S\r\n]*|([^,;\r\n]*))([,;]|\r\n|\r|\n|$)/y;

/** The rows of a text, without the empty ones, until a quote that never ends, or ends within a cell: `openQuote` is its line. */
function readRecords(text: string): { rows: Row[]; openQuote: number | null } {
  const rows: Row[] = [];
  let row: Row = { line: 1, cells: [] };
  let line = 1;
  CELL.lastIndex = 0;
  while (CELL.lastIndex < text.length || row.cells.length > 0) {
    const found = CELL.exec(text);
    // A quote that doesn't close also reads as a plain cell; an address holds none.
    if (found === null || found[2]?.startsWith('"')) return { rows, openQuote: line };
    const [whole, quoted, plain = '', end = ''] = found;
    row.cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += countLineEnds(whole);
    if (end === ',' || end === ';') continue;
    if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row);
    if (rows.length > ADDRESSES_MAX + 1) break;
    row = { line, cells: [] };
    if (end === '') break;
  }
  return { rows, openQuote: null };
}

function countLineEnds(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}
