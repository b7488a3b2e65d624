import { type List, type ListFilter, listRows } from '#db/kit/list.ts';
import type { Db } from '#db/kit/open.ts';
import type { PageRequest, RowPage } from '#db/kit/paging.ts';
import { maskEmail } from '#lib/core/mask-email.ts';
import type { SheetName } from '../rules/sheets.ts';
import type { SheetSource } from './month-snapshot.ts';
import { RECIPIENTS } from './recipients-sheet.ts';
import { RENEWALS } from './renewals-sheet.ts';
import { REVERSALS } from './reversals-sheet.ts';

/** A sheet by its name, where its rows are only passed on. */
export type MonthSheet = List<SheetSource, object>;

/** The sheets of a month by name. */
export const MONTH_SHEETS: Record<SheetName, MonthSheet> = { recipients: RECIPIENTS, renewals: RENEWALS, reversals: REVERSALS };

/** Reads one page of a sheet. Emails are masked unless they may be seen. Throws `CursorError`. */
export async function listSheetRows(
  db: Db,
  sheet: SheetName,
  source: SheetSource,
  request: ListFilter & { page: PageRequest },
): Promise<RowPage<Record<string, unknown>>> {
  const { rows, ...rest } = await listRows(db, MONTH_SHEETS[sheet], source, request);
  return { rows: rows.map((row) => maskRow({ ...row }, source.canSeeEmails)), ...rest };
}

function maskRow(row: Record<string, unknown>, canSeeEmails: boolean): Record<string, unknown> {
  const email = row['recipient_email'];
  return canSeeEmails || typeof email !== 'string' ? row : { ...row, recipient_email: maskEmail(email) };
}
