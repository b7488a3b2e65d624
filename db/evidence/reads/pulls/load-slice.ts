import { EVENT_COLUMNS, RECIPIENT_COLUMNS, RENEWAL_COLUMNS, REVERSAL_COLUMNS } from '#db/evidence/columns.ts';
import type { Db } from '#db/kit/open.ts';
import type { RecipientFigures, RefundEvent, RenewalLine, ReversalLine, SliceEvidence } from '#lib/evidence/rules/evidence.ts';
import { reshapeTotalsRow } from './find-slices.ts';

/** Everything stored of one slice, as it was pulled: feeds the proof. A legal slice holds at most 20,000 lines of each kind. */
export async function loadSlice(db: Db, gameId: number, sliceId: number): Promise<SliceEvidence> {
  const head = await db
    .selectFrom('slice')
    .selectAll()
    .where('game_id', '=', gameId)
    .where('slice_id', '=', sliceId)
    .executeTakeFirstOrThrow();
  const of = <T extends 'slice_recipient' | 'renewal_line' | 'reversal_line' | 'refund_event'>(table: T) => ({ table, gameId, sliceId });
  const recipients = await rowsOf<RecipientFigures>(db, of('slice_recipient'), RECIPIENT_COLUMNS);
  const renewals = await rowsOf<RenewalLine & Reported>(db, of('renewal_line'), [...RENEWAL_COLUMNS, 'paid_at_reported']);
  const reversals = await rowsOf<ReversalLine & Reported>(db, of('reversal_line'), [...REVERSAL_COLUMNS, 'paid_at_reported']);
  const events = await rowsOf<RefundEvent & { period_id: number; event_no: number; refunded_at_reported: string }>(db, of('refund_event'), [
    ...EVENT_COLUMNS,
    'period_id',
    'event_no',
    'refunded_at_reported',
  ]);
  const eventsByPeriod = Map.groupBy(
    events.toSorted((a, b) => a.event_no - b.event_no),
    (event) => event.period_id,
  );
  return {
    window: { start: head.window_start, end: head.window_end },
    generated_at: head.generated_at,
    totals: reshapeTotalsRow(head),
    recipients,
    renewals: renewals.map(({ paid_at_reported, ...line }) => ({ ...line, paid_at: paid_at_reported })),
    reversals: reversals.map(({ paid_at_reported, ...line }) => ({
      ...line,
      paid_at: paid_at_reported,
      refund_events: (eventsByPeriod.get(line.period_id) ?? []).map(reshapeEvent),
    })),
    call_count: head.call_count,
    notice_count: head.notice_count,
  };
}

interface Reported {
  paid_at_reported: string;
}

function reshapeEvent({
  period_id: _,
  event_no: __,
  refunded_at_reported,
  ...event
}: RefundEvent & { period_id: number; event_no: number; refunded_at_reported: string }): RefundEvent {
  return { ...event, refunded_at: refunded_at_reported };
}

/** Guarantee of the cast: the columns named are those of the interface, and the table's types say what they hold. */
async function rowsOf<T>(db: Db, from: { table: string; gameId: number; sliceId: number }, columns: readonly string[]): Promise<T[]> {
  const rows = await db
    .selectFrom(from.table as 'slice_recipient')
    .select(columns as never)
    .where('game_id', '=', from.gameId)
    .where('slice_id', '=', from.sliceId)
    .execute();
  return rows as T[];
}
