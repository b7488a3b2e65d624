import type pg from 'pg';
import { type Identity, NO_IDENTITY } from '#lib/evidence/rules/evidence.ts';

/**
 * Recipients as they may be stored: those who were erased without what names them, whatever Invo reports. Until the client's transaction
 * ends, nobody of the game is erased.
 */
export async function withoutErased<Row extends Identity & { recipient_player_id: number }>(
  client: pg.ClientBase,
  gameId: number,
  recipients: Row[],
): Promise<Row[]> {
  await client.query(`select pg_advisory_xact_lock_shared($1, hashtext('erasure'))`, [gameId]);
  const { rows } = await client.query<{ recipient_player_id: number }>(
    'select recipient_player_id from recipient_erasure where game_id = $1',
    [gameId],
  );
  const erased = new Set(rows.map((row) => row.recipient_player_id));
  return erased.size === 0 ? recipients : recipients.map((row) => (erased.has(row.recipient_player_id) ? { ...row, ...NO_IDENTITY } : row));
}
