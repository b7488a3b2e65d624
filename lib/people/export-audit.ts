import { streamCsv } from '#db/kit/copy-csv.ts';
import type { Db } from '#db/kit/open.ts';
import { auditSheet } from '#lib/audit/reads/audit-log.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { momentFileName, writeHeader } from '../core/csv.ts';
import { AUDIT_COLUMNS, type AuditFilter, isFiltered } from './rules/audit-filter.ts';

export interface AuditExport {
  filter: AuditFilter;
  /** The time of the export, ISO 8601 ending in Z: the log grows, so the file is of that moment. */
  exportedAt: string;
  /** Email of the person who exports. */
  exportedBy: string;
}

/** Exports the filtered audit log, oldest first, over the connections of `files`. That it was taken is recorded before, and is in the file. */
export async function exportAudit(
  { db, files }: { db: Db; files: Db },
  { filter, exportedAt, exportedBy }: AuditExport,
): Promise<{ fileName: string; text: AsyncIterable<string | Uint8Array> }> {
  const fileName = momentFileName('audit', exportedAt, isFiltered(filter));
  await recordAudit(db, { actor: exportedBy, act: 'took a file', subject: fileName });
  return { fileName, text: writeAudit(files, filter) };
}

async function* writeAudit(db: Db, filter: AuditFilter): AsyncGenerator<string | Uint8Array> {
  yield writeHeader(AUDIT_COLUMNS);
  yield* streamCsv(db, AUDIT_COLUMNS, auditSheet(db, filter));
}
