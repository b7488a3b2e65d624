import { may } from '../../domain/roles.ts';
import { digestFacts } from '../../domain/subscription/subscription-facts.ts';
import type { Desk } from '../look-up/ask-within.ts';
import type { Actor } from '../refund/request-refund.ts';
import type { ChangeFacts, NoFacts } from './read-change-facts.ts';

/** What every form of a change carries: what it is about, and the digest of the facts that it showed. */
export interface ChangeForm {
  subscriptionId: string;
  baseline: string;
}

/** Why a change did not begin; nothing was sent. `changed`: the subscription is not what the form showed. */
export type NotBegun = NoFacts | { kind: 'not_allowed' } | { kind: 'changed' };

/** How long the reading before a change may take, and the change itself. */
export interface ChangePatience {
  read_ms?: number;
  send_ms?: number;
}

/** Reads the subscription again for somebody who may change it. */
export async function beginChange<Facts extends ChangeFacts>(
  actor: Actor,
  read: () => Promise<Facts | NoFacts>,
): Promise<Facts | NotBegun> {
  return may(actor.role, 'subscriptions.change') ? await read() : { kind: 'not_allowed' };
}

/** Whether the subscription is what the form showed: nobody confirms one effect and gets another. */
export function isAsShown({ game }: Desk, { subscription }: ChangeFacts, { baseline }: ChangeForm): boolean {
  return digestFacts(subscription, game.now()) === baseline;
}
