import { type RawBuilder, sql } from 'kysely';
import { type Db, nestedInstant, nestedMoney } from '#db/kit/open.ts';
import { maskEmail } from '#lib/core/mask-email.ts';
import { maskName } from '#lib/core/roles.ts';
import type { Identity } from '../rules/evidence.ts';

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

/** Selects which totals and recipients changed since the snapshot that a snapshot differs from; null: its figures were never others. */
export function driftOf(gameId: number, snapshotId: number): RawBuilder<DriftOfTotals | null> {
  return sql`(
  select json_build_object('figures', json_build_array(${figures}), 'recipientCount', moved.recipient_count, 'recipients', moved.recipients,
    'fromSnapshotId', drift.from_snapshot_id)
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
  where drift.game_id = ${gameId} and drift.snapshot_id = ${snapshotId})`;
}

type DriftOfTotals = Omit<DriftDetails, 'lines'> & { fromSnapshotId: number };

/** Adds the lines that changed, the largest effects first. */
export async function withLines(
  db: Db,
  { gameId, snapshotId }: { gameId: number; snapshotId: number },
  drift: DriftOfTotals,
): Promise<DriftDetails> {
  const { fromSnapshotId, ...totals } = drift;
  const { rows: lines } = await sql<DriftedLine>`
    select kind, period_id as "periodId", recipient_player_id as "playerId", at, before_usd as before, after_usd as after
    from differing_lines(${gameId}, ${fromSnapshotId}, ${snapshotId})
    order by abs(coalesce(after_usd, 0) - coalesce(before_usd, 0)) desc, period_id, kind, at limit ${sql.lit(LINES_MAX)}`.execute(db);
  return { ...totals, lines };
}

/** Recipients whom Invo reported by another name, email or identity in an earlier complete snapshot of the same window. No figure changed by it. */
export interface IdentityChanges {
  before: { snapshotId: number };
  /** How many there are. */
  count: number;
  /** The first of them by player id, at most 20. */
  recipients: { playerId: number; before: Identity; after: Identity }[];
}

/** Recipients named at most; the count covers all of them. */
const NAMED_MAX = 20;

/** Earlier snapshots looked back over. */
const SNAPSHOTS_MAX = 30;

const identityOf = (side: 'a' | 'b'): RawBuilder<unknown> =>
  sql`json_build_object('player_email', ${sql.ref(`${side}.player_email`)}, 'player_name', ${sql.ref(`${side}.player_name`)}, 'identity_id', ${sql.ref(`${side}.identity_id`)})`;

/**
 * Selects the recipients of a snapshot whom the newest earlier complete one with such a difference names otherwise; null: there is none. People
 * who were erased are named by neither.
 */
export function identityChangesOf(gameId: number, snapshotId: number): RawBuilder<IdentityChanges | null> {
  return sql<IdentityChanges | null>`(
    select json_build_object('before', json_build_object('snapshotId', earlier.snapshot_id), 'count', changed.count, 'recipients', changed.recipients)
    from (
      select older.snapshot_id from snapshot shown join snapshot older using (game_id, window_start, window_end)
      where shown.game_id = ${gameId} and shown.snapshot_id = ${snapshotId} and older.status = 'complete' and older.snapshot_id < shown.snapshot_id
      order by older.snapshot_id desc limit ${sql.lit(SNAPSHOTS_MAX)}
    ) earlier
    cross join lateral (
      select count(*) as count, coalesce(json_agg(json_build_object('playerId', each.player_id, 'before', each.before, 'after', each.after)
        order by each.player_id) filter (where each.place <= ${sql.lit(NAMED_MAX)}), '[]') as recipients
      from (
        select recipient_player_id as player_id, ${identityOf('b')} as before, ${identityOf('a')} as after,
          row_number() over (order by recipient_player_id) as place
        from (select * from snapshot_recipient r where r.game_id = ${gameId} and r.snapshot_id = ${snapshotId}) a
        join (select * from snapshot_recipient r where r.game_id = ${gameId} and r.snapshot_id = earlier.snapshot_id) b using (recipient_player_id)
        where (a.player_email, a.player_name, a.identity_id) is distinct from (b.player_email, b.player_name, b.identity_id)
      ) each
    ) changed
    where changed.count > 0 order by earlier.snapshot_id desc limit 1)`;
}

/** The changes as a person may see them: without `emails.read` every email is masked. */
export function maskChanges(changes: IdentityChanges, canSeeEmails: boolean): IdentityChanges {
  const mask = ({ player_email, player_name, identity_id }: Identity): Identity => ({
    player_email: player_email === null || canSeeEmails ? player_email : maskEmail(player_email),
    player_name: maskName(player_name, canSeeEmails),
    identity_id,
  });
  return { ...changes, recipients: changes.recipients.map((each) => ({ ...each, before: mask(each.before), after: mask(each.after) })) };
}
