import 'server-only';
import type { Game } from '#app/_server/game.ts';
import { db } from '#app/_server/wiring.ts';
import { ALL_RECIPIENTS_SORTS, listRecipients, sumRecipients } from '#db/evidence/reads/recipients.ts';
import type { LoadedRows } from '../_rows/load-rows.ts';
import { readRowRequest } from '../_rows/row-request.ts';
import { allRecipientsTableRow, allRecipientsTotal } from './all-recipients-table.ts';

/** Reads the rows of all recipients that the parameters ask for. A refusal is a sentence; a wrong cursor throws `CursorError`. */
export async function loadRecipients(game: Game, params: URLSearchParams, canSeeEmails: boolean): Promise<LoadedRows> {
  const read = readRowRequest(params, ALL_RECIPIENTS_SORTS, ['all']);
  if (!read.ok) return read;
  const { page, find } = read.request;
  const filter = { find, canSeeEmails };
  const { rows, next } = await listRecipients(db(), game, filter, page);
  const total = page.after === null ? allRecipientsTotal(await sumRecipients(db(), game, filter)) : null;
  return { ok: true, page: { rows: rows.map((row) => allRecipientsTableRow(game.slug, row)), next, total, isStale: false } };
}
