import 'server-only';
import { storedNow } from '#app/_server/clock.ts';
import type { Game } from '#app/_server/game.ts';
import { db } from '#app/_server/wiring.ts';
import { listRefunds, REFUND_CHIPS, REFUND_SORTS, sumRefunds } from '#db/refunds/reads/list-refunds.ts';
import type { LoadedRows } from '../_rows/load-rows.ts';
import { readRowRequest } from '../_rows/row-request.ts';
import { refundTableRow, refundTableTotal } from './refund-table.ts';

/** Reads the rows of the register that the parameters ask for. A refusal is a sentence; a wrong cursor throws `CursorError`. */
export async function loadRefunds(game: Game, params: URLSearchParams, personId: string): Promise<LoadedRows> {
  const read = readRowRequest(params, REFUND_SORTS, REFUND_CHIPS);
  if (!read.ok) return read;
  const { page, find, chip } = read.request;
  const filter = { chip, find, personId };
  const [{ rows, next }, now] = await Promise.all([listRefunds(db(), game.gameId, filter, page), storedNow()]);
  const total = page.after === null ? refundTableTotal(await sumRefunds(db(), game.gameId, filter)) : null;
  const at = { now, timeZone: game.timeZone };
  return { ok: true, page: { rows: rows.map((row) => refundTableRow(game.slug, row, at)), next, total, isStale: false } };
}
