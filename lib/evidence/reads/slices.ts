import { type Selectable, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { SliceTable } from '#db/types.ts';
import type { Window } from '#lib/core/window.ts';
import type { SliceEvidence } from '../rules/evidence.ts';
import type { DatedLine } from '../rules/rank-subscriptions.ts';
import { TOTAL_NAMES, type TotalName, type Totals, totalsOfRow } from '../rules/totals.ts';
import { EVENT_COLUMNS, RECIPIENT_COLUMNS, RENEWAL_COLUMNS, REVERSAL_COLUMNS } from './columns.ts';

export interface StoredSlice extends Window {
  sliceId: number;
  digest: Buffer;
  generated_at: string;
  totals: Totals;
  pullId: number;
}

/**
 * Slices inside a window that may be reused: the newest version of each window, if it is consistent. A pull plans with them.
 * With `onlyPull`, only those of one pull: a fresh pull that was interrupted resumes from its own slices.
 */
export async function listStoredSlices(db: Db, gameId: number, window: Window, onlyPull?: number): Promise<StoredSlice[]> {
  const inside = selectNewest(db, gameId).where('window_start', '>=', window.start).where('window_end', '<=', window.end);
  const rows = await inside.$if(onlyPull !== undefined, (query) => query.where('pull_id', '=', onlyPull ?? 0)).execute();
  return rows.filter((row) => row.is_consistent).map(reshapeSlice);
}

/** The newest version of each window, in order of time. */
function selectNewest(db: Db, gameId: number) {
  return db
    .selectFrom('slice')
    .distinctOn(['window_start', 'window_end'])
    .select([...SLICE_COLUMNS, 'is_consistent'])
    .where('game_id', '=', gameId)
    .orderBy('window_start')
    .orderBy('window_end')
    .orderBy('version', 'desc');
}

/** Finds one slice by its id, whether or not it is consistent. */
export async function findSlice(db: Db, gameId: number, sliceId: number): Promise<StoredSlice> {
  const slice = db.selectFrom('slice').select(SLICE_COLUMNS).where('game_id', '=', gameId).where('slice_id', '=', sliceId);
  return reshapeSlice(await slice.executeTakeFirstOrThrow());
}

/** Lists the slices a snapshot names in order of time, leaving out those that are no longer stored: one that is missing leaves a gap. */
export async function listSlicesOfSnapshot(db: Db, gameId: number, snapshotId: number): Promise<StoredSlice[]> {
  const rows = await db
    .selectFrom('snapshot_slice')
    .innerJoin('slice', (join) => join.on('slice.game_id', '=', gameId).onRef('slice.slice_id', '=', 'snapshot_slice.slice_id'))
    .select(SLICE_COLUMNS)
    .where('snapshot_slice.game_id', '=', gameId)
    .where('snapshot_slice.snapshot_id', '=', snapshotId)
    .orderBy('slice_no')
    .execute();
  return rows.map(reshapeSlice);
}

const SLICE_COLUMNS = (['slice_id', 'window_start', 'window_end', 'digest', 'generated_at', 'pull_id', ...TOTAL_NAMES] as const).map(
  (name) => `slice.${name}` as const,
);

/** Lines of a recipient stored around an instant, of whatever version, that tell when their subscriptions are charged: settled in the window, or refunded there. */
export async function listNearbyLines(db: Db, gameId: number, recipient: number, window: Window): Promise<DatedLine[]> {
  const renewals = await db
    .selectFrom('renewal_line')
    .distinctOn('period_id')
    .select(['subscription_id', 'period_seq', 'paid_at', 'period_start', 'period_end', 'refunded_at'])
    .where('game_id', '=', gameId)
    .where('recipient_player_id', '=', recipient)
    .where('paid_at', '>=', window.start)
    .where('paid_at', '<', window.end)
    .orderBy('period_id')
    .orderBy('slice_id', 'desc')
    .limit(NEARBY_LINES_MAX)
    .execute();
  const refunds = await db
    .selectFrom('refund_event')
    .innerJoin('reversal_line', (join) =>
      join
        .on('reversal_line.game_id', '=', gameId)
        .onRef('reversal_line.slice_id', '=', 'refund_event.slice_id')
        .onRef('reversal_line.period_id', '=', 'refund_event.period_id'),
    )
    .innerJoin('slice', (join) => join.on('slice.game_id', '=', gameId).onRef('slice.slice_id', '=', 'refund_event.slice_id'))
    .select(['reversal_line.subscription_id', 'reversal_line.period_seq', 'reversal_line.paid_at', 'refund_event.refunded_at'])
    .where('refund_event.game_id', '=', gameId)
    .where('refund_event.recipient_player_id', '=', recipient)
    .where('slice.window_start', '<', window.end)
    .where('slice.window_end', '>', window.start)
    .orderBy('slice.slice_id', 'desc')
    .limit(NEARBY_LINES_MAX)
    .execute();
  return [
    ...renewals.map(({ refunded_at, ...line }) => ({ ...line, refunded_at: refunded_at === null ? [] : [refunded_at] })),
    ...refunds.map(({ refunded_at, ...line }) => ({ ...line, period_start: null, period_end: null, refunded_at: [refunded_at] })),
  ];
}

/** Lines of one kind that a neighbourhood is judged by at most; more would help a guess no further. */
const NEARBY_LINES_MAX = 20_000;

/** The windows of stored consistent slices that overlap a window, in order of time. */
export async function listOverlappingSlices(db: Db, gameId: number, window: Window): Promise<Window[]> {
  const overlapping = selectNewest(db, gameId).where('window_start', '<', window.end).where('window_end', '>', window.start);
  const rows = await overlapping.execute();
  return rows.filter((row) => row.is_consistent).map((row) => ({ start: row.window_start, end: row.window_end }));
}

function reshapeSlice(
  row: Pick<Selectable<SliceTable>, 'slice_id' | 'window_start' | 'window_end' | 'digest' | 'generated_at' | 'pull_id' | TotalName>,
): StoredSlice {
  const { slice_id: sliceId, window_start: start, window_end: end, digest, generated_at, pull_id: pullId } = row;
  return { sliceId, start, end, digest, generated_at, pullId, totals: totalsOfRow<Totals>(row) };
}

// Rows are added and never changed, so their position is the order they were received in: the first lines that break a check stay the first.
const AS_STORED = sql`ctid`;

/** Loads everything stored of one slice, as it was pulled, for reconciliation. A legal slice has at most 20,000 lines of each kind. */
export async function loadSlice(db: Db, gameId: number, sliceId: number): Promise<SliceEvidence> {
  const head = await db
    .selectFrom('slice')
    .selectAll()
    .where('game_id', '=', gameId)
    .where('slice_id', '=', sliceId)
    .executeTakeFirstOrThrow();
  const recipients = await db
    .selectFrom('slice_recipient')
    .select(RECIPIENT_COLUMNS)
    .where('game_id', '=', gameId)
    .where('slice_id', '=', sliceId)
    .orderBy(AS_STORED)
    .execute();
  const renewals = await db
    .selectFrom('renewal_line')
    .select([...RENEWAL_COLUMNS, 'paid_at_reported'])
    .where('game_id', '=', gameId)
    .where('slice_id', '=', sliceId)
    .orderBy(AS_STORED)
    .execute();
  const reversals = await db
    .selectFrom('reversal_line')
    .select([...REVERSAL_COLUMNS, 'paid_at_reported'])
    .where('game_id', '=', gameId)
    .where('slice_id', '=', sliceId)
    .orderBy(AS_STORED)
    .execute();
  const events = await db
    .selectFrom('refund_event')
    .select([...EVENT_COLUMNS, 'period_id', 'refunded_at_reported'])
    .where('game_id', '=', gameId)
    .where('slice_id', '=', sliceId)
    .orderBy('event_no')
    .execute();
  const eventsByPeriod = Map.groupBy(events, (event) => event.period_id);
  return {
    window: { start: head.window_start, end: head.window_end },
    generated_at: head.generated_at,
    totals: totalsOfRow<Totals>(head),
    recipients,
    renewals: renewals.map(({ paid_at_reported, ...line }) => ({ ...line, paid_at: paid_at_reported })),
    reversals: reversals.map(({ paid_at_reported, ...line }) => ({
      ...line,
      paid_at: paid_at_reported,
      refund_events: (eventsByPeriod.get(line.period_id) ?? []).map(({ period_id: _, refunded_at_reported, ...event }) => ({
        ...event,
        refunded_at: refunded_at_reported,
      })),
    })),
    call_count: head.call_count,
    notice_count: head.notice_count,
  };
}

/** One stored response of Invo: the body gzipped, the digest over the inflated bytes. */
export interface StoredResponse {
  responseId: number;
  pullId: number;
  status: number;
  inflatedByteCount: number;
  purpose: string;
  request: string;
  body: Buffer;
  sha256: Buffer;
}

const selectResponses = (db: Db, gameId: number) =>
  db
    .selectFrom('response')
    .select(['response_id as responseId', 'pull_id as pullId', 'status', 'inflated_byte_count as inflatedByteCount'])
    .select(['purpose', 'request', 'body', 'sha256'])
    .where('game_id', '=', gameId)
    .orderBy('response_id');

/** Lists the responses of a slice or of a snapshot's control totals, in the order received, for `verify`. */
export async function listResponses(
  db: Db,
  gameId: number,
  owner: { sliceId: number } | { snapshotId: number },
): Promise<StoredResponse[]> {
  return await selectResponses(db, gameId)
    .where((expression) =>
      'sliceId' in owner ? expression('slice_id', '=', owner.sliceId) : expression('snapshot_id', '=', owner.snapshotId),
    )
    .execute();
}

/** Finds the stored body of a response. Throws when there is none of that id. */
export async function findResponseBody(db: Db, gameId: number, responseId: number): Promise<Buffer> {
  const response = db.selectFrom('response').select('body').where('game_id', '=', gameId).where('response_id', '=', responseId);
  return (await response.executeTakeFirstOrThrow()).body;
}

/** Finds the next response after an id that belongs to no slice and no snapshot, because it was refused; null when there is none. */
export async function findNextRefused(db: Db, gameId: number, after: number): Promise<StoredResponse | null> {
  const refused = selectResponses(db, gameId).where('slice_id', 'is', null).where('snapshot_id', 'is', null);
  return (await refused.where('response_id', '>', after).limit(1).executeTakeFirst()) ?? null;
}
