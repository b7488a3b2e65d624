import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';

/** A player account of the studio, from which people send coins. */
export interface HouseAccount {
  houseAccountId: number;
  playerId: number;
  label: string;
  /** The last two digits of the phone that approves. */
  phoneEnd: string;
  requestedBy: { id: string; name: string };
  confirmedByName: string | null;
  /** null: it waits for a second person. */
  confirmedAt: string | null;
}

/** Lists the house accounts of a game and those that wait for a second person, by label. Without their phones. */
export async function listHouseAccounts(db: Db, gameId: number): Promise<HouseAccount[]> {
  const { rows } =
    await sql<HouseAccount>`select account.house_account_id as "houseAccountId", account.player_id as "playerId", account.label,
      account.phone_end as "phoneEnd", json_build_object('id', requester.id, 'name', requester.name) as "requestedBy", second.name as "confirmedByName",
      account.confirmed_at as "confirmedAt"
    from house_account account join person requester on requester.id = account.requested_by left join person second on second.id = account.confirmed_by
    where account.game_id = ${gameId} and account.removed_at is null
    order by account.label, account.house_account_id`.execute(db);
  return rows;
}

/** Finds the sealed phone of a house account that is in use; null: the player is none. */
export async function findHousePhone(db: Db, gameId: number, playerId: number): Promise<Buffer | null> {
  const { rows } = await sql<{ sealed_phone: Buffer }>`select sealed_phone from house_account
    where game_id = ${gameId} and player_id = ${playerId} and confirmed_at is not null and removed_at is null`.execute(db);
  return rows[0]?.sealed_phone ?? null;
}

/** Whether a player is a house account, or waits to become one. */
export async function isHouseAccount(db: Db, gameId: number, playerId: number): Promise<boolean> {
  const { rows } =
    await sql`select 1 from house_account where game_id = ${gameId} and player_id = ${playerId} and removed_at is null`.execute(db);
  return rows.length > 0;
}
