import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { GameRef } from '#lib/core/game.ts';
import type { Violation } from '../rules/findings.ts';
import { ADDITIVE_TOTALS } from '../rules/totals.ts';
import { isMonthOf } from './months.ts';
import { daysOf } from './snapshot-days.ts';

/** Lists what is left of people who were erased, fields that name them or their salt, and bytes marked as redacted that no erasure changes. */
async function listErasureViolations(db: Db, gameId: number): Promise<Violation[]> {
  const { rows } = await sql<Violation>`
    select 'erased_identity' as name, 'recipient ' || e.recipient_player_id as subject, 'erased' as expected, kept.place as actual
    from recipient_erasure e cross join lateral (
      select 'a salt' as place from recipient_salt s where s.game_id = ${gameId} and s.recipient_player_id = e.recipient_player_id
      union select 'fields of slice ' || slice_id from slice_recipient r
        where r.game_id = ${gameId} and r.recipient_player_id = e.recipient_player_id
          and coalesce(player_email, player_name, identity_id) is not null
      union select 'fields of snapshot ' || snapshot_id from snapshot_recipient r
        where r.game_id = ${gameId} and r.recipient_player_id = e.recipient_player_id
          and coalesce(player_email, player_name, identity_id) is not null
    ) kept
    where e.game_id = ${gameId}
    union all select 'redacted', 'response ' || r.response_id, 'bytes as received', 'redacted bytes'
      from response r where r.game_id = ${gameId} and r.is_redacted
        and (r.slice_id is not null or r.snapshot_id is not null or not exists (select from recipient_erasure e where e.game_id = ${gameId}))
    union all select 'redacted', r.kind || ' ' || r.subject || ', reading ' || r.read_no, 'bytes as received', 'redacted bytes'
      from report_read r where r.game_id = ${gameId} and r.is_redacted
        and not exists (select from recipient_erasure e where e.game_id = ${gameId})`.execute(db);
  return rows;
}

/** Lists the rows that contradict each other: whatever names another row must find it, and versions and re-checks must follow from what they name. */
export async function listLinkViolations(db: Db, gameId: number): Promise<Violation[]> {
  const { rows } = await sql<Violation>`
    select 'slice_exists' as name, 'response ' || response_id as subject, 'slice ' || slice_id as expected, 'no such slice' as actual
      from response r where game_id = ${gameId} and slice_id is not null and not exists (select 1 from slice s where s.game_id = ${gameId} and s.slice_id = r.slice_id)
    union all select 'snapshot_exists', 'response ' || response_id, 'snapshot ' || snapshot_id, 'no such snapshot'
      from response r where game_id = ${gameId} and snapshot_id is not null and not exists (select 1 from snapshot s where s.game_id = ${gameId} and s.snapshot_id = r.snapshot_id)
    union all select 'snapshot_exists', 'pull ' || pull_id, 'snapshot ' || snapshot_id, 'no such snapshot'
      from pull p where game_id = ${gameId} and snapshot_id is not null and not exists (select 1 from snapshot s where s.game_id = ${gameId} and s.snapshot_id = p.snapshot_id)
    union all select 'snapshot_window', 'snapshot ' || s.snapshot_id, p.window_start || ' to ' || p.window_end, s.window_start || ' to ' || s.window_end
      from snapshot s join pull p using (game_id, pull_id) where s.game_id = ${gameId} and (s.window_start, s.window_end) <> (p.window_start, p.window_end)
    union all select 'snapshot_pull', 'snapshot ' || s.snapshot_id, 'a pull that ended in it', 'a pull that ended in snapshot ' || coalesce(p.snapshot_id::text, 'none')
      from snapshot s left join pull p on p.game_id = ${gameId} and p.pull_id = s.pull_id where s.game_id = ${gameId} and p.snapshot_id is distinct from s.snapshot_id
    union all select 'slice_pull', 'slice ' || s.slice_id, 'pull ' || s.pull_id, 'a response of pull ' || min(r.pull_id)
      from slice s join response r on r.game_id = ${gameId} and r.slice_id = s.slice_id and r.pull_id <> s.pull_id
      where s.game_id = ${gameId} group by s.slice_id, s.pull_id
    union all select 'numbered_without_gap', kind || ' of snapshot ' || snapshot_id, '1 to ' || count(*), min(no) || ' to ' || max(no)
      from (select 'slices' as kind, snapshot_id, slice_no as no from snapshot_slice where game_id = ${gameId}
        union all select 'checks', snapshot_id, check_no from snapshot_check where game_id = ${gameId}) numbered
      group by kind, snapshot_id having min(no) <> 1 or max(no) <> count(*)
    union all select 'slice_versions', 'slice ' || slice_id, 'version ' || should || ' after slice ' || coalesce(before::text, 'none'), 'version ' || version || ' after slice ' || coalesce(supersedes_slice_id::text, 'none')
      from (select slice_id, version, supersedes_slice_id, row_number() over w as should, lag(slice_id) over w as before
        from slice where game_id = ${gameId} window w as (partition by window_start, window_end order by version)) v
      where version <> should or supersedes_slice_id is distinct from before
    union all select 'line_has_slice', kind || ' of slice ' || slice_id, 'slice ' || slice_id, 'no such slice'
      from (select distinct 'renewal lines' as kind, slice_id from renewal_line where game_id = ${gameId}
        union select distinct 'reversals', slice_id from reversal_line where game_id = ${gameId}
        union select distinct 'recipients', slice_id from slice_recipient where game_id = ${gameId}
        union select distinct 'refund events', slice_id from refund_event where game_id = ${gameId}
        union select distinct 'slice of a snapshot', slice_id from snapshot_slice where game_id = ${gameId}) l
      where not exists (select 1 from slice s where s.game_id = ${gameId} and s.slice_id = l.slice_id)
    union all select 'row_has_snapshot', kind || ' of snapshot ' || snapshot_id, 'snapshot ' || snapshot_id, 'no such snapshot'
      from (select distinct 'slices' as kind, snapshot_id from snapshot_slice where game_id = ${gameId}
        union select distinct 'checks', snapshot_id from snapshot_check where game_id = ${gameId}
        union select distinct 'recipients', snapshot_id from snapshot_recipient where game_id = ${gameId}
        union select distinct 'rechecks', snapshot_id from recheck where game_id = ${gameId}) l
      where not exists (select 1 from snapshot s where s.game_id = ${gameId} and s.snapshot_id = l.snapshot_id)
    union all select 'recheck_answers', 'recheck ' || recheck_id, 'the answers it rests on', 'none kept'
      from recheck c where game_id = ${gameId}
        and not exists (select 1 from response r where r.game_id = ${gameId} and r.pull_id = c.pull_id and r.purpose = 'control')
        and not exists (select 1 from slice s where s.game_id = ${gameId} and s.pull_id = c.pull_id)
    union all select 'recheck_pull', 'recheck ' || c.recheck_id, 'a pull of the window of snapshot ' || c.snapshot_id, 'pull ' || c.pull_id
      from recheck c where c.game_id = ${gameId} and not exists (
        select from pull p join snapshot s using (game_id, window_start, window_end)
        where p.game_id = ${gameId} and p.pull_id = c.pull_id and s.snapshot_id = c.snapshot_id)
    union all select 'recheck_result', 'recheck ' || c.recheck_id, case when same then 'equal' else 'moved' end, case when c.is_equal then 'equal' else 'moved' end
      from recheck c join pull p using (game_id, pull_id)
        join snapshot a on a.game_id = ${gameId} and a.snapshot_id = c.snapshot_id
        left join snapshot b on b.game_id = ${gameId} and b.snapshot_id = p.snapshot_id
        -- A pull goes on after other totals, and may ask again; equal ones come with its end.
        cross join lateral (
          select b.snapshot_id is not null and (${totalsOf('a')}) = (${totalsOf('b')}) and a.unattributed_reasons = b.unattributed_reasons
            and not exists (select from recheck later where later.game_id = ${gameId} and later.pull_id = c.pull_id and later.recheck_id > c.recheck_id) as same
        ) as compared
      where c.game_id = ${gameId} and c.is_equal <> same`.execute(db);
  return [...rows, ...(await listErasureViolations(db, gameId))];
}

function totalsOf(snapshot: 'a' | 'b'): RawBuilder<unknown> {
  return sql.join(Object.keys(ADDITIVE_TOTALS).map((name) => sql.ref(`${snapshot}.${name}`)));
}

/** Lists the windows whose stored current snapshot differs from what the snapshots and their checks state. */
export async function listWindowViolations(db: Db, gameId: number): Promise<Violation[]> {
  const { rows } = await sql<Violation>`
    with fresh as (
      select c.window_start, c.window_end, concat_ws(', ', 'snapshot ' || c.snapshot_id, c.status,
        (select count(*) || ' checks, ' || count(*) filter (where k.ok) || ' match' from snapshot_check k
         where k.game_id = ${gameId} and k.snapshot_id = c.snapshot_id)) as state
      from current_snapshot c where c.game_id = ${gameId}
    ), kept as (
      select w.window_start, w.window_end,
        concat_ws(', ', 'snapshot ' || w.snapshot_id, w.status, w.check_count || ' checks, ' || w.check_ok_count || ' match') as state
      from current_window w where w.game_id = ${gameId}
    )
    select 'current_snapshot' as name, 'window ' || to_char(window_start at time zone 'UTC', 'YYYY-MM-DD') as subject,
      coalesce(fresh.state, 'none') as expected, coalesce(kept.state, 'none') as actual
    from fresh full join kept using (window_start, window_end)
    where fresh.state is distinct from kept.state order by window_start`.execute(db);
  return rows;
}

/** Lists the current snapshots of a game whose days are stored, in order. */
export async function listSnapshotsWithDays(db: Db, gameId: number): Promise<number[]> {
  const { rows } = await sql<{ snapshot_id: number }>`
    select w.snapshot_id from current_window w where w.game_id = ${gameId}
      and exists (select from snapshot_day d where d.game_id = ${gameId} and d.snapshot_id = w.snapshot_id) order by w.snapshot_id`.execute(
    db,
  );
  return rows.map((row) => row.snapshot_id);
}

/** Lists the days of a snapshot whose stored sums differ from its lines. */
export async function listDayViolations(db: Db, gameId: number, snapshotId: number): Promise<Violation[]> {
  const text = (table: string): RawBuilder<string> =>
    sql`${sql.ref(`${table}.gross_attributed_usd`)} || ' and ' || coalesce(${sql.ref(`${table}.reversed_attributed_usd`)}::text, 'not dated')`;
  const { rows } = await sql<Violation>`
    select 'snapshot_day' as name, 'snapshot ' || ${snapshotId}::bigint || ', ' || day as subject, coalesce(${text('fresh')}, 'none') as expected,
      coalesce(${text('kept')}, 'none') as actual
    from (${daysOf(gameId, snapshotId)}) fresh
      full join (select * from snapshot_day where game_id = ${gameId} and snapshot_id = ${snapshotId}) kept using (day)
    where (fresh.gross_attributed_usd, fresh.reversed_attributed_usd) is distinct from (kept.gross_attributed_usd, kept.reversed_attributed_usd)
    order by day`.execute(db);
  return rows;
}

/** Lists the complete snapshots whose stored drift differs from their figures, and the repeated reversals whose stored rows differ from the lines. */
export async function listDriftViolations(db: Db, gameId: number): Promise<Violation[]> {
  return [...(await listWrongDrifts(db, gameId)), ...(await listWrongRepeats(db, gameId))];
}

async function listWrongDrifts(db: Db, gameId: number): Promise<Violation[]> {
  const { rows: snapshots } = await sql<{ id: number; earlier: number[]; stored: string | null }>`
    select s.snapshot_id as id, ${driftText('k')} as stored, array(
      select o.snapshot_id from snapshot o where o.game_id = ${gameId} and o.window_start = s.window_start and o.window_end = s.window_end
        and o.status = 'complete' and s.status = 'complete' and o.snapshot_id < s.snapshot_id order by o.snapshot_id desc) as earlier
    from snapshot s left join snapshot_drift k on k.game_id = ${gameId} and k.snapshot_id = s.snapshot_id
    where s.game_id = ${gameId} order by s.snapshot_id`.execute(db);
  const violations: Violation[] = [];
  for (const { id, earlier, stored } of snapshots) {
    const drift = await findDrift(db, gameId, earlier, id);
    if (drift === stored) continue;
    violations.push({ name: 'snapshot_drift', subject: `snapshot ${id}`, expected: drift ?? 'none', actual: stored ?? 'none' });
  }
  return violations;
}

/** The difference from the newest earlier snapshot that differs. */
async function findDrift(db: Db, gameId: number, earlier: readonly number[], snapshotId: number): Promise<string | null> {
  for (const before of earlier) {
    // A function that reads tables is called by a statement that reads none: a distributed database runs it on one server then.
    const { rows } = await sql<{ drift: string }>`select ${driftText('d')} as drift
      from (select ${before}::bigint as from_snapshot_id, f.* from snapshot_difference(${gameId}, ${before}, ${snapshotId}) f) d where d.differs`.execute(
      db,
    );
    if (rows[0] !== undefined) return rows[0].drift;
  }
  return null;
}

/** A repeated reversal of a period in a window, as one text. */
interface Repeat {
  key: string;
  periodId: number;
  text: string;
}

async function listWrongRepeats(db: Db, gameId: number): Promise<Violation[]> {
  const columns = sql`concat_ws(' ', window_start, window_end, period_id) as key, period_id as "periodId", trim_scale(reversed_attributed_usd) || ' of '
    || trim_scale(originally_attributed_usd) || ' from player ' || recipient_player_id || ' in snapshot ' || snapshot_id as text`;
  const { rows: fresh } = await sql<Repeat>`select ${columns} from find_repeated_reversals(${gameId}, null)`.execute(db);
  const { rows: stored } = await sql<Repeat>`select ${columns} from repeated_reversal where game_id = ${gameId}`.execute(db);
  const [expected, actual] = [fresh, stored].map((rows) => new Map(rows.map((row) => [row.key, row.text])));
  const repeats = new Map([...stored, ...fresh].map((row) => [row.key, row]));
  return [...repeats.values()]
    .filter(({ key }) => expected?.get(key) !== actual?.get(key))
    .map(({ key, periodId }) => ({
      name: 'repeated_reversal',
      subject: `period ${periodId}`,
      expected: expected?.get(key) ?? 'none',
      actual: actual?.get(key) ?? 'none',
    }));
}

function driftText(table: 'd' | 'k'): RawBuilder<string | null> {
  const column = (name: string): RawBuilder<unknown> => sql.ref(`${table}.${name}`);
  return sql`'since snapshot ' || ${column('from_snapshot_id')} || ': ' || ${column('lines_added')} || ' lines added, ' || ${column('lines_removed')}
    || ' removed, ' || ${column('lines_changed')} || ' changed, net ' || trim_scale(${column('net_change_usd')})`;
}

/** A period whose reversals in current snapshots exceed what was attributed, with each row. */
export interface ExceededAttribution extends Violation {
  /** Whether one snapshot's exact receipts exceed it; otherwise reversals without receipts do, which several months report. */
  isExact: boolean;
}

/** Lists the periods that the current snapshots of a game reverse by more than was attributed. Windows that overlap report the same rows. */
export async function listExceededAttributions(db: Db, game: Pick<GameRef, 'gameId' | 'timeZone'>): Promise<ExceededAttribution[]> {
  const { rows } = await sql<ExceededAttribution>`
    with line as (
      select w.window_start, w.window_end, w.snapshot_id, l.period_id, l.originally_attributed_usd, l.reversed_attributed_usd,
        l.reversal_basis = 'period_row' as is_coarse, ${isMonthOf('w', game.timeZone)} as is_month
      from current_window w
      join snapshot_slice o on o.game_id = ${game.gameId} and o.snapshot_id = w.snapshot_id
      join reversal_line l on l.game_id = ${game.gameId} and l.slice_id = o.slice_id
      where w.game_id = ${game.gameId}
    ), found as (
      select false as is_exact, period_id, null::bigint as snapshot_id, max(originally_attributed_usd)::numeric as attributed_usd,
        string_agg(reversed_attributed_usd || ' in snapshot ' || snapshot_id || ' from '
          || to_char(window_start at time zone 'UTC', 'YYYY-MM-DD'), ', ' order by window_start) as found
      from line where is_coarse and is_month group by period_id
      having count(distinct snapshot_id) > 1 and sum(reversed_attributed_usd) > max(originally_attributed_usd)
      union all
      select true, period_id, snapshot_id, max(originally_attributed_usd)::numeric,
        string_agg(reversed_attributed_usd::text, ' and ' order by reversed_attributed_usd desc)
      from line where not is_coarse group by period_id, snapshot_id
      having sum(reversed_attributed_usd) > max(originally_attributed_usd)
    )
    select is_exact as "isExact", 'reversed_within_attributed' as name,
      'period ' || period_id || coalesce(' of snapshot ' || snapshot_id, '') as subject, 'at most ' || attributed_usd as expected, found as actual
    from found order by is_exact, period_id, snapshot_id`.execute(db);
  return rows;
}
