import { TOTALS_COLUMNS } from '#db/evidence/columns.ts';
import type { Db } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import type { Totals } from '#lib/evidence/rules/evidence.ts';

export interface HeldSlice extends Window {
  sliceId: number;
  digest: Buffer;
  generated_at: string;
  totals: Totals;
  pullId: number;
}

/**
 * Slices inside a window that may be reused: the newest version of each window, if it ties out. Feeds the pull.
 * With `onlyPull`, those of one pull alone: a fresh pull that was interrupted goes on from what it pulled itself.
 */
export async function listHeldSlices(db: Db, gameId: number, window: Window, onlyPull?: number): Promise<HeldSlice[]> {
  const rows = await db
    .selectFrom('slice')
    .distinctOn(['window_start', 'window_end'])
    .select(['slice_id', 'window_start', 'window_end', 'digest', 'generated_at', 'pull_id', 'ties_out', ...TOTALS_COLUMNS])
    .where('game_id', '=', gameId)
    .where('window_start', '>=', window.start)
    .where('window_end', '<=', window.end)
    .$if(onlyPull !== undefined, (query) => query.where('pull_id', '=', onlyPull ?? 0))
    .orderBy('window_start')
    .orderBy('window_end')
    .orderBy('version', 'desc')
    .execute();
  return rows.filter((row) => row.ties_out).map(reshapeSlice);
}

/** One slice by its id, whether or not it ties out. */
export async function findSlice(db: Db, gameId: number, sliceId: number): Promise<HeldSlice> {
  const row = await db
    .selectFrom('slice')
    .select(['slice_id', 'window_start', 'window_end', 'digest', 'generated_at', 'pull_id', ...TOTALS_COLUMNS])
    .where('game_id', '=', gameId)
    .where('slice_id', '=', sliceId)
    .executeTakeFirstOrThrow();
  return reshapeSlice(row);
}

/** Subscriptions ever seen among the lines of a recipient, newest evidence first. */
export async function listKnownSubscriptions(db: Db, gameId: number, recipient: number): Promise<string[]> {
  const rows = await db
    .selectFrom('renewal_line')
    .select('subscription_id')
    .where('game_id', '=', gameId)
    .where('recipient_player_id', '=', recipient)
    .groupBy('subscription_id')
    .orderBy((expression) => expression.fn.max('slice_id'), 'desc')
    .limit(20_000)
    .execute();
  return rows.map((row) => row.subscription_id);
}

/** The totals of a row that carries the columns of Invo's totals. */
export function reshapeTotalsRow(row: Record<(typeof TOTALS_COLUMNS)[number], unknown>): Totals {
  return Object.fromEntries(TOTALS_COLUMNS.map((name) => [name, row[name]])) as unknown as Totals;
}

function reshapeSlice(
  row: { slice_id: number; window_start: string; window_end: string; digest: Buffer; generated_at: string; pull_id: number } & Record<
    (typeof TOTALS_COLUMNS)[number],
    unknown
  >,
): HeldSlice {
  return {
    sliceId: row.slice_id,
    start: row.window_start,
    end: row.window_end,
    digest: row.digest,
    generated_at: row.generated_at,
    pullId: row.pull_id,
    totals: reshapeTotalsRow(row),
  };
}
