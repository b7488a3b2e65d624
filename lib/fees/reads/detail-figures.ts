import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import type { DetailFigures } from '../rules/detail-figures.ts';
import { seenSubscriptions } from './list-detail-work.ts';

/** What the readings of a month come to, without what only a job knows. */
export type ReadFigures = Omit<DetailFigures, 'version' | 'lifetime'>;

/**
 * Adds up what the newest readings about the lines of a snapshot report. A reading counts from `since` on, when the month was complete, up to
 * `until`: the same sums can be made again later.
 * Fees of a charge belong to the month the period settled in; the card fee on refunds to the month in which all its refunds lie.
 */
export async function sumDetailFigures(
  db: Db,
  gameId: number,
  month: { snapshotId: number; window: Window; since: string; until: string; unattributed: number; refundEvents: number },
): Promise<ReadFigures> {
  const { window, since, until, unattributed, refundEvents } = month;
  const { rows } = await sql<{ figures: ReadFigures }>`
    with own as (
      select slice_id from snapshot_slice where game_id = ${gameId} and snapshot_id = ${month.snapshotId}
    ), line as (
      select l.period_id, l.card_charged_usd > 0 as is_card
      from own join renewal_line l on l.game_id = ${gameId} and l.slice_id = own.slice_id
    ), seen as (${seenSubscriptions(gameId)}
    ), item as (
      select u.period_id, u.window_start = ${window.start} and u.window_end = ${window.end} as is_own from unattributed_renewal u
      where u.game_id = ${gameId} and u.period_id is not null and u.found_at <= ${until} and u.period_id not in (select period_id from line)
    ), asked as (
      select period_id, true as is_settled, false as is_item, false as is_reversed from line where is_card
      union all
      select period_id, is_own, true, false from item
      union all
      select distinct r.period_id, false, false, true from own join reversal_line r on r.game_id = ${gameId} and r.slice_id = own.slice_id
    ), reading as (
      select asked.*, r.*, r.read_no is not null as is_read,
        r.first_refunded_at >= ${window.start} and r.last_refunded_at < ${window.end} as is_dated_here,
        is_reversed or is_item and r.last_refunded_at >= ${window.start} and r.first_refunded_at < ${window.end} as is_refunded
      from asked left join lateral (
        select read_no, card_charged_usd, pass_through_fees_usd, chargeback_fees_usd, disputed_amount_held_usd,
          card_fee_charged_to_partner_usd, refund_count, first_refunded_at, last_refunded_at
        from report_read
        where game_id = ${gameId} and kind = 'period' and subject = asked.period_id::text and has_figures and read_at >= ${since} and read_at <= ${until}
        order by read_no desc limit 1
      ) r on true
    ), settled as (
      select * from reading where is_settled and is_read and (not is_item or card_charged_usd is distinct from 0)
    ), refunded as (
      select distinct on (period_id) * from reading where is_refunded order by period_id, is_item desc
    )
    select json_build_object(
      -- What no report names may have been charged to a card as well.
      'cardPeriods', json_build_object(
        'count', (select count(*) from line where is_card)
          + greatest(0, ${unattributed}::int - (select count(*) from reading where is_item and is_settled and card_charged_usd = 0)),
        'read', count(*)),
      'unnamed', greatest(0, ${unattributed}::int - (select count(*) from item where is_own)),
      'pass_through', ${feeOf('pass_through_fees_usd')},
      'chargeback', ${feeOf('chargeback_fees_usd')},
      'held', ${feeOf('disputed_amount_held_usd')},
      'refunded', json_build_object('count', (select count(*) from refunded), 'read', (select count(*) from refunded where is_read)),
      'unlistedRefunds', greatest(0, ${refundEvents}::int
        - (select count(*) from own join refund_event e on e.game_id = ${gameId} and e.slice_id = own.slice_id)
        - (select coalesce(sum(refund_count), 0)::bigint from refunded where is_item and is_dated_here)),
      'card_fee', json_build_object(
        'amount_usd', (select coalesce(sum(card_fee_charged_to_partner_usd), 0.00)::text from refunded where is_dated_here),
        'unrecorded', (select count(*) from refunded where is_read and card_fee_charged_to_partner_usd is null),
        'undated', (select count(*) from refunded where card_fee_charged_to_partner_usd <> 0 and is_dated_here is not true)),
      'subscriptions', json_build_object('count', (select count(*) from seen), 'read', (
        select count(*) from seen where exists (
          select from report_read r
          where r.game_id = ${gameId} and r.kind = 'cycles' and r.subject = seen.subscription_id || ' 0' and r.read_at >= ${since}
            and r.read_at <= ${until})))) as figures
    from settled`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('an aggregate has one row');
  return row.figures;
}

/** A fee added up over the periods read, as it is stored: the sum, and how many have none recorded. */
function feeOf(column: string): RawBuilder<unknown> {
  const fee = sql.ref(column);
  return sql`json_build_object('amount_usd', coalesce(sum(${fee}), 0.00)::text, 'unrecorded', count(*) filter (where ${fee} is null))`;
}
