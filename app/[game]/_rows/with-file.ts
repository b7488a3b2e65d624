import type { TableSpec } from '#app/_ui/data-table/table-words.ts';
import type { MonthSnapshot } from '#db/evidence/reads/month-snapshot.ts';
import type { SheetName } from '#lib/evidence/rules/sheets.ts';

/** A table that also offers the rows it shows as a file: where the role takes files, and only of complete figures. */
export function withFile(
  spec: TableSpec,
  { snapshot, month, status }: MonthSnapshot,
  sheet: SheetName,
  mayExport: boolean,
  recipient: number | null = null,
): TableSpec {
  if (!mayExport || status !== 'complete') return spec;
  const fileHref = `/${snapshot.slug}/months/${month}/export/${sheet}`;
  return recipient === null ? { ...spec, fileHref } : { ...spec, fileHref: `${fileHref}?recipient=${recipient}`, isOnlyFile: true };
}
