import { findPackedName } from '#lib/core/packed-file.ts';
import { mapInSteps, runSteps, type Steps } from '#lib/core/steps.ts';
import { storableText } from '#lib/core/typed-input.ts';
import { type DateOrder, parseReportedDate } from '../rules/report-cells.ts';
import { type ParsedReport, RefusedReport, type ReportRefusal, type ReportRow, refuse } from '../rules/report-row.ts';
import { nodesAt, parseXmlInSteps } from './parse-xml.ts';
import { readCamt } from './read-camt.ts';
import { readCsvReport, readPastedLines } from './read-csv-report.ts';
import { isNacha, readNachaReturns } from './read-nacha-returns.ts';
import { readPain002 } from './read-pain-002.ts';
import { readPaypalBatch } from './read-paypal-batch.ts';

/** The largest report, in bytes and in rows. */
export const REPORT_BYTES_MAX = 32 * 1024 * 1024;
const REPORT_ROWS_MAX = 250_000;

export interface ReadOptions {
  /** Said by a person when the report doesn't show which number of its dates is the day. */
  dateOrder?: DateOrder | null;
}

export type ReportReading = { ok: true; report: ParsedReport } | { ok: false; refusal: ReportRefusal };

/**
 * Reads a report of a bank or a payment provider, in UTF-8 or UTF-16, and finds out which layout it has. It is refused as a whole when it can't be read to its
 * end or isn't one of the known layouts; a row that can't be used is in `rows` all the same.
 */
export function readReport(bytes: Uint8Array, options: ReadOptions = {}): ReportReading {
  return runSteps(readReportInSteps(bytes, options));
}

/** The same in steps, each of some rows. */
export function* readReportInSteps(bytes: Uint8Array, { dateOrder = null }: ReadOptions = {}): Steps<ReportReading> {
  try {
    const report = yield* read(bytes, dateOrder);
    if (report.rows.length > REPORT_ROWS_MAX) refuse('too_many_rows', REPORT_ROWS_MAX + 1);
    // A download that broke off after its header.
    if (report.rows.length === 0) refuse('no_rows');
    return { ok: true, report: { ...report, rows: yield* mapInSteps(report.rows, (row) => withSoundIds(withRealDay(row))) } };
  } catch (error) {
    if (error instanceof RefusedReport) return { ok: false, refusal: error.refusal };
    throw error;
  }
}

function* read(bytes: Uint8Array, dateOrder: DateOrder | null): Steps<ParsedReport> {
  if (bytes.length > REPORT_BYTES_MAX) refuse('too_large');
  const packed = findPackedName(bytes);
  if (packed !== null) refuse('packed', null, packed);
  const text = decode(bytes);
  const start = text.trimStart();
  if (start === '') refuse('empty');
  if (start.startsWith('<')) return yield* readXml(start);
  if (start.startsWith('{')) return yield* readPaypalBatch(start);
  if (isNacha(start)) return yield* readNachaReturns(start);
  const bounds = { bytesMax: REPORT_BYTES_MAX, rowsMax: REPORT_ROWS_MAX, dateOrder };
  return (yield* readCsvReport(text, bounds)) ?? (yield* readPastedLines(text, bounds));
}

/** A date that the calendar doesn't have, such as 2026-13-45, or that isn't written as 2026-11-05, can't be read. */
function withRealDay(row: ReportRow): ReportRow {
  const { occurredOn } = row;
  return occurredOn === null || parseReportedDate(occurredOn, 'ymd') === occurredOn
    ? row
    : { ...row, occurredOn: null, unreadable: 'date' };
}

/** Longer than any bank's ID, and short enough for the index that finds them. */
const ID_LENGTH_MAX = 200;

/** What can't be an ID is none: the row is then recognised by its cells. */
function withSoundIds({ providerId, relatedId, trace, batchId, reasonCode, ...row }: ReportRow): ReportRow {
  const soundId = (text: string | null): string | null => (text === null || text.length > ID_LENGTH_MAX ? null : storableText(text));
  const ids = { providerId: soundId(providerId), relatedId: soundId(relatedId), trace: soundId(trace), batchId: soundId(batchId) };
  return { ...row, ...ids, reasonCode: soundId(reasonCode) };
}

function* readXml(text: string): Steps<ParsedReport> {
  const document = nodesAt(yield* parseXmlInSteps(text, REPORT_ROWS_MAX), 'Document')[0];
  if (document === undefined) refuse('unknown_layout');
  if ('BkToCstmrStmt' in document) return yield* readCamt(document, 'camt_053');
  if ('BkToCstmrDbtCdtNtfctn' in document) return yield* readCamt(document, 'camt_054');
  if ('CstmrPmtStsRpt' in document) return yield* readPain002(document);
  refuse('unknown_layout', null, Object.keys(document).find((name) => !name.startsWith('@') && name !== '#text') ?? '');
}

/** UTF-16 begins with a byte order mark; everything else must be UTF-8, since a guess at another encoding would change names. */
function decode(bytes: Uint8Array): string {
  const mark = `${bytes[0]} ${bytes[1]}`;
  const encoding = mark === '255 254' ? 'utf-16le' : mark === '254 255' ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    // No text has this character: it is UTF-16 without its mark, or no text.
    if (!text.includes('\0')) return text;
  } catch {
    // Refused below.
  }
  return refuse('encoding');
}
