import type { Compared } from '../core/comparison.ts';
import { REASON_LENGTH_MAX, readWords } from '../core/typed-text.ts';
import type { GameContext } from '../games/game-context.ts';
import type { Canceled } from '../invo/routes/subscription-changes.ts';
import type { Actor } from '../people/rules/person.ts';
import { beginChange, type ChangeForm, type ChangeNotBegun, type ChangePatience } from './begin-change.ts';
import { readChangeFacts } from './read-change-facts.ts';
import { type CancelField, compareCancel } from './rules/compare-cancel.ts';
import { coverPersonal } from './rules/cover-personal.ts';
import { type CancelTime, foreseeCancel } from './rules/foresee-cancel.ts';
import { type SentChange, sendChange } from './send-change.ts';

/** The form of a cancel; the reason is free words of at most 500 characters, null for none. */
export interface CancelForm extends ChangeForm {
  when: CancelTime;
  reason: string | null;
}

export type CancelOutcome =
  | ChangeNotBegun
  | { kind: 'reason_too_long' }
  | { kind: 'already_ended'; finalStatus: string; accessUntil: string | null }
  | (SentChange<Canceled> & { receipt: Compared<CancelField>[] });

/** Cancels a subscription at the end of what is paid or now (document 2, Cancel body). One that has ended before is told as such. */
export async function cancelSubscription(
  desk: GameContext,
  actor: Actor,
  form: CancelForm,
  patience: ChangePatience = {},
): Promise<CancelOutcome> {
  const said = readWords(form.reason, REASON_LENGTH_MAX);
  if (said === 'too_long') return { kind: 'reason_too_long' };
  const reason = said.words;
  const begun = await beginChange(desk, actor, form, readChangeFacts, patience);
  if (!('subscription' in begun)) return begun;
  const { subscription } = begun;
  const askedAt = desk.game.now();
  const forecast = foreseeCancel(subscription, form.when, askedAt);
  if (forecast.kind === 'already_ended')
    return { kind: 'already_ended', finalStatus: forecast.finalStatus, accessUntil: subscription.paid_through };
  if (begun.kind === 'changed') return begun;
  const { status, paid_through, amount_usd } = subscription;
  const content = {
    at_period_end: form.when === 'period_end',
    reason: reason && coverPersonal(reason),
    forecast,
    status,
    paid_through,
    amount_usd,
  };
  const sent = await sendChange<Canceled>(
    desk,
    actor,
    {
      act: 'cancel a subscription',
      subscriptionId: form.subscriptionId,
      content,
      send: (changes, signal) => {
        const request = { at_period_end: form.when === 'period_end', ...(reason === null ? {} : { reason }) };
        return changes.cancelSubscription(form.subscriptionId, request, signal);
      },
      kept: ({ subscription: after, ...answer }) => ({ ...answer, subscription_status: after?.status ?? null }),
    },
    patience.send_ms,
  );
  if (sent.kind === 'done' && sent.answer.already_canceled === true) {
    const { final_status, subscription: after, access_until, paid_through: through } = sent.answer;
    return { kind: 'already_ended', finalStatus: final_status ?? after?.status ?? 'ended', accessUntil: access_until ?? through };
  }
  return { ...sent, receipt: sent.kind === 'done' ? compareCancel(forecast, subscription, sent.answer, askedAt) : [] };
}
