import 'server-only';
import { db } from '#app/_server/wiring.ts';
import type { TablePage, TableRow, TableTotal } from '#app/_ui/data-table/table-words.ts';
import { findMonthStatement, type MonthStatement } from '#db/evidence/reads/months/find-month-statement.ts';
import { listRecipientRows, RECIPIENT_SORTS, sumRecipientRows } from '#db/evidence/reads/rows/recipient-rows.ts';
import { RECIPIENT_CHIPS } from '#db/evidence/reads/rows/recipient-rows-filter.ts';
import { listRenewalRows, RENEWAL_CHIPS, RENEWAL_SORTS, sumRenewalRows } from '#db/evidence/reads/rows/renewal-rows.ts';
import { listReversalRows, REVERSAL_CHIPS, REVERSAL_SORTS, sumReversalRows } from '#db/evidence/reads/rows/reversal-rows.ts';
import type { GameRef } from '#lib/core/game.ts';
import type { SheetName } from '#lib/evidence/rules/sheets.ts';
import { type ReadRequest, type RowRequest, readRowRequest } from './row-request.ts';
import { recipientTableRow, recipientTableTotal } from './tables/recipient-table.ts';
import { renewalTableRow } from './tables/renewal-table.ts';
import { reversalTableRow, reversalTableTotal } from './tables/reversal-table.ts';

interface Viewer {
  canSeeEmails: boolean;
}

type Rows = { rows: TableRow[]; next: string | null };
type Loader = (statement: MonthStatement, params: URLSearchParams, viewer: Viewer) => Promise<LoadedRows> | LoadedRows;
export type LoadedRows = { ok: true; page: TablePage } | { ok: false; sentence: string };

/** Reads the rows of a sheet that the parameters ask for, of one statement. A refusal is a sentence; a wrong cursor throws `CursorError`. */
export function loadRows(sheet: SheetName, statement: MonthStatement, params: URLSearchParams, viewer: Viewer): Promise<LoadedRows> {
  return Promise.resolve(LOADERS[sheet](statement, params, viewer));
}

/** The statement the parameters name, else the newest of the month; null when there is none. */
export async function loadStatement(game: GameRef, month: string, params: URLSearchParams): Promise<MonthStatement | null> {
  const asked = params.get('snapshot');
  return await findMonthStatement(db(), game, month, asked !== null && /^\d{1,15}$/.test(asked) ? Number(asked) : undefined);
}

const LOADERS: Record<SheetName, Loader> = {
  recipients: (statement, params, viewer) =>
    answer(statement, readRowRequest(params, RECIPIENT_SORTS, RECIPIENT_CHIPS), async (request) => {
      const filter = { find: request.find, chip: request.chip, ...viewer };
      const { rows, next } = await listRecipientRows(db(), statement, filter, request.page);
      const page = { rows: rows.map((row) => recipientTableRow(statement, row)), next };
      return [page, async () => recipientTableTotal(await sumRecipientRows(db(), statement, filter))];
    }),
  renewals: (statement, params) =>
    answer(statement, readRowRequest(params, RENEWAL_SORTS, RENEWAL_CHIPS), async (request) => {
      const { rows, next } = await listRenewalRows(db(), statement, request, request.page);
      const page = { rows: rows.map((row) => renewalTableRow(statement, row)), next };
      return [page, () => sumRenewalRows(db(), statement, request)];
    }),
  reversals: (statement, params) =>
    answer(statement, readRowRequest(params, REVERSAL_SORTS, REVERSAL_CHIPS), async (request) => {
      const { rows, next } = await listReversalRows(db(), statement, request, request.page);
      const page = { rows: rows.map((row) => reversalTableRow(statement, row)), next };
      return [page, async () => reversalTableTotal(await sumReversalRows(db(), statement, request))];
    }),
};

async function answer<Chip extends string>(
  statement: MonthStatement,
  read: ReadRequest<Chip>,
  list: (request: RowRequest<Chip>) => Promise<[Rows, () => Promise<TableTotal>]>,
): Promise<LoadedRows> {
  if (!read.ok) return read;
  const [{ rows, next }, sum] = await list(read.request);
  const total = read.request.page.after === null ? await sum() : null;
  return { ok: true, page: { rows, next, total, isStale: statement.newestSnapshotId !== statement.snapshot.snapshotId } };
}
