import { digestOf } from '../core/canonical-digest.ts';
import { askWithin, type Deadline, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import type { Invo } from '../invo/invo.ts';
import { InvoError, isAbsent } from '../invo/invo-error.ts';
import type { SavedCard, SubscriptionRead } from '../invo/routes/support-reads.ts';
import { readBalancesOfPlayer, readCardsOfPlayer, readSubscription } from '../invo/routes/support-reads.ts';
import { type FindStoredEmail, findPlayerEmail, storedEmailsOf } from '../players/find-player-email.ts';
import { isPaidAhead, type SubscriptionFacts } from './rules/subscription.ts';

/** A subscription as Invo reports it now, and when it was read. A stored answer is never used instead. */
export interface ChangeFacts extends SubscriptionRead {
  kind: 'read';
  readAt: string;
}

/** With the player's saved cards, newest first; null when no email is known to list them by. */
export interface CardFacts extends ChangeFacts {
  cards: SavedCard[] | null;
}

/** Invo couldn't be reached, or doesn't know the subscription. */
export type NoFacts = ({ kind: 'no_answer' } & InvoFailure) | { kind: 'not_found' };

/** Reads the subscription a change is about, within five seconds; no change starts without it. */
export async function readChangeFacts(
  context: GameContext,
  subscriptionId: string,
  deadline: Deadline = {},
): Promise<ChangeFacts | NoFacts> {
  return await orNoFacts(async () => {
    const { value } = await askWithin(context, deadline, (invo, signal) => readSubscription(invo, subscriptionId, signal));
    return { kind: 'read' as const, ...value, readAt: context.game.now() };
  });
}

/** Reads the subscription and the player's saved cards, within the same five seconds. */
export async function readCardFacts(context: GameContext, subscriptionId: string, deadline: Deadline = {}): Promise<CardFacts | NoFacts> {
  return await orNoFacts(async () => {
    const read = await askWithin(context, deadline, async (invo, signal) => {
      const { value } = await readSubscription(invo, subscriptionId, signal);
      const isByCard = value.subscription.funding_rail !== 'pcstore';
      return { ...value, cards: isByCard ? await readCards(invo, value, storedEmailsOf(context), signal) : null };
    });
    return { kind: 'read' as const, ...read, readAt: context.game.now() };
  });
}

/**
 * SHA-256 in hex over everything a form shows about the subscription's future. The action computes it again, so a person never confirms
 * one effect and gets another. Time alone changes it when the paid period ends.
 */
export function digestFacts(facts: SubscriptionFacts, now: string): string {
  const { subscription_id, status, amount_usd, pending_amount_usd, period_seq, cancel_at_period_end } = facts;
  const { wallet_only, has_payment_method, funding_rail, paid_through } = facts;
  const price = { amount_usd, pending_amount_usd };
  const payer = { wallet_only, has_payment_method, funding_rail };
  const end = { status, period_seq, cancel_at_period_end, paid_through, isPaidAhead: isPaidAhead(facts, now) };
  return digestOf({ subscription_id, price, payer, end }).toString('hex');
}

// The list of cards names no player. A stored email is therefore checked against the wallet first, which does.
async function readCards(
  invo: Invo,
  read: SubscriptionRead,
  findStored: FindStoredEmail,
  signal: AbortSignal,
): Promise<SavedCard[] | null> {
  const found = await findPlayerEmail(read, findStored);
  if (found === null) return null;
  if (found.isStored) {
    const wallet = await readBalancesOfPlayer(invo, found.email, signal).catch(nullIfAbsent);
    if (wallet?.value.player.player_id !== read.subscription.player_id) return null;
  }
  return (await readCardsOfPlayer(invo, found.email, signal)).value.cards;
}

function nullIfAbsent(error: unknown): null {
  if (error instanceof InvoError && isAbsent(error)) return null;
  throw error;
}

async function orNoFacts<T>(read: () => Promise<T>): Promise<T | NoFacts> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof InvoError && isAbsent(error)) return { kind: 'not_found' };
    return { kind: 'no_answer', ...toInvoFailure(error) };
  }
}
