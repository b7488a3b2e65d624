import { type RawBuilder, sql } from 'kysely';
import { nestedInstant, nestedMoney } from '#db/kit/open.ts';

/** What Invo reported for a window in two complete snapshots: an earlier one and the current one. Amounts in USD, exact text. */
export interface Drift {
  before: { snapshotId: number; createdAt: string };
  figures: { name: DriftName; before: string; after: string }[];
  /** How many recipients have another net. */
  recipientCount: number;
  /** Those whose net moved most, at most 20. */
  recipients: DriftedRecipient[];
}

export interface DriftedRecipient {
  playerId: number;
  name: string | null;
  /** null: not in that snapshot. */
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

/** Earlier snapshots looked back over. */
const SNAPSHOTS_MAX = 30;

const figures = sql.join(
  DRIFT_MONEY.map(
    (name) =>
      sql`json_build_object('name', ${sql.lit(name)}, 'before', ${nestedMoney(`earlier.${name}`)}, 'after', ${nestedMoney(`snapshot.${name}`)})`,
  ),
);
const figuresOf = (table: string): RawBuilder<unknown> => sql.join(DRIFT_MONEY.map((name) => sql.ref(`${table}.${name}`)));

/**
 * Selects how the complete snapshot `snapshot` of a statement differs from the newest earlier complete one of its window with other
 * figures; null when there is none. Snapshots that only repeat it are passed over, so that pulling again does not hide what moved.
 */
export const driftOfSnapshot = sql<Drift | null>`(
  select json_build_object('before', json_build_object('snapshotId', earlier.snapshot_id, 'createdAt', ${nestedInstant('earlier.created_at')}),
    'figures', json_build_array(${figures}), 'recipientCount', moved.recipient_count, 'recipients', moved.recipients)
  from (
    select * from snapshot older
    where older.game_id = snapshot.game_id and older.window_start = snapshot.window_start and older.window_end = snapshot.window_end
      and older.status = 'complete' and older.snapshot_id < snapshot.snapshot_id
    order by older.snapshot_id desc limit ${sql.lit(SNAPSHOTS_MAX)}
  ) earlier
  cross join lateral (
    select coalesce(max(each.moved_count), 0) as recipient_count, coalesce(json_agg(json_build_object('playerId', each.player_id,
      'name', each.name, 'before', each.before::text, 'after', each.after::text) order by each.place), '[]') as recipients
    from (
      select recipient_player_id as player_id, coalesce(a.player_name, b.player_name) as name,
        b.net_attributed_usd as before, a.net_attributed_usd as after, count(*) over () as moved_count, row_number() over (
          order by abs(coalesce(a.net_attributed_usd, 0) - coalesce(b.net_attributed_usd, 0)) desc, recipient_player_id) as place
      from (select * from snapshot_recipient r where r.game_id = snapshot.game_id and r.snapshot_id = earlier.snapshot_id) b
      full join (select * from snapshot_recipient r where r.game_id = snapshot.game_id and r.snapshot_id = snapshot.snapshot_id) a
        using (recipient_player_id)
      where a.net_attributed_usd is distinct from b.net_attributed_usd
      order by place limit ${sql.lit(RECIPIENTS_MAX)}
    ) each
  ) moved
  where moved.recipient_count > 0 or (${figuresOf('earlier')}) is distinct from (${figuresOf('snapshot')})
  order by earlier.snapshot_id desc limit 1)`;
