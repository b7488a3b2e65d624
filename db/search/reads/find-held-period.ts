import type { Db } from '#db/kit/open.ts';

/** A period that is held, with what tells it from another. */
export interface HeldPeriod {
  periodId: number;
  subscriptionId: string | null;
  /** Null where only the id was ever told. */
  itemName: string | null;
  amount_usd: string | null;
  periodStart: string | null;
  periodEnd: string | null;
  /** Which of its ids matched. */
  by: 'period' | 'transaction' | 'order';
}

/** A period as the newest pull of its line has it, else as a reversal or a look-up names it; null when nothing of it is held. */
export async function findHeldPeriod(db: Db, gameId: number, periodId: number): Promise<HeldPeriod | null> {
  const line = await linesOf(db, gameId).where('period_id', '=', periodId).orderBy('slice_id', 'desc').limit(1).executeTakeFirst();
  if (line) return { ...line, by: 'period' };
  const reversal = await db
    .selectFrom('reversal_line')
    .where('game_id', '=', gameId)
    .where('period_id', '=', periodId)
    .limit(1)
    .select(['subscription_id as subscriptionId', 'amount_usd'])
    .executeTakeFirst();
  if (reversal) return { ...periodOfId(periodId, 'period'), ...reversal };
  const read = await db
    .selectFrom('detail_read')
    .where('game_id', '=', gameId)
    .where('kind', '=', 'period')
    .where('subject', '=', String(periodId))
    .select('read_at')
    .executeTakeFirst();
  return read ? periodOfId(periodId, 'period') : null;
}

/** The lines of a transaction or of an order, the newest pull of each first; at most so many. */
export async function listPeriodsOfText(db: Db, gameId: number, text: string, limit: number): Promise<HeldPeriod[]> {
  const lineOf = (column: 'transaction_id' | 'mint_order_id') =>
    linesOf(db, gameId).where(column, '=', text).orderBy('slice_id', 'desc').limit(limit).execute();
  const [transactions, orders] = await Promise.all([lineOf('transaction_id'), lineOf('mint_order_id')]);
  return [
    ...transactions.map((line) => ({ ...line, by: 'transaction' as const })),
    ...orders.map((line) => ({ ...line, by: 'order' as const })),
  ];
}

/** A period of which only the id was told. */
export function periodOfId(periodId: number, by: HeldPeriod['by'], subscriptionId: string | null = null): HeldPeriod {
  return { periodId, subscriptionId, itemName: null, amount_usd: null, periodStart: null, periodEnd: null, by };
}

function linesOf(db: Db, gameId: number) {
  return db
    .selectFrom('renewal_line')
    .where('game_id', '=', gameId)
    .select([
      'period_id as periodId',
      'subscription_id as subscriptionId',
      'item_name as itemName',
      'amount_usd',
      'period_start as periodStart',
      'period_end as periodEnd',
    ]);
}
