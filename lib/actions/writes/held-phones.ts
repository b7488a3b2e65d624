import { sql } from 'kysely';
import { countChanges, type Db } from '#db/kit/open.ts';
import type { ActionRef } from './action-rows.ts';

/** Stores the phone of a start that Invo holds until the owner of the phone agrees. A start that moved on meanwhile needs none. */
export async function storeHeldPhone(db: Db, { gameId, actionId }: ActionRef, sealedPhone: Buffer): Promise<void> {
  await sql`insert into held_phone (game_id, action_id, sealed_phone)
    select ${gameId}::int, action_id, ${sealedPhone}::bytea from desk_action where game_id = ${gameId} and action_id = ${actionId} and state = 'approved'
    on conflict (game_id, action_id) do update set sealed_phone = excluded.sealed_phone, held_at = excluded.held_at, read_at = null, has_agreed = null
    returning action_id`.execute(db);
}

/** How soon it may be read again whether the owner agreed (document 3, Phone-share approval). */
const READ_AGAIN_SECONDS = 4;

/** Takes the next reading of whether the owner agreed: one process reads, and not too soon. False: another did. */
export async function takeOwnerReading(db: Db, { gameId, actionId }: ActionRef): Promise<boolean> {
  const changed = await countChanges(
    db,
    sql`update held_phone set read_at = clock_now() where game_id = ${gameId} and action_id = ${actionId}
      and (read_at is null or read_at <= clock_now() - make_interval(secs => ${READ_AGAIN_SECONDS}))`,
  );
  return changed === 1;
}

/** Stores what Invo reported of the owner. */
export async function storeOwnerAnswer(db: Db, { gameId, actionId }: ActionRef, hasAgreed: boolean): Promise<void> {
  await sql`update held_phone set has_agreed = ${hasAgreed}, read_at = clock_now() where game_id = ${gameId} and action_id = ${actionId}`.execute(
    db,
  );
}
