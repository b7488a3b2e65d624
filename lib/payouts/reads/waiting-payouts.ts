import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { newestNaming } from '#lib/payees/reads/in-force.ts';

/** Something about payouts that waits for one person. */
export interface WaitingPayout {
  /** Of the run or the adjustment, a recipient of the payment details, or the number of a sender account, a payment file, a payment or a bank report. */
  id: number;
  kind:
    | 'approve'
    | 'confirm_void'
    | 'returned'
    | 'adjustment'
    | 'details'
    | 'sender'
    | 'elsewhere'
    | 'cancel_file'
    | 'reissue'
    | 'withdraw_reissue'
    | 'report_rows';
  /** The run, also that of a payment file; null: something else. */
  runNo: number | null;
  /** First instant of its month; null: something else. */
  windowStart: string | null;
  /** The recipient of an adjustment or of payment details; null: a run, or an imported file. */
  recipientId: number | null;
  /** The recipient’s name as Invo reported it last, not masked; null: it reports none, or something else. */
  name: string | null;
  /** USD: what the run or the payments come to, or the adjustment; 0.00: payment details and sender accounts. */
  amount_usd: string;
  /** Recipients the run pays, or whose payment details are proposed, or payments; null: something else. */
  payableCount: number | null;
  /** Who submitted, rejected or proposed it, requested to void it, or added the report; null: a run that a change returned to draft. */
  by: string | null;
  /** Why it was rejected, is to be voided or was proposed; null: no reason was given. */
  reason: string | null;
  /** When it was submitted, proposed or requested. */
  since: string;
}

/**
 * What waits for a person: runs in review and requests to void one that others made, runs of theirs that were sent back or returned to draft, and
 * adjustments, payment details, sender accounts, payments as paid elsewhere, cancelled files and re-issues that others proposed; the two halves of a transfer are one, and
 * so is an imported file. Rows of a bank report wait for anyone, and so does a re-issue that can only be withdrawn since its payment was paid or another run pays it. The
 * rights of the person are the caller's to check.
 */
export function waitingFor(gameId: number, personId: string): RawBuilder<unknown> {
  return sql`
    select array_position(array['approve', 'confirm_void', 'returned'], kind.kind) as place, kind.kind, run.run_no, run.window_start, null::bigint as recipient_id,
      run.payable_usd as amount_usd, run.payable_count,
      (select p.name from person p
        where p.id = case kind.kind when 'approve' then run.submitted_by when 'confirm_void' then run.void_requested_by else run.rejected_by end) as by,
      case kind.kind when 'confirm_void' then run.void_reason when 'returned' then run.reject_reason end as reason,
      run.submitted_at as since, run.run_id as id
    from payout_run run cross join lateral (select case
        when run.state = 'submitted'
          and not exists (select from payout_editor e where e.game_id = ${gameId} and e.run_id = run.run_id and e.person_id = ${personId})
          and not exists (select from payout_approval a where a.game_id = ${gameId} and a.run_id = run.run_id and a.content_digest = run.content_digest
            and a.approved_by = ${personId}) then 'approve'
        when run.state = 'approved' and run.void_requested_by <> ${personId} then 'confirm_void'
        when run.state in ('draft', 'rejected') and run.submitted_by = ${personId} then 'returned' end as kind) kind
    where run.game_id = ${gameId} and kind.kind is not null
    union all
    select 4, 'adjustment', null, null, a.recipient_player_id, a.amount_usd, null, (select p.name from person p where p.id = a.proposed_by), a.reason,
      a.proposed_at, a.adjustment_id
    from payout_adjustment a
    where a.game_id = ${gameId} and a.run_id is null and a.withdrawn_at is null and a.confirmed_at is null and a.proposed_by <> ${personId}
      and (a.pair_id is null or a.amount_usd > 0)
    union all
    select 5, 'details', null, null, case when d.change_set is null then min(d.recipient_player_id) end, 0.00, count(*)::int, min(author.name), min(d.reason),
      min(d.proposed_at), min(d.recipient_player_id)
    from payee_detail d join person author on author.id = d.proposed_by
    where d.game_id = ${gameId} and d.confirmed_at is null and d.withdrawn_at is null and d.proposed_by <> ${personId}
    group by d.change_set, case when d.change_set is null then d.recipient_player_id end
    union all
    select 6, case when b.method = 'elsewhere' then 'elsewhere' else 'cancel_file' end, run.run_no, run.window_start, null, b.total_usd, b.item_count, p.name,
      case when b.method = 'elsewhere' then b.note else b.cancel_reason end,
      case when b.method = 'elsewhere' then b.made_at else b.cancel_requested_at end, b.batch_no
    from payout_batch b join payout_run run on run.game_id = ${gameId} and run.run_id = b.run_id
      join person p on p.id = case when b.method = 'elsewhere' then b.made_by else b.cancel_requested_by end
    where b.game_id = ${gameId} and b.cancelled_at is null and b.handed_over_at is null and p.id <> ${personId}
      and run.state = 'approved' and run.closed_at is null
    union all
    select 6, case when replaced.state in ('failed', 'returned', 'waiting') then 'reissue' else 'withdraw_reissue' end, run.run_no, run.window_start,
      i.recipient_player_id, i.amount_usd, 1, p.name, i.reason, i.proposed_at, i.replaces_item_no
    from payout_item i join payout_run run on run.game_id = ${gameId} and run.run_id = i.run_id join person p on p.id = i.proposed_by
      join payout_item replaced on replaced.game_id = ${gameId} and replaced.run_id = i.run_id and replaced.item_no = i.replaces_item_no
    where i.game_id = ${gameId} and i.replaces_item_no is not null and i.confirmed_at is null and i.withdrawn_at is null and run.state = 'approved' and run.closed_at is null
      and (i.proposed_by <> ${personId} or replaced.state not in ('failed', 'returned', 'waiting'))
    union all
    select 7, 'sender', null, null, null, 0.00, null, p.name, s.mask, s.proposed_at, s.sender_no
    from payout_sender s join person p on p.id = s.proposed_by
    where s.game_id = ${gameId} and s.confirmed_at is null and s.withdrawn_at is null and s.proposed_by <> ${personId}
    union all
    select 8, 'report_rows', null, null, null, 0.00, null, p.name, null, report.added_at, report.report_no
    from payment_report report join person p on p.id = report.added_by
    where report.game_id = ${gameId} and exists (
      select from payment_report_row r where r.game_id = ${gameId} and r.report_no = report.report_no and r.decision is null)`;
}

/** Lists what waits for a person, runs first, the longest waiting first, at most `limit`. */
export async function listWaitingPayouts(db: Db, gameId: number, personId: string, limit: number): Promise<WaitingPayout[]> {
  const { rows } = await sql<WaitingPayout>`
    select id, kind, run_no as "runNo", window_start as "windowStart", recipient_id as "recipientId", newest.player_name as name, amount_usd,
      payable_count as "payableCount", by, reason, since
    from (select * from (${waitingFor(gameId, personId)}) as every order by place, since, id limit ${limit}) as waiting
      left join lateral ${newestNaming(gameId, 'waiting.recipient_id')} newest on true order by place, since, id`.execute(db);
  return rows;
}
