import { type RawBuilder, sql } from 'kysely';

/** The details in force of a recipient, by the column that has their ID, as a lateral source: the newest that is confirmed. Its alias is its own: the column may be one of an outer `d`. */
export const detailsInForce = (gameId: number, recipient: string): RawBuilder<unknown> => sql`(
  select in_force.detail_no, in_force.method, in_force.identity_id, in_force.mask, in_force.fingerprint, in_force.confirmed_at,
    in_force.confirmed_by, in_force.proposed_by from payee_detail in_force
  where in_force.game_id = ${gameId} and in_force.recipient_player_id = ${sql.ref(recipient)} and in_force.confirmed_at is not null
  order by in_force.detail_no desc limit 1)`;

/** Whether the details `d` in force, by their alias, pay a recipient of the identity in a column. As `canPay` decides. */
export const paysIdentity = (d: string, identity: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${d}.method`)} <> 'none' and ${sql.ref(`${d}.identity_id`)} is not distinct from ${sql.ref(identity)})`;

/** Of the complete snapshot that named a recipient last, up to an instant, as a lateral source: their name, email and identity. */
export const newestNaming = (gameId: number, recipient: string, until: string | null = null): RawBuilder<unknown> => sql`(
  select r.player_name, r.player_email, r.identity_id, r.resolved
  from snapshot_recipient r join snapshot s on s.game_id = ${gameId} and s.snapshot_id = r.snapshot_id
  where r.game_id = ${gameId} and r.recipient_player_id = ${sql.ref(recipient)} and s.status = 'complete'
    and (${until}::timestamptz is null or s.created_at <= ${until})
  order by r.snapshot_id desc limit 1)`;
