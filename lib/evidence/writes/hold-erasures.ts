import { sql } from 'kysely';
import { lockGame } from '#db/kit/lease.ts';
import type { Db } from '#db/kit/open.ts';
import { type Identity, NO_IDENTITY } from '../rules/evidence.ts';

/**
 * The players of a game who were erased. Until the client's transaction ends, nobody else is; with `readings`, no instant is fixed that a
 * reading could precede.
 */
export async function holdErasures(tx: Db, gameId: number, purposes: readonly ('names' | 'readings')[] = ['names']): Promise<Set<number>> {
  // Two statements: what one statement sees is fixed before it waits.
  await lockGame(tx, gameId, purposes, 'shared');
  const { rows } = await sql<{
    recipient_player_id: number;
  }>`select recipient_player_id from recipient_erasure where game_id = ${gameId}`.execute(tx);
  return new Set(rows.map((row) => row.recipient_player_id));
}

/**
 * Recipients as they may be stored: those who were erased without what names them, whatever Invo reports. Until the client's transaction
 * ends, nobody of the game is erased.
 */
export async function withoutErased<Row extends Identity & { recipient_player_id: number }>(
  tx: Db,
  gameId: number,
  recipients: Row[],
): Promise<Row[]> {
  const erased = await holdErasures(tx, gameId);
  return erased.size === 0 ? recipients : recipients.map((row) => (erased.has(row.recipient_player_id) ? { ...row, ...NO_IDENTITY } : row));
}
