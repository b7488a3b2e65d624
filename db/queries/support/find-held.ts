import { type RawBuilder, sql } from 'kysely';
import type { LookUp } from '../../../lib/domain/look-up/parse-look-up.ts';
import { parseRefundState, type RefundState } from '../../../lib/domain/refund/refund-state.ts';
import type { Db } from '../../open.ts';

/** Hits shown of one kind; an id leads to one thing, an e-mail to a few at most. */
export const HITS_MAX = 10;

/** Something held that a text names, with what a person needs to tell it from another. */
export type Hit =
  | { kind: 'player'; playerId: number; name: string | null; email: string | null; isRecipient: boolean }
  | { kind: 'subscription'; subscriptionId: string; itemName: string | null; status: string | null; playerId: number | null }
  | {
      kind: 'period';
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
  | { kind: 'refund'; refundId: number; periodId: number; amount_usd: string; state: RefundState };

/** Finds everything held that a text names: in the months, in earlier look-ups, among refunds. Asks nobody. E-mails come in full. */
export async function findHeld(db: Db, gameId: number, lookUp: LookUp): Promise<Hit[]> {
  const { email, number, subscriptionId, text } = lookUp;
  if (email !== null) return await findPlayers(db, gameId, { email });
  if (subscriptionId !== null) return await findSubscription(db, gameId, subscriptionId);
  const [players, byId, byText, subscriptions, refunds] = await Promise.all([
    number === null ? [] : findPlayers(db, gameId, { playerId: number }),
    number === null ? [] : findPeriod(db, gameId, number),
    findPeriodsByText(db, gameId, text),
    findByClientRequest(db, gameId, text),
    findRefunds(db, gameId, text),
  ]);
  const known = new Set(byId.map((hit) => (hit.kind === 'period' ? hit.periodId : 0)));
  return [...refunds, ...players, ...byId, ...byText.filter((hit) => hit.kind !== 'period' || !known.has(hit.periodId)), ...subscriptions];
}

interface PlayerRow {
  player_id: number;
  player_name: string | null;
  player_email: string | null;
  is_recipient: boolean;
}

async function findPlayers(db: Db, gameId: number, by: { email: string } | { playerId: number }): Promise<Hit[]> {
  const isIt = (id: string): RawBuilder<unknown> =>
    'email' in by ? sql`lower(player_email) = lower(${by.email})` : sql`${sql.ref(id)} = ${by.playerId}`;
  const { rows } = await sql<PlayerRow>`
    with named as (
      select player_id, player_name, player_email, false as is_recipient, seen_at as at from known_player
      where game_id = ${gameId} and ${isIt('player_id')}
      union all
      select * from (
        select distinct on (recipient_player_id) recipient_player_id, player_name, player_email, true, '-infinity'::timestamptz
        from slice_recipient where game_id = ${gameId} and ${isIt('recipient_player_id')}
        order by recipient_player_id, slice_id desc
      ) as recipient
      union all
      select player_id, null, null, false, '-infinity' from known_subscription
      where game_id = ${gameId} and ${'email' in by ? sql`false` : sql`player_id = ${by.playerId}`}
    )
    select player_id, (array_agg(player_name order by player_name is null, at desc))[1] as player_name,
      (array_agg(player_email order by player_email is null, at desc))[1] as player_email, bool_or(is_recipient) as is_recipient
    from named group by player_id order by player_id limit ${HITS_MAX}`.execute(db);
  return rows.map((row) => ({
    kind: 'player',
    playerId: row.player_id,
    name: row.player_name,
    email: row.player_email,
    isRecipient: row.is_recipient,
  }));
}

async function findSubscription(db: Db, gameId: number, subscriptionId: string): Promise<Hit[]> {
  const { rows } = await sql<{ item_name: string | null; status: string | null; player_id: number | null }>`
    select item_name, status, player_id from known_subscription where game_id = ${gameId} and subscription_id = ${subscriptionId}
    union all
    (select item_name, null, null from renewal_line where game_id = ${gameId} and subscription_id = ${subscriptionId}
     order by period_seq desc nulls last limit 1)
    union all
    (select null, null, null from reversal_line where game_id = ${gameId} and subscription_id = ${subscriptionId} limit 1)
    limit 1`.execute(db);
  return rows.map((row) => ({
    kind: 'subscription',
    subscriptionId,
    itemName: row.item_name,
    status: row.status,
    playerId: row.player_id,
  }));
}

interface PeriodRow {
  period_id: number;
  subscription_id: string | null;
  item_name: string | null;
  amount_usd: string | null;
  period_start: string | null;
  period_end: string | null;
}

async function findPeriod(db: Db, gameId: number, periodId: number): Promise<Hit[]> {
  const { rows } = await sql<PeriodRow>`
    (select period_id, subscription_id, item_name, amount_usd, period_start, period_end from renewal_line
     where game_id = ${gameId} and period_id = ${periodId} order by slice_id desc limit 1)
    union all
    (select period_id, subscription_id, null, amount_usd, null, null from reversal_line
     where game_id = ${gameId} and period_id = ${periodId} limit 1)
    union all
    (select ${periodId}::bigint, null, null, null, null, null from detail_read
     where game_id = ${gameId} and kind = 'period' and subject = ${String(periodId)})
    limit 1`.execute(db);
  return rows.map((row) => periodHit(row, 'period'));
}

async function findPeriodsByText(db: Db, gameId: number, text: string): Promise<Hit[]> {
  const line = (column: string, by: string): RawBuilder<unknown> => sql`
    (select distinct on (period_id) period_id, subscription_id, item_name, amount_usd, period_start, period_end, ${by} as by from renewal_line
     where game_id = ${gameId} and ${sql.ref(column)} = ${text} order by period_id, slice_id desc limit ${HITS_MAX})`;
  const { rows } = await sql<PeriodRow & { by: 'transaction' | 'order' }>`
    select distinct on (period_id) * from (
      ${line('transaction_id', 'transaction')} union all ${line('mint_order_id', 'order')} union all
      (select period_id, subscription_id, null, null, null, null, kind from known_id
       where game_id = ${gameId} and kind in ('transaction', 'order') and id_text = ${text} and period_id > 0 limit ${HITS_MAX})
    ) as found order by period_id, amount_usd is null limit ${HITS_MAX}`.execute(db);
  return rows.map((row) => periodHit(row, row.by));
}

function periodHit(row: PeriodRow, by: 'period' | 'transaction' | 'order'): Hit {
  const { period_id: periodId, subscription_id: subscriptionId, item_name: itemName, amount_usd } = row;
  return { kind: 'period', periodId, subscriptionId, itemName, amount_usd, periodStart: row.period_start, periodEnd: row.period_end, by };
}

async function findByClientRequest(db: Db, gameId: number, text: string): Promise<Hit[]> {
  const rows = await db
    .selectFrom('known_id')
    .leftJoin('known_subscription as s', (join) =>
      join.onRef('s.game_id', '=', 'known_id.game_id').onRef('s.subscription_id', '=', 'known_id.subscription_id'),
    )
    .where('known_id.game_id', '=', gameId)
    .where('known_id.kind', '=', 'client_request')
    .where('known_id.id_text', '=', text)
    .limit(HITS_MAX)
    .select(['known_id.subscription_id as subscriptionId', 's.item_name as itemName', 's.status', 's.player_id as playerId'])
    .execute();
  return rows.map((row) => ({ kind: 'subscription', ...row }));
}

async function findRefunds(db: Db, gameId: number, text: string): Promise<Hit[]> {
  const rows = await db
    .selectFrom('refund')
    .where('game_id', '=', gameId)
    .where((either) => either.or([either('client_request_id', '=', text), either('transaction_id', '=', text)]))
    .orderBy('refund_id', 'desc')
    .limit(HITS_MAX)
    .select(['refund_id', 'period_id', 'amount_usd', 'state'])
    .execute();
  return rows.flatMap(({ refund_id: refundId, period_id: periodId, amount_usd, state }) => {
    const known = parseRefundState(state);
    return known === null ? [] : [{ kind: 'refund', refundId, periodId, amount_usd, state: known }];
  });
}
