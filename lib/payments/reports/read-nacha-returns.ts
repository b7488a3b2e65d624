import type { Steps } from '#lib/core/steps.ts';
import { dayOf } from '../rules/report-cells.ts';
import { type ParsedReport, refuse } from '../rules/report-row.ts';
import { stateOfReturnCode } from '../rules/report-words.ts';
import { buildRows, type FoundRow } from './build-row.ts';

const RECORD_LENGTH = 94;
/** Records by their first digit, with their positions counted from 1 as the rules of NACHA count them. */
const [BATCH_HEADER, ENTRY, ADDENDA, FILE_CONTROL] = ['5', '6', '7', '9'] as const;

/** Whether a text is a NACHA file: its first record is a file header with a routing number. */
export function isNacha(text: string): boolean {
  return /^101[ \d]\d{9}/.test(text);
}

/** Reads returns and notices of change of an ACH file. An entry without an addenda of one of these has a row without a state. Throws `RefusedReport`. */
export function* readNachaReturns(text: string): Steps<ParsedReport> {
  // Some banks leave out the spaces at the end of a record.
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.padEnd(RECORD_LENGTH));
  const tooLong = lines.findIndex((line) => line.length > RECORD_LENGTH);
  if (tooLong >= 0) refuse('truncated', tooLong + 1);
  const control = lines.find((line) => line.startsWith(FILE_CONTROL) && !isFiller(line));
  if (control === undefined) refuse('truncated', lines.length);
  const counted = lines.filter((line) => line.startsWith(ENTRY) || line.startsWith(ADDENDA)).length;
  if (Number(at(control, 14, 21)) !== counted) refuse('count_differs', null, `${counted} of ${Number(at(control, 14, 21))}`);
  // A payment file of ours has the layout, and no return.
  if (!lines.some((line) => /^79[89]/.test(line))) refuse('unknown_layout');
  let header = '';
  const rows = lines.flatMap((line, index) => {
    if (line.startsWith(BATCH_HEADER)) header = line;
    return line.startsWith(ENTRY) ? [readEntry(lines, index, settledOn(header))] : [];
  });
  return { kind: 'nacha_returns', account: null, feeRows: 0, rows: yield* buildRows(rows) };
}

function readEntry(lines: string[], index: number, occurredOn: string | null): FoundRow {
  const line = lines[index] ?? '';
  let next = index + 1;
  while (lines[next]?.startsWith(ADDENDA) && !/^79[89]/.test(lines[next] ?? '')) next++;
  const found = lines[next] ?? '';
  const addenda = found.startsWith(ADDENDA) ? found : ''.padEnd(RECORD_LENGTH);
  const type = at(addenda, 1, 3);
  const code = at(addenda, 4, 6).trim();
  const isReturn = type === '799';
  const amount = parseCents(at(line, 30, 39));
  return {
    rowNo: index + 1,
    // A notice of change says nothing of the money: the account is to be corrected for the next payment.
    state: isReturn ? stateOfReturnCode(code) : null,
    word: code,
    hasAmount: isReturn,
    amounts: isReturn && amount !== null ? [{ amount, currency: 'USD' }] : [],
    unreadable: isReturn && amount === null ? 'amount' : null,
    providerId: at(addenda, 80, 94).trim() || null,
    trace: at(addenda, 7, 21).trim() || null,
    occurredOn,
    reasonCode: code || null,
    cells: [
      at(line, 40, 54).trim(),
      at(line, 55, 76).trim(),
      code,
      at(addenda, 36, isReturn ? 79 : 64).trim(),
      at(line, 30, 39),
      at(addenda, 80, 94).trim(),
    ],
  };
}

/** The effective entry date of the batch, written as year, month and day of two digits each. */
function settledOn(header: string): string | null {
  const [, year = '', month = '', day = ''] = /^(\d\d)(\d\d)(\d\d)$/.exec(at(header, 70, 75)) ?? [];
  return year === '' ? null : dayOf(`20${year}`, month, day);
}

function parseCents(digits: string): string | null {
  return /^\d{10}$/.test(digits) ? `${Number(digits.slice(0, -2))}.${digits.slice(-2)}` : null;
}

function at(line: string, from: number, to: number): string {
  return line.slice(from - 1, to);
}

function isFiller(line: string): boolean {
  return /^9+$/.test(line);
}
