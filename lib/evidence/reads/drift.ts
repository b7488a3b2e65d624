import { type RawBuilder, sql } from 'kysely';
import { type Db, nestedInstant, nestedMoney } from '#db/kit/open.ts';

/** How a complete snapshot differs from the newest earlier complete one of its window with other figures. */
export interface Drift {
  from: { snapshotId: number; createdAt: string };
  /** Rows of the renewals and reversals sheets. */
  lines_added: number;
  lines_removed: number;
  lines_changed: number;
  /** USD, exact text: net attributed less that of the earlier snapshot. */
  net_change_usd: string;
}

/** Selects the drift of the snapshot of a game that is joined as `snapshot`; null: its figures were never others. */
export function driftOfSnapshot(gameId: number): RawBuilder<Drift | null> {
  return sql`(
  select json_build_object('from', json_build_object('snapshotId', earlier.snapshot_id, 'createdAt', ${nestedInstant('earlier.created_at')}),
    'lines_added', drift.lines_added, 'lines_removed', drift.lines_removed, 'lines_changed', drift.lines_changed,
    'net_change_usd', ${nestedMoney('drift.net_change_usd')})
  from snapshot_drift drift
  join snapshot earlier on earlier.game_id = ${gameId} and earlier.snapshot_id = drift.from_snapshot_id
  where drift.game_id = ${gameId} and drift.snapshot_id = snapshot.snapshot_id)`;
}

/** Finds the drift of one snapshot; null: its figures were never others, or it isn't complete. */
export async function findDrift(db: Db, gameId: number, snapshotId: number): Promise<Drift | null> {
  const row = await db
    .selectFrom('snapshot')
    .select(driftOfSnapshot(gameId).as('drift'))
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .executeTakeFirst();
  return row?.drift ?? null;
}

/** What Invo reported for a window in two complete snapshots. Amounts in USD, exact text. */
export interface DriftDetails {
  figures: { name: DriftName; before: string; after: string }[];
  /** How many recipients have another net. */
  recipientCount: number;
  /** Those whose net changed most, at most 20. */
  recipients: DriftedRecipient[];
  /** The lines that differ, largest effect first, at most 200. */
  lines: DriftedLine[];
}

export interface DriftedRecipient {
  playerId: number;
  name: string | null;
  /** null: not in that snapshot. */
  before: string | null;
  after: string | null;
}

/** A row of the renewals or the reversals sheet with what it adds to the net in each snapshot; null: it isn't in that snapshot. */
export interface DriftedLine {
  kind: 'renewal' | 'reversal';
  periodId: number;
  playerId: number;
  /** When it settled or was refunded, as Invo reported it; null: a reversal without receipts. */
  at: string | null;
  before: string | null;
  after: string | null;
}

/** The figures compared, in the order of the fee walk. */
const DRIFT_MONEY = [
  'settled_gross_usd',
  'invo_fee_usd',
  'partner_revenue_settled_usd',
  'partner_revenue_reversed_usd',
  'partner_revenue_usd',
  'gross_attributed_usd',
  'reversed_attributed_usd',
  'net_attributed_usd',
] as const;
type DriftName = (typeof DRIFT_MONEY)[number];

/** Recipients named at most; the count covers all of them. */
const RECIPIENTS_MAX = 20;

/** Lines named at most; the counts of the drift cover all of them. */
const LINES_MAX = 200;

const figures = sql.join(
  DRIFT_MONEY.map(
    (name) =>
      sql`json_build_object('name', ${sql.lit(name)}, 'before', ${nestedMoney(`earlier.${name}`)}, 'after', ${nestedMoney(`snapshot.${name}`)})`,
  ),
);

/** Selects what changed since the snapshot that a snapshot differs from: totals, recipients and lines; null: its figures were never others. */
export function driftDetailsOf(gameId: number, snapshotId: number): RawBuilder<DriftDetails | null> {
  return sql`(
  select json_build_object('figures', json_build_array(${figures}), 'recipientCount', moved.recipient_count, 'recipients', moved.recipients,
    'lines', differing.lines)
  from snapshot_drift drift
  join snapshot on snapshot.game_id = ${gameId} and snapshot.snapshot_id = drift.snapshot_id
  join snapshot earlier on earlier.game_id = ${gameId} and earlier.snapshot_id = drift.from_snapshot_id
  cross join lateral (
    select coalesce(max(each.moved_count), 0) as recipient_count, coalesce(json_agg(json_build_object('playerId', each.player_id,
      'name', each.name, 'before', each.before::text, 'after', each.after::text) order by each.place), '[]') as recipients
    from (
      select recipient_player_id as player_id, coalesce(a.player_name, b.player_name) as name,
        b.net_attributed_usd as before, a.net_attributed_usd as after, count(*) over () as moved_count, row_number() over (
          order by abs(coalesce(a.net_attributed_usd, 0) - coalesce(b.net_attributed_usd, 0)) desc, recipient_player_id) as place
      from (select * from snapshot_recipient r where r.game_id = ${gameId} and r.snapshot_id = drift.from_snapshot_id) b
      full join (select * from snapshot_recipient r where r.game_id = ${gameId} and r.snapshot_id = drift.snapshot_id) a
        using (recipient_player_id)
      where a.net_attributed_usd is distinct from b.net_attributed_usd
      order by place limit ${sql.lit(RECIPIENTS_MAX)}
    ) each
  ) moved
  cross join lateral (
    select coalesce(json_agg(json_build_object('kind', each.kind, 'periodId', each.period_id, 'playerId', each.recipient_player_id, 'at', each.at,
      'before', each.before_usd::text, 'after', each.after_usd::text) order by each.place), '[]') as lines
    from (
      select l.*, row_number() over (order by abs(coalesce(l.after_usd, 0) - coalesce(l.before_usd, 0)) desc, l.period_id, l.kind, l.at) as place
      from differing_lines(${gameId}::int, drift.from_snapshot_id, drift.snapshot_id) l
      order by place limit ${sql.lit(LINES_MAX)}
    ) each
  ) differing
  where drift.game_id = ${gameId} and drift.snapshot_id = ${snapshotId})`;
}
