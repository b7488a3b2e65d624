import 'server-only';
import { db } from '#app/_server/wiring.ts';
import type { CellShape, IdentityCell, TableColumn, TableSpec, TableTotal } from '#app/_ui/data-table/table-spec.ts';
import { findMonthSnapshot, type MonthSnapshot } from '#db/evidence/reads/month-snapshot.ts';
import type { RowTotal } from '#db/kit/paging.ts';
import type { CellKind } from '#lib/core/csv.ts';
import type { Game } from '#lib/core/game.ts';
import { negateMoney } from '#lib/core/money.ts';
import { SHEET_COLUMNS, type SheetName } from '#lib/evidence/rules/sheets.ts';

/** What the lists of a month are read from: one snapshot, and what the person may see of it. */
export interface MonthSource extends MonthSnapshot {
  canSeeEmails: boolean;
  mayExport: boolean;
  /** One recipient's rows only; null: all. */
  recipient: number | null;
}

export interface MonthViewer {
  may(right: 'emails.read' | 'files.export'): boolean;
}

/** The snapshot of a month that lists read from: the newest complete one, or the one named by its ID; null when there is none. */
export async function findMonthSource(
  game: Game,
  month: string,
  viewer: MonthViewer,
  choice: { snapshotId?: number | null; recipient?: number } = {},
): Promise<MonthSource | null> {
  const snapshot = await findMonthSnapshot(db(), game, month, choice.snapshotId ?? undefined);
  if (snapshot === null) return null;
  return {
    ...snapshot,
    canSeeEmails: viewer.may('emails.read'),
    mayExport: viewer.may('files.export'),
    recipient: choice.recipient ?? null,
  };
}

const SHAPES: Record<CellKind, CellShape> = {
  text: 'text',
  money: 'money',
  coins: 'coins',
  count: 'count',
  percent: 'percent',
  instant: 'instant',
  boolean: 'boolean',
};

type Choice = Partial<Omit<TableColumn, 'key'>> & { width: number };

/** A column of a sheet as a table shows it: label and kind are the sheet's own, instants name their zone. */
export function sheetColumn(sheet: SheetName, key: string, choice: Choice): TableColumn {
  const column = SHEET_COLUMNS[sheet].find((each) => each.key === key);
  if (!column) throw new Error(`the sheet ${sheet} has no column ${key}`);
  const label = column.kind === 'instant' ? `${column.label}, UTC` : column.label;
  return { key, label, shape: SHAPES[column.kind], ...choice };
}

/** The recipient of a line: the name where there is one, and always the player ID. */
export function lineIdentity(slug: string, row: { recipient_player_id: number; recipientName: string | null }): IdentityCell {
  const playerId = row.recipient_player_id;
  return { name: row.recipientName, playerId, note: String(playerId), isShort: true, href: `/${slug}/recipients/${playerId}` };
}

/** The totals row with these sums as negative figures. */
export function withNegated({ count, sums }: RowTotal, ...keys: string[]): TableTotal {
  return { count, sums: { ...sums, ...Object.fromEntries(keys.map((key) => [key, negateMoney(sums[key] ?? '0.00')])) } };
}

/** Where the rows of a sheet come from, and where its file is: only for roles that export, and only of complete figures. */
export function sheetAddresses(source: MonthSource, sheet: SheetName): Pick<TableSpec, 'rowsHref' | 'fileHref' | 'isOnlyFile'> {
  const { snapshot, month, recipient, status, mayExport } = source;
  const here = `/${snapshot.slug}/months/${month}`;
  const rowsHref = `${here}/rows/${sheet}?snapshot=${snapshot.snapshotId}${recipient === null ? '' : `&recipient=${recipient}`}`;
  if (!mayExport || status !== 'complete') return { rowsHref };
  const fileHref = `${here}/export/${sheet}`;
  return recipient === null ? { rowsHref, fileHref } : { rowsHref, fileHref: `${fileHref}?recipient=${recipient}`, isOnlyFile: true };
}
