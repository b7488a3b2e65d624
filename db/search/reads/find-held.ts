import type { Db } from '#db/kit/open.ts';
import { findStoredPlayer, listPlayersOfEmail, type PlayerOfEmail } from '#db/players/reads.ts';
import { type RefundState, stateOf } from '#lib/refunds/rules/refund-state.ts';
import type { LookUp } from '#lib/search/rules/parse-search.ts';
import { findHeldPeriod, type HeldPeriod, listPeriodsOfText, periodOfId } from './find-held-period.ts';
import { findHeldSubscription, type HeldSubscription } from './find-held-subscription.ts';

// Hits shown of one kind; an id leads to one thing, an e-mail to a few at most.
const HITS_MAX = 10;
// What leads to them; a line comes once for each time its window was pulled.
const LINES_MAX = 100;

/** Something held that a text names, with what a person needs to tell it from another. */
export type Hit =
  | ({ kind: 'player' } & PlayerOfEmail)
  | ({ kind: 'subscription' } & HeldSubscription)
  | ({ kind: 'period' } & HeldPeriod)
  | { kind: 'refund'; refundId: number; periodId: number; amount_usd: string; state: RefundState };

/**
 * Finds everything held that a text names: in the months, in earlier look-ups, among refunds. Asks nobody. E-mails come in full. Each
 * question goes to one index of one table, so none grows with the book.
 */
export async function findHeld(db: Db, gameId: number, { email, number, subscriptionId, text }: LookUp): Promise<Hit[]> {
  if (email !== null) {
    const [players, byKey, known] = await Promise.all([
      listPlayersOfEmail(db, gameId, email, HITS_MAX),
      // A game may build its keys out of addresses.
      listRefunds(db, gameId, 'client_request_id', text),
      listKnown(db, gameId, text),
    ]);
    return [...players.map((player): Hit => ({ kind: 'player', ...player })), ...byKey, ...hitsOf(known)];
  }
  if (subscriptionId !== null) {
    const subscription = await findHeldSubscription(db, gameId, subscriptionId);
    return subscription === null ? [] : [{ kind: 'subscription', ...subscription }];
  }
  const [byKey, byTransaction, player, byId, lines, known] = await Promise.all([
    listRefunds(db, gameId, 'client_request_id', text),
    listRefunds(db, gameId, 'transaction_id', text),
    number === null ? null : findStoredPlayer(db, gameId, number),
    number === null ? null : findHeldPeriod(db, gameId, number),
    listPeriodsOfText(db, gameId, text, LINES_MAX),
    listKnown(db, gameId, text),
  ]);
  // Of one period the first stands: its own id goes before other ids, and a line tells more than an id.
  const periods = [...(byId === null ? [] : [byId]), ...[...lines, ...known.periods].toSorted((a, b) => a.periodId - b.periodId)];
  const once = periods.filter((period, at) => periods.findIndex(({ periodId }) => periodId === period.periodId) === at).slice(0, HITS_MAX);
  return [
    ...byKey,
    ...byTransaction,
    ...(player === null ? [] : [playerHit(player)]),
    ...hitsOf({ periods: once, subscriptions: known.subscriptions }),
  ];
}

function hitsOf({ periods, subscriptions }: Awaited<ReturnType<typeof listKnown>>): Hit[] {
  return [
    ...periods.map((period): Hit => ({ kind: 'period', ...period })),
    ...subscriptions.map((subscription): Hit => ({ kind: 'subscription', ...subscription })),
  ];
}

function playerHit({ playerId, name, email, isRecipient }: PlayerOfEmail): Hit {
  return { kind: 'player', playerId, name, email, isRecipient };
}

/** What earlier look-ups said a text leads to. */
async function listKnown(db: Db, gameId: number, text: string): Promise<{ periods: HeldPeriod[]; subscriptions: HeldSubscription[] }> {
  const rows = await db
    .selectFrom('known_id')
    .where('game_id', '=', gameId)
    .where('kind', 'in', ['transaction', 'order', 'client_request'])
    .where('id_text', '=', text)
    .limit(LINES_MAX)
    .select(['kind', 'period_id', 'subscription_id'])
    .execute();
  const subscriptions = rows
    .filter(({ kind }) => kind === 'client_request')
    .map(async ({ subscription_id: subscriptionId }) => {
      const held = await findHeldSubscription(db, gameId, subscriptionId);
      return held ?? { subscriptionId, itemName: null, status: null, playerId: null };
    });
  const periods = rows.flatMap(({ kind, period_id, subscription_id }) =>
    period_id > 0 && (kind === 'transaction' || kind === 'order') ? [periodOfId(period_id, kind, subscription_id)] : [],
  );
  return { periods, subscriptions: await Promise.all(subscriptions) };
}

/** A key is of one refund; a transaction of Invo's may be told of more than one. */
async function listRefunds(db: Db, gameId: number, id: 'client_request_id' | 'transaction_id', text: string): Promise<Hit[]> {
  const rows = await db
    .selectFrom('refund')
    .where('game_id', '=', gameId)
    .where(id, '=', text)
    .select(['refund_id', 'period_id', 'amount_usd', 'state'])
    .limit(HITS_MAX)
    .execute();
  const newestFirst = rows.toSorted((a, b) => b.refund_id - a.refund_id);
  return newestFirst.map(({ refund_id: refundId, period_id: periodId, amount_usd, state }) => ({
    kind: 'refund',
    refundId,
    periodId,
    amount_usd,
    state: stateOf(state),
  }));
}
