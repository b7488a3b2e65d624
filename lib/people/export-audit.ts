import { streamCsv } from '#db/kit/copy-csv.ts';
import type { Db } from '#db/kit/open.ts';
import { type ExportedFile, exportFile, type MomentExport, writeCsv } from '#lib/audit/export-file.ts';
import { auditSheet } from '#lib/audit/reads/audit-log.ts';
import { momentFileName, type SheetColumn } from '../core/csv.ts';
import { type AuditFilter, isFiltered } from './rules/audit-filter.ts';

/** The columns of the audit log as a file. */
const AUDIT_COLUMNS: SheetColumn[] = [
  { key: 'audit_id', label: 'Number', kind: 'count' },
  { key: 'at', label: 'Time', kind: 'instant' },
  { key: 'actor', label: 'Person', kind: 'text' },
  { key: 'game', label: 'Game', kind: 'text' },
  { key: 'environment', label: 'Environment', kind: 'text' },
  { key: 'act', label: 'Action', kind: 'text' },
  { key: 'subject', label: 'Subject', kind: 'text' },
  { key: 'detail', label: 'Detail', kind: 'text' },
];

/** Exports the filtered audit log, oldest first, over the connections of `files`. That it was taken is recorded before, and is in the file. */
export async function exportAudit(
  { db, files }: { db: Db; files: Db },
  { filter, exportedAt, exportedBy }: MomentExport<AuditFilter>,
): Promise<ExportedFile> {
  return await exportFile(db, {
    fileName: momentFileName('audit', exportedAt, isFiltered(filter)),
    takenBy: exportedBy,
    columns: AUDIT_COLUMNS,
    csv: writeCsv(AUDIT_COLUMNS, streamCsv(files, AUDIT_COLUMNS, auditSheet(files, filter))),
  });
}
