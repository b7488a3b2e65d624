import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { GrantState } from '../rules/action-state.ts';

/** The newest grant of a start. Times are milliseconds since 1970. */
export interface Grant {
  grantId: number;
  actionId: number;
  transactionId: string;
  flow: string;
  state: GrantState;
  sealedCode: Buffer | null;
  interval_s: number | null;
  /** By the clock of the database, as `now`. */
  nextPollAt: number | null;
  expiresAt: number | null;
  now: number;
}

/** Finds the newest grant of a start; null: nothing was requested of its phone. */
export async function findGrant(db: Db, gameId: number, actionId: number): Promise<Grant | null> {
  const { rows } =
    await sql<Grant>`select grant_id as "grantId", action_id as "actionId", transaction_id as "transactionId", flow, state, sealed_code as "sealedCode",
      interval_s, (extract(epoch from next_poll_at) * 1000)::float8 as "nextPollAt", (extract(epoch from expires_at) * 1000)::float8 as "expiresAt",
      (extract(epoch from clock_now()) * 1000)::float8 as now
    from device_grant where game_id = ${gameId} and action_id = ${actionId} order by grant_id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** The phone of a start that waits for its owner. */
export interface HeldPhone {
  sealedPhone: Buffer;
  /** When Invo answered that the owner must agree. */
  heldAt: string;
  /** Whose email the phone is entered with. */
  playerId: number;
  /** What Invo last reported; null: not read yet. */
  hasAgreed: boolean | null;
}

/** Finds the phone of a start that waits for its owner; null: it waits for none. */
export async function findHeldPhone(db: Db, gameId: number, actionId: number): Promise<HeldPhone | null> {
  const { rows } =
    await sql<HeldPhone>`select held.sealed_phone as "sealedPhone", held.held_at as "heldAt", held.has_agreed as "hasAgreed", action.player_id as "playerId"
    from held_phone held join desk_action action on action.game_id = ${gameId} and action.action_id = held.action_id
    where held.game_id = ${gameId} and held.action_id = ${actionId}`.execute(db);
  return rows[0] ?? null;
}
