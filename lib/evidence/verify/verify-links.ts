import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Findings } from './violation.ts';

/** Holds the rows against each other: whatever names another row must find it, and versions and re-checks must follow from what they speak of. */
export async function verifyLinks(db: Db, gameId: number, findings: Findings): Promise<void> {
  const { rows } = await sql<{ name: string; subject: string; expected: string; actual: string }>`
    select 'slice_exists' as name, 'response ' || response_id as subject, 'slice ' || slice_id as expected, 'no such slice' as actual
      from response r where game_id = ${gameId} and slice_id is not null and not exists (select 1 from slice s where s.game_id = r.game_id and s.slice_id = r.slice_id)
    union all select 'snapshot_exists', 'response ' || response_id, 'snapshot ' || snapshot_id, 'no such snapshot'
      from response r where game_id = ${gameId} and snapshot_id is not null and not exists (select 1 from snapshot s where s.game_id = r.game_id and s.snapshot_id = r.snapshot_id)
    union all select 'snapshot_exists', 'pull ' || pull_id, 'snapshot ' || snapshot_id, 'no such snapshot'
      from pull p where game_id = ${gameId} and snapshot_id is not null and not exists (select 1 from snapshot s where s.game_id = p.game_id and s.snapshot_id = p.snapshot_id)
    union all select 'snapshot_window', 'snapshot ' || s.snapshot_id, p.window_start || ' to ' || p.window_end, s.window_start || ' to ' || s.window_end
      from snapshot s join pull p using (game_id, pull_id) where s.game_id = ${gameId} and (s.window_start, s.window_end) <> (p.window_start, p.window_end)
    union all select 'slice_versions', 'slice ' || slice_id, 'version ' || should || ' after slice ' || coalesce(before::text, 'none'), 'version ' || version || ' after slice ' || coalesce(supersedes_slice_id::text, 'none')
      from (select slice_id, version, supersedes_slice_id, row_number() over w as should, lag(slice_id) over w as before
        from slice where game_id = ${gameId} window w as (partition by window_start, window_end order by version)) v
      where version <> should or supersedes_slice_id is distinct from before
    union all select 'line_has_slice', kind || ' of slice ' || slice_id, 'slice ' || slice_id, 'no such slice'
      from (select distinct 'renewal lines' as kind, slice_id from renewal_line where game_id = ${gameId}
        union select distinct 'reversals', slice_id from reversal_line where game_id = ${gameId}
        union select distinct 'recipients', slice_id from slice_recipient where game_id = ${gameId}) l
      where not exists (select 1 from slice s where s.game_id = ${gameId} and s.slice_id = l.slice_id)
    union all select 'recheck_answers', 'recheck ' || recheck_id, 'the answers it rests on', 'none kept'
      from recheck c where game_id = ${gameId} and is_equal
        and not exists (select 1 from response r where r.game_id = c.game_id and r.pull_id = c.pull_id and r.purpose = 'control')
        and not exists (select 1 from slice s where s.game_id = c.game_id and s.pull_id = c.pull_id)
    union all select 'recheck_result', 'recheck ' || c.recheck_id, case when same then 'equal' else 'moved' end, case when c.is_equal then 'equal' else 'moved' end
      from recheck c join pull p using (game_id, pull_id)
        join snapshot a on a.game_id = c.game_id and a.snapshot_id = c.snapshot_id
        join snapshot b on b.game_id = c.game_id and b.snapshot_id = p.snapshot_id
        cross join lateral (select (a.renewals_settled, a.settled_gross_usd, a.invo_fee_usd, a.partner_revenue_settled_usd, a.partner_revenue_reversed_usd, a.partner_revenue_usd,
            a.renewals_with_attribution, a.renewals_without_attribution, a.gross_attributed_usd, a.reversed_attributed_usd, a.net_attributed_usd, a.refund_events_in_window, a.reversals_without_receipts)
          = (b.renewals_settled, b.settled_gross_usd, b.invo_fee_usd, b.partner_revenue_settled_usd, b.partner_revenue_reversed_usd, b.partner_revenue_usd,
            b.renewals_with_attribution, b.renewals_without_attribution, b.gross_attributed_usd, b.reversed_attributed_usd, b.net_attributed_usd, b.refund_events_in_window, b.reversals_without_receipts)
          and a.unattributed_reasons = b.unattributed_reasons as same) as compared
      where c.game_id = ${gameId} and c.is_equal <> same`.execute(db);
  for (const { name, subject, expected, actual } of rows) findings.about(subject).must(name, false, expected, actual);
}
