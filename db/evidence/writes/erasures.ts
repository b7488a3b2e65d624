import type pg from 'pg';
import { inTransaction } from '#db/kit/open.ts';
import { type Identity, NO_IDENTITY } from '#lib/evidence/rules/evidence.ts';

/** The recipients of a game who were erased. Until the client's transaction ends, nobody else is. */
export async function holdErasures(client: pg.ClientBase, gameId: number): Promise<Set<number>> {
  await client.query(`select pg_advisory_xact_lock_shared($1, hashtext('erasure'))`, [gameId]);
  const { rows } = await client.query<{ recipient_player_id: number }>(
    'select recipient_player_id from recipient_erasure where game_id = $1',
    [gameId],
  );
  return new Set(rows.map((row) => row.recipient_player_id));
}

/**
 * Recipients as they may be stored: those who were erased without what names them, whatever Invo reports. Until the client's transaction
 * ends, nobody of the game is erased.
 */
export async function withoutErased<Row extends Identity & { recipient_player_id: number }>(
  client: pg.ClientBase,
  gameId: number,
  recipients: Row[],
): Promise<Row[]> {
  const erased = await holdErasures(client, gameId);
  return erased.size === 0 ? recipients : recipients.map((row) => (erased.has(row.recipient_player_id) ? { ...row, ...NO_IDENTITY } : row));
}

export interface Erasure {
  gameId: number;
  playerId: number;
  /** Email of the person, or "command line". */
  by: string;
  reason: string;
}

/**
 * Erases what names a recipient: email, name and identity_id in every slice and snapshot, the salt of their digests, the newest answers
 * that may name them, bodies of webhooks, and what was rendered or drawn with their name. Figures, digests and raw responses stay. False when they were erased before,
 * null when nothing is stored of them.
 */
export async function eraseRecipient(pool: pg.Pool, { gameId, playerId, by, reason }: Erasure): Promise<boolean | null> {
  return inTransaction(pool, async (client) => {
    // Waits for what is being stored with their name; what comes later is stored without it.
    await client.query(`select pg_advisory_xact_lock($1, hashtext('erasure'))`, [gameId]);
    const of = [gameId, playerId];
    const known = await client.query('select 1 from slice_recipient where game_id = $1 and recipient_player_id = $2 limit 1', of);
    if (known.rowCount === 0) return null;
    const erased = await client.query(
      `insert into recipient_erasure (game_id, recipient_player_id, erased_by, reason) values ($1, $2, $3, $4) on conflict do nothing`,
      [...of, by, reason],
    );
    if (erased.rowCount === 0) return false;
    for (const statement of ERASED) await client.query(statement, of);
    await client.query(`insert into audit (actor, game_id, act, subject, detail) values ($1, $2, 'erased a recipient', $3, $4)`, [
      by,
      gameId,
      `recipient ${playerId}`,
      JSON.stringify({ reason }),
    ]);
    return true;
  });
}

const ERASED = [
  // Bodies of webhooks that name them: before their identities go, by which an order or a transfer may name them.
  `update delivery set body = null where game_id = $1 and body is not null and delivery_id in (
     select delivery_id from delivery_subject where game_id = $1 and ((kind = 'player' and id_text = $2::bigint::text)
       or (kind = 'identity' and id_text in (select identity_id::text from slice_recipient where game_id = $1 and recipient_player_id = $2))))`,
  ...['slice_recipient', 'snapshot_recipient'].map(
    (table) =>
      `update ${table} set player_email = null, player_name = null, identity_id = null where game_id = $1 and recipient_player_id = $2`,
  ),
  'delete from recipient_salt where game_id = $1 and recipient_player_id = $2',
  'delete from recipient_statement where game_id = $1 and recipient_player_id = $2',
  'delete from known_player where game_id = $1 and player_id = $2',
  // Under the ids of a player, of a period they are attributed, or of its subscription, with the offset of a page.
  `delete from detail_read where game_id = $1 and split_part(subject, ' ', 1) in (
     select $2::bigint::text
     union select period_id::text from renewal_line where game_id = $1 and recipient_player_id = $2
     union select subscription_id from renewal_line where game_id = $1 and recipient_player_id = $2)`,
  // An order names its player, and may be stored under any of its ids.
  `delete from detail_read using known_order of_player
   where detail_read.game_id = $1 and detail_read.kind in ('order', 'item_order') and of_player.game_id = $1 and of_player.player_id = $2
     and detail_read.subject in (of_player.order_id, of_player.transaction_id, of_player.payment_intent_id, of_player.purchase_reference)`,
  `delete from rendition where game_id = $1 and snapshot_id in (
     select snapshot_id from snapshot_recipient where game_id = $1 and recipient_player_id = $2)`,
];
