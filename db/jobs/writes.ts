import { sql } from 'kysely';
import type { Db } from '../kit/open.ts';

/** Wakes every pull and refund of a game that is due and not at work. */
export async function wakeOverdue(db: Db, gameId: number): Promise<void> {
  await sql`select wake_overdue(${gameId})`.execute(db);
}
