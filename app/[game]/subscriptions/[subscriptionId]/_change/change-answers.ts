import { z } from 'zod';
import { digestShape, slugShape, subscriptionIdShape } from '#app/_server/form-action.ts';
import { formatItem } from '#app/_ui/figures/format.ts';
import { formatPlayer, formatPrice } from '#app/[game]/_subscriptions/format-names.ts';
import { type ChangeFacts, digestFacts, type NoFacts } from '#lib/subscriptions/read-change-facts.ts';
import type { RequestedChange } from '#lib/subscriptions/rules/changes.ts';
import type { ChangeNotStarted, SentChange } from '#lib/subscriptions/send-change.ts';
import type { ChangeField, ChangeState, ClosedView, FormTarget, SubscriptionLabels } from './change-state.ts';

/** The hidden fields of every change form. */
export const targetShape = z.object({ game: slugShape, subscriptionId: subscriptionIdShape, baseline: digestShape });

/** What every form restates about a subscription; it contains no email. */
export function labelsOf({ subscription, player }: ChangeFacts): SubscriptionLabels {
  const { subscription_id: subscriptionId, player_id, item_name, amount_usd } = subscription;
  const name = player?.player_name ?? null;
  return {
    subscriptionId,
    item: formatItem(item_name),
    player: name === null ? formatPlayer(null, player_id) : `${formatPlayer(name, player_id)} (player ${player_id})`,
    price: formatPrice(amount_usd),
  };
}

/** The subscription a form is about, with the digest of the facts it shows. */
export function targetOf(game: string, { subscription, readAt }: ChangeFacts): FormTarget {
  return { game, subscriptionId: subscription.subscription_id, baseline: digestFacts(subscription, readAt) };
}

/** What is shown instead of a form when the subscription can't be read. */
export function closedBy({ sentence, errorId }: Exclude<NoFacts, { kind: 'not_found' }>): ClosedView {
  return { kind: 'no_facts', sentence, errorId };
}

/** The state of a form whose change didn't start; nothing was sent. */
export function stateOfNotStarted(outcome: ChangeNotStarted): ChangeState {
  switch (outcome.kind) {
    case 'changed':
      return { kind: 'changed' };
    case 'no_answer':
      return { kind: 'failed', sentence: outcome.sentence, errorId: outcome.errorId };
    case 'not_found':
      return refusedAt('button', 'Invo doesn’t know this subscription in this game and environment. Nothing was sent.');
    case 'not_allowed':
      return refusedAt('button', 'Your role can’t change subscriptions. Nothing was sent.');
  }
}

/** The state of a form whose change wasn't confirmed; `fieldOf` names the field that a refusal is about. */
export function stateOfNotDone(
  outcome: Exclude<SentChange<unknown>, { kind: 'done' }>,
  requested: RequestedChange,
  fieldOf: (errorCode: string | null) => ChangeField,
): ChangeState {
  if (outcome.kind === 'refused')
    return { kind: 'refused', at: fieldOf(outcome.errorCode), sentence: outcome.sentence, errorId: outcome.errorId };
  if (outcome.kind === 'not_sent')
    return { kind: 'failed', sentence: 'Couldn’t reach Invo in time. The subscription is unchanged.', errorId: null };
  return { kind: 'unknown', sentence: outcome.sentence, errorId: outcome.errorId, requested, isRecorded: outcome.isRecorded };
}

/** A refusal without an error ID. */
export function refusedAt(field: ChangeField, sentence: string): ChangeState {
  return { kind: 'refused', at: field, sentence, errorId: null };
}

/** The field of the price form that an error code is about. */
export function fieldOfPriceError(errorCode: string | null): ChangeField {
  return errorCode === 'PCSTORE_REAUTHORIZATION_REQUIRED' || errorCode === 'INVALID_FIELD_VALUE' ? 'amount' : 'button';
}

/** The field of the card form that an error code is about. */
export function fieldOfCardError(errorCode: string | null): ChangeField {
  if (errorCode?.startsWith('WALLET_ONLY') === true) return 'conversion';
  return errorCode?.startsWith('PAYMENT_METHOD') === true ? 'card' : 'button';
}
