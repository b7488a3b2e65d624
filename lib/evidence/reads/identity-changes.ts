import { type RawBuilder, sql } from 'kysely';
import { maskEmail, maskName } from '#lib/core/roles.ts';
import type { Identity } from '../rules/evidence.ts';

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
