import { may } from '../core/roles.ts';
import type { Deadline, GameContext } from '../games/game-context.ts';
import type { Actor } from '../people/rules/person.ts';
import type { ChangeFacts, NoFacts } from './read-change-facts.ts';
import { digestFacts, type SubscriptionFacts } from './rules/subscription-facts.ts';

/** What every form of a change carries: what it is about, and the digest of the facts that it showed. */
export interface ChangeForm {
  subscriptionId: string;
  baseline: string;
}

/** Why a change did not begin; nothing was sent. `changed`: the subscription is not what the form showed, but what is said here. */
export type ChangeNotBegun = NoFacts | { kind: 'not_allowed' } | { kind: 'changed'; subscription: SubscriptionFacts };

/** How long the reading before a change may take, and the change itself. */
export interface ChangePatience {
  read_ms?: number;
  send_ms?: number;
}

/**
 * Reads the subscription again for somebody who may change it, and goes on only with what the form showed: nobody confirms one effect
 * and gets another.
 */
export async function beginChange<Facts extends ChangeFacts>(
  desk: GameContext,
  actor: Actor,
  { subscriptionId, baseline }: ChangeForm,
  read: (desk: GameContext, subscriptionId: string, patience: Deadline) => Promise<Facts | NoFacts>,
  { read_ms }: ChangePatience,
): Promise<Facts | ChangeNotBegun> {
  if (!may(actor.role, 'subscriptions.change')) return { kind: 'not_allowed' };
  const facts = await read(desk, subscriptionId, { limit_ms: read_ms });
  if (facts.kind !== 'read') return facts;
  const { subscription } = facts;
  return digestFacts(subscription, desk.game.now()) === baseline ? facts : { kind: 'changed', subscription };
}
