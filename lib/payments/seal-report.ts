import { gunzipSync } from 'node:zlib';
import type { Db } from '#db/kit/open.ts';
import { sha256Of } from '../core/canonical-digest.ts';
import { runInTurns } from '../core/steps.ts';
import { openBytes, type PayeeKey, type SealedAs } from '../payees/seal.ts';
import { findSealedReport } from './reads/reports.ts';
import { REPORT_BYTES_MAX, readReportInSteps } from './reports/read-report.ts';
import { toDateOrder } from './rules/report-cells.ts';
import type { ParsedReport } from './rules/report-row.ts';

/** The digest of a report's bytes as it is stored: hex. */
export function digestReport(bytes: Uint8Array): string {
  return sha256Of(bytes).toString('hex');
}

/** What the bytes of a report are sealed as. `sha256`: hex. */
export function reportAs(gameId: number, reportNo: number, sha256: string): SealedAs {
  return { purpose: 'payment report', bound: [1, gameId, reportNo, sha256] };
}

/** The bytes of a stored report; null: there is no such report, the key doesn't open it, or they aren't those that were stored. */
export async function openStoredReport(db: Db, gameId: number, reportNo: number, key: PayeeKey): Promise<Buffer | null> {
  const found = await findSealedReport(db, gameId, reportNo);
  return found === null ? null : openSealedReport(found, { gameId, reportNo }, key);
}

/** Reads the rows of a stored report again from its sealed bytes, giving others their turns; null: as for `openStoredReport`, or it can't be read. */
export async function readStoredReport(db: Db, gameId: number, reportNo: number, key: PayeeKey): Promise<ParsedReport | null> {
  const found = await findSealedReport(db, gameId, reportNo);
  const bytes = found === null ? null : openSealedReport(found, { gameId, reportNo }, key);
  if (found === null || bytes === null) return null;
  const reading = await runInTurns(readReportInSteps(bytes, { dateOrder: toDateOrder(found.dateOrder) }));
  return reading.ok ? reading.report : null;
}

function openSealedReport(
  { sealed, sha256 }: { sealed: Uint8Array; sha256: string },
  { gameId, reportNo }: { gameId: number; reportNo: number },
  key: PayeeKey,
): Buffer | null {
  const packed = openBytes(sealed, reportAs(gameId, reportNo, sha256), key);
  if (packed === null) return null;
  const bytes = gunzipSync(packed, { maxOutputLength: REPORT_BYTES_MAX });
  return digestReport(bytes) === sha256 ? bytes : null;
}
