import { z } from 'zod';
import { digestShape, slugShape, subscriptionIdShape } from '#app/_server/form-shapes.ts';
import { showControls } from '#app/_ui/data-table/cells/visible-text.ts';
import { sayUsd } from '#app/_ui/figures/say-usd.ts';
import type { ChangeFacts, NoFacts } from '#lib/subscriptions/read-change-facts.ts';
import type { RequestedChange } from '#lib/subscriptions/rules/change-verdict.ts';
import { digestFacts } from '#lib/subscriptions/rules/subscription.ts';
import type { ChangeNotStarted, SentChange } from '#lib/subscriptions/send-change.ts';
import type { ChangeField, ChangeState, ClosedView, FormTarget, SubscriptionLabels } from './change-state.ts';

/** The hidden part of every form of a change, as it comes back. */
export const targetShape = z.object({ game: slugShape, subscriptionId: subscriptionIdShape, baseline: digestShape });

/** What every form restates of a subscription; no e-mail is in it. */
export function labelsOf({ subscription, player }: ChangeFacts): SubscriptionLabels {
  const name = player?.player_name ?? null;
  return {
    subscriptionId: subscription.subscription_id,
    item: subscription.item_name === null ? 'Item not recorded' : showControls(subscription.item_name),
    player: name === null ? `Player ${subscription.player_id}` : `${showControls(name)} (player ${subscription.player_id})`,
    price: sayUsd(subscription.amount_usd),
  };
}

/** What a form is held to when it comes back. */
export function targetOf(game: string, { subscription, readAt }: ChangeFacts): FormTarget {
  return { game, subscriptionId: subscription.subscription_id, baseline: digestFacts(subscription, readAt) };
}

/** What stands in place of a form when Invo cannot be asked. */
export function closedBy({ sentence, errorId }: Exclude<NoFacts, { kind: 'not_found' }>): ClosedView {
  return { kind: 'no_facts', sentence, errorId };
}

/** What a form says of a change that did not begin; nothing was sent. */
export function stateOfNotStarted(outcome: ChangeNotStarted): ChangeState {
  switch (outcome.kind) {
    case 'changed':
      return { kind: 'changed' };
    case 'no_answer':
      return { kind: 'no_answer', sentence: outcome.sentence, errorId: outcome.errorId };
    case 'not_found':
      return refusedAt('button', 'Invo does not know this subscription in this game and environment. Nothing was sent.');
    case 'not_allowed':
      return refusedAt('button', 'Your role has changed and may not change subscriptions. Nothing was sent.');
  }
}

/** What a form says of a change that was sent and not made for certain; `at` is where a refusal of that code belongs. */
export function stateOfNotDone(
  outcome: Exclude<SentChange<unknown>, { kind: 'done' }>,
  asked: RequestedChange,
  at: (errorCode: string | null) => ChangeField,
): ChangeState {
  if (outcome.kind === 'refused')
    return { kind: 'refused', at: at(outcome.errorCode), sentence: outcome.sentence, errorId: outcome.errorId };
  if (outcome.kind === 'not_sent')
    return { kind: 'no_answer', sentence: 'Invo could not be reached in time. The subscription stays as it was.', errorId: null };
  return { kind: 'unknown', sentence: outcome.sentence, errorId: outcome.errorId, asked, isRecorded: outcome.isRecorded };
}

/** A refusal without a reference. */
export function refusedAt(at: ChangeField, sentence: string): ChangeState {
  return { kind: 'refused', at, sentence, errorId: null };
}
