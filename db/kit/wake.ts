import { type RawBuilder, sql } from 'kysely';
import { afterCommit, type Db } from './open.ts';

/** The queues of the job engine for work of a game. */
export const WORK_QUEUES = [
  'pull',
  'refund',
  'actions',
  'rendition',
  'details',
  'statements',
  'balances',
  'notices',
  'deliveries',
  'demo',
] as const;
export type WorkQueue = (typeof WORK_QUEUES)[number];

interface Work {
  queue: WorkQueue;
  gameId: number;
  /** The row that is due: rows of a game wake workers side by side. Absent: one worker looks after all that is due. */
  id?: number;
  /** When it is due; absent: now. */
  dueAt?: RawBuilder<unknown>;
}

/**
 * Wakes a worker for work of a game once the transaction of the handle is committed: a worker that looked before would find nothing. Waking twice is
 * waking once. A wake that fails or that a crash loses fails nothing: rows say what is due, and each minute's tick looks for them.
 */
export async function wakeWorker(db: Db, { queue, gameId, id, dueAt }: Work): Promise<void> {
  const key = id === undefined ? String(gameId) : `${gameId}:${id}`;
  const due = dueAt ?? sql`clock_now()`;
  await afterCommit(db, async (committed) => {
    await sql`select wake(${queue}, ${key}, jsonb_build_object('gameId', ${gameId}::int), ${due})`
      .execute(committed)
      .catch(() => undefined);
  });
}

/** Wakes workers for what is due of a game and not running, as `wakeWorker` does: what waited for a pause, or what nobody was woken for. */
export async function wakeOverdue(db: Db, gameId: number): Promise<void> {
  await afterCommit(db, async (committed) => {
    await sql`select wake_overdue(${gameId})`.execute(committed).catch(() => undefined);
  });
}
