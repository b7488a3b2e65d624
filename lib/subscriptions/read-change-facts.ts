import { askWithin, type Deadline, type GameContext, type InvoFailure, toInvoFailure } from '../games/game-context.ts';
import type { InvoClient } from '../invo/client.ts';
import { InvoError, isAbsent } from '../invo/invo-error.ts';
import type { SavedCard, SubscriptionRead } from '../invo/routes/support-reads.ts';
import { type FindHeldEmail, findPlayerEmail, heldEmailsOf } from '../players/find-player-email.ts';

/** A subscription as Invo says now, and when it said so; nothing stored ever stands in for it. */
export interface ChangeFacts extends SubscriptionRead {
  kind: 'read';
  readAt: string;
}

/** The saved cards of who holds it, newest first; null where it is not known by which e-mail Invo could be asked for them. */
export interface CardFacts extends ChangeFacts {
  cards: SavedCard[] | null;
}

/** Invo could not be asked, or knows no such subscription. */
export type NoFacts = ({ kind: 'no_answer' } & InvoFailure) | { kind: 'not_found' };

/** Reads the subscription a change is about for somebody who waits: five seconds at most, and nothing begins without it. */
export async function readChangeFacts(desk: GameContext, subscriptionId: string, patience: Deadline = {}): Promise<ChangeFacts | NoFacts> {
  return await orWhyNot(async () => {
    const { value } = await askWithin(desk, patience, (client, signal) => client.subscription(subscriptionId, signal));
    return { kind: 'read' as const, ...value, readAt: desk.game.now() };
  });
}

/** Reads the subscription and the cards it can be charged to, within the same five seconds. */
export async function readCardFacts(desk: GameContext, subscriptionId: string, patience: Deadline = {}): Promise<CardFacts | NoFacts> {
  return await orWhyNot(async () => {
    const read = await askWithin(desk, patience, async (client, signal) => {
      const { value } = await client.subscription(subscriptionId, signal);
      const isByCard = value.subscription.funding_rail !== 'pcstore';
      return { ...value, cards: isByCard ? await readCards(client, value, heldEmailsOf(desk), signal) : null };
    });
    return { kind: 'read' as const, ...read, readAt: desk.game.now() };
  });
}

// Cards name no player: an e-mail that Invo did not tell now is first shown to be theirs by the wallet, which does.
async function readCards(
  client: InvoClient,
  read: SubscriptionRead,
  findHeld: FindHeldEmail,
  signal: AbortSignal,
): Promise<SavedCard[] | null> {
  const found = await findPlayerEmail(read, findHeld);
  if (found === null) return null;
  if (found.isHeld) {
    const wallet = await client.playerBalances(found.email, signal).catch(nullIfAbsent);
    if (wallet?.value.player.player_id !== read.subscription.player_id) return null;
  }
  return (await client.playerCards(found.email, signal)).value.cards;
}

function nullIfAbsent(error: unknown): null {
  if (error instanceof InvoError && isAbsent(error)) return null;
  throw error;
}

async function orWhyNot<T>(read: () => Promise<T>): Promise<T | NoFacts> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof InvoError && isAbsent(error)) return { kind: 'not_found' };
    return { kind: 'no_answer', ...toInvoFailure(error) };
  }
}
