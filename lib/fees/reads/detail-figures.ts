import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import type { DetailFigures } from '../rules/detail-figures.ts';
import { seenSubscriptions } from './list-detail-work.ts';

/** What the readings of a month come to, without what only a job knows. */
export type ReadFigures = Omit<DetailFigures, 'version' | 'lifetime'>;

interface FiguresRow {
  card_count: number;
  card_read: number;
  named: number;
  named_other: number;
  named_read: number;
  pass_through: string;
  pass_through_none: number;
  chargeback: string;
  chargeback_none: number;
  held: string;
  held_none: number;
  refunded_count: number;
  refunded_read: number;
  listed_refunds: number;
  card_fee: string;
  card_fee_none: number;
  card_fee_undated: number;
  subscriptions: number;
  subscriptions_read: number;
}

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
  const { window, since, until } = month;
  const { rows } = await sql<FiguresRow>`
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
    select
      (select count(*) from line where is_card) as card_count,
      (select count(*) from settled where not is_item) as card_read,
      (select count(*) from item where is_own) as named,
      (select count(*) from reading where is_item and is_settled and card_charged_usd = 0) as named_other,
      (select count(*) from settled where is_item) as named_read,
      coalesce(sum(pass_through_fees_usd), 0.00) as pass_through, count(*) filter (where pass_through_fees_usd is null) as pass_through_none,
      coalesce(sum(chargeback_fees_usd), 0.00) as chargeback, count(*) filter (where chargeback_fees_usd is null) as chargeback_none,
      coalesce(sum(disputed_amount_held_usd), 0.00) as held, count(*) filter (where disputed_amount_held_usd is null) as held_none,
      (select count(*) from refunded) as refunded_count,
      (select count(*) from refunded where is_read) as refunded_read,
      (select count(*) from own join refund_event e on e.game_id = ${gameId} and e.slice_id = own.slice_id)
        + (select coalesce(sum(refund_count), 0)::bigint from refunded where is_item and is_dated_here) as listed_refunds,
      (select coalesce(sum(card_fee_charged_to_partner_usd), 0.00) from refunded where is_dated_here) as card_fee,
      (select count(*) from refunded where is_read and card_fee_charged_to_partner_usd is null) as card_fee_none,
      (select count(*) from refunded where card_fee_charged_to_partner_usd <> 0 and is_dated_here is not true) as card_fee_undated,
      (select count(*) from seen) as subscriptions,
      (select count(*) from seen where exists (
        select from report_read r
        where r.game_id = ${gameId} and r.kind = 'cycles' and r.subject = seen.subscription_id || ' 0' and r.read_at >= ${since}
          and r.read_at <= ${until}
      )) as subscriptions_read
    from settled`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('an aggregate has one row');
  return reshapeFigures(row, month);
}

function reshapeFigures(row: FiguresRow, { unattributed, refundEvents }: { unattributed: number; refundEvents: number }): ReadFigures {
  return {
    // What no report names may have been charged to a card as well.
    cardPeriods: { count: row.card_count + Math.max(0, unattributed - row.named_other), read: row.card_read + row.named_read },
    unnamed: Math.max(0, unattributed - row.named),
    pass_through: { amount_usd: row.pass_through, unrecorded: row.pass_through_none },
    chargeback: { amount_usd: row.chargeback, unrecorded: row.chargeback_none },
    held: { amount_usd: row.held, unrecorded: row.held_none },
    refunded: { count: row.refunded_count, read: row.refunded_read },
    unlistedRefunds: Math.max(0, refundEvents - row.listed_refunds),
    card_fee: { amount_usd: row.card_fee, unrecorded: row.card_fee_none, undated: row.card_fee_undated },
    subscriptions: { count: row.subscriptions, read: row.subscriptions_read },
  };
}
