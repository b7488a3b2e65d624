import type { Deadline, GameContext } from '../games/game-context.ts';
import { isAbsent } from '../invo/invo-error.ts';
import { type SubscriptionAttribution, subscriptionAttribution } from '../invo/routes/subscription-report.ts';
import { type SubscriptionRead, subscriptionRead } from '../invo/routes/support-reads.ts';
import { knownOfCycles, knownOfSubscription } from './known-things.ts';
import { type Detail, type DetailRoute, readDetail } from './read-detail.ts';

/** Cycles on one page: as many as Invo gives at once. */
export const CYCLES_A_PAGE = 100;

/** A subscription as it stands, and one page of its billing cycles; each may be as Invo says now or as it said last. */
export interface SubscriptionDetail {
  subscription: Detail<SubscriptionRead>;
  cycles: Detail<SubscriptionAttribution>;
}

/** Reads a subscription and the cycles from an offset on, newest first (document 2, subscription and its attribution). */
export async function readSubscriptionDetail(
  desk: GameContext,
  subscriptionId: string,
  { offset = 0, ...patience }: Deadline & { offset?: number } = {},
): Promise<SubscriptionDetail> {
  const [subscription, cycles] = await Promise.all([
    readDetail(desk, subscriptionRoute(subscriptionId), patience),
    readDetail(desk, cyclesRoute(subscriptionId, offset), patience),
  ]);
  return { subscription, cycles };
}

/** How a subscription is asked for and kept. */
export function subscriptionRoute(subscriptionId: string): DetailRoute<SubscriptionRead> {
  return {
    kind: 'subscription',
    subject: subscriptionId,
    shape: subscriptionRead,
    ask: (client, signal) => client.subscription(subscriptionId, signal),
    isNotFound: isAbsent,
    known: ({ subscription, player }) => knownOfSubscription(subscription, player),
  };
}

function cyclesRoute(subscriptionId: string, offset: number): DetailRoute<SubscriptionAttribution> {
  return {
    kind: 'cycles',
    subject: `${subscriptionId} ${offset}`,
    shape: subscriptionAttribution,
    ask: (client, signal) => client.subscriptionAttribution(subscriptionId, { limit: CYCLES_A_PAGE, offset }, signal),
    isNotFound: isAbsent,
    known: knownOfCycles,
  };
}
