import { sql } from 'kysely';
import { type Db, inTransaction } from '#db/kit/open.ts';
import { mayApproveNow, mayNow, mayPrepareNow } from '#lib/approvals/reads.ts';
import type { AuditAct } from '#lib/audit/rules/acts.ts';
import { recordAudit } from '#lib/audit/writes.ts';

interface By {
  gameId: number;
  actor: { id: string; email: string };
}

/** A house account to add. */
interface NewHouseAccount extends By {
  playerId: number;
  label: string;
  sealedPhone: Buffer;
  phoneEnd: string;
  /** A sandbox game needs no second person. */
  isAlone: boolean;
}

/** Adds a house account; it waits for a second person unless the game needs none. False when the player has an entry, or they may not. */
export async function insertHouseAccount(db: Db, account: NewHouseAccount): Promise<boolean> {
  const { gameId, actor, playerId, label, sealedPhone, phoneEnd, isAlone } = account;
  const right = isAlone ? mayNow('person', 'people.manage') : mayPrepareNow('person', 'people.manage');
  return await record(db, account, isAlone ? 'added a house account' : 'asked to add a house account', async (tx) => {
    // The person is locked, so that their right holds until the row is stored. Its ID is drawn here, not by the server of its game.
    const { rows: allowed } = await sql`select from person where person.id = ${actor.id} and ${right} for share`.execute(tx);
    if (allowed.length === 0) return { rows: [] };
    return await sql<HouseAccount>`insert into house_account (game_id, player_id, label, sealed_phone, phone_end, requested_by, confirmed_at)
        values (${gameId}, ${playerId}, ${label}, ${sealedPhone}, ${phoneEnd}, ${actor.id}, ${isAlone ? sql`clock_now()` : null})
        on conflict do nothing returning player_id, label, phone_end`.execute(tx);
  });
}

/** A second person confirms a house account. False when it is another one by now, or they may not. */
export async function confirmHouseAccount(db: Db, decision: By & { houseAccountId: number; requestedBy: string }): Promise<boolean> {
  const { gameId, actor, houseAccountId, requestedBy } = decision;
  return await record(db, decision, 'added a house account', (tx) =>
    sql<HouseAccount>`update house_account account set confirmed_by = second.id, confirmed_at = clock_now() from person second, person first
      where account.game_id = ${gameId} and account.house_account_id = ${houseAccountId} and account.requested_by = ${requestedBy}
        and account.confirmed_at is null and account.removed_at is null
        and first.id = account.requested_by and second.id = ${actor.id} and ${mayApproveNow('second', 'first', 'actions.approve')}
      returning account.player_id, account.label, account.phone_end`.execute(tx),
  );
}

/** Removes a house account with its sealed phone. False when it is gone already, or they may not. */
export async function recordRemoval(db: Db, removal: By & { houseAccountId: number }): Promise<boolean> {
  const { gameId, actor, houseAccountId } = removal;
  return await record(db, removal, 'removed a house account', (tx) =>
    sql<HouseAccount>`update house_account account set removed_by = person.id, removed_at = clock_now(), sealed_phone = null from person
      where account.game_id = ${gameId} and account.house_account_id = ${houseAccountId} and account.removed_at is null
        and person.id = ${actor.id} and (${mayNow('person', 'people.manage')} or ${mayNow('person', 'actions.approve')})
      returning account.player_id, account.label, account.phone_end`.execute(tx),
  );
}

interface HouseAccount {
  player_id: number;
  label: string;
  phone_end: string;
}

async function record(
  db: Db,
  { gameId, actor }: By,
  act: AuditAct,
  change: (tx: Db) => Promise<{ rows: HouseAccount[] }>,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { rows } = await change(tx);
    const [row] = rows;
    if (row === undefined) return false;
    const detail = { label: row.label, phone_end: row.phone_end };
    await recordAudit(tx, { gameId, actor: actor.email, act, subject: `player ${row.player_id}`, detail });
    return true;
  });
}
