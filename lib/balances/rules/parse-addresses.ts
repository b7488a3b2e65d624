import { parseUploadedCsv, type UploadedRecord } from '../../core/parse-uploaded-csv.ts';
import {
  ADDRESSES_MAX,
  type AddressError,
  type AddressList,
  addressKey,
  FILE_BYTES_MAX,
  LINES_NAMED_MAX,
  type ListedAddress,
  type NamedLines,
} from './address-list.ts';

const EMAIL_LENGTH_MAX = 254;

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
  const { records, error } = parseUploadedCsv(bytes, { bytesMax: FILE_BYTES_MAX, recordsMax: ADDRESSES_MAX + 1, delimiter: 'any' });
  if (error?.kind === 'too_large' || error?.kind === 'not_utf8') return { ok: false, error: { kind: error.kind } };
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
  if (error?.kind === 'too_many') return { ok: false, error };
  const openQuote = error?.kind === 'open_quote' ? error.line : null;
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

/** A first line is a header when a cell of it is a usual name of the column and none is an email. `headings`: empty without a header. */
function withoutHeader(rows: UploadedRecord[]): { column: number; headings: string[]; rows: UploadedRecord[] } {
  const headings = rows[0]?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const name = headings.some(isEmail) ? undefined : HEADERS.find((each) => headings.includes(each));
  return name === undefined ? { column: 0, headings: [], rows } : { column: headings.indexOf(name), headings, rows: rows.slice(1) };
}
