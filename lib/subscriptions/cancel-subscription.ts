import type { Compared } from '../core/comparison.ts';
import type { Actor } from '../core/roles.ts';
import { parseTypedText, REASON_LENGTH_MAX } from '../core/typed-input.ts';
import type { GameContext } from '../games/game-context.ts';
import type { Canceled } from '../invo/routes/subscription-changes.ts';
import { sendCancellation } from '../invo/routes/subscription-changes.ts';
import { readChangeFacts } from './read-change-facts.ts';
import { type CancelField, type CancelTime, compareCancel, maskPersonal, previewCancel } from './rules/changes.ts';
import { type ChangeDeadlines, type ChangeForm, type ChangeNotStarted, type SentChange, sendChange, startChange } from './send-change.ts';

/** The cancellation form; the reason is free text of at most 500 characters, null for none. */
export interface CancelForm extends ChangeForm {
  when: CancelTime;
  reason: string | null;
}

export type CancelOutcome =
  | ChangeNotStarted
  | { kind: 'reason_too_long' }
  | { kind: 'already_ended'; finalStatus: string; accessUntil: string | null }
  | (SentChange<Canceled> & { receipt: Compared<CancelField>[] });

/** Cancels a subscription at the end of the paid period or now (document 2, Cancel body). One that has already ended is reported as such. */
export async function cancelSubscription(
  context: GameContext,
  actor: Actor,
  form: CancelForm,
  deadlines: ChangeDeadlines = {},
): Promise<CancelOutcome> {
  const typed = parseTypedText(form.reason, REASON_LENGTH_MAX);
  if (typed === 'too_long') return { kind: 'reason_too_long' };
  const reason = typed.text;
  const started = await startChange(context, actor, form, readChangeFacts, deadlines);
  if (!('subscription' in started)) return started;
  const { subscription } = started;
  const requestedAt = context.game.now();
  const preview = previewCancel(subscription, form.when, requestedAt);
  if (preview.kind === 'already_ended')
    return { kind: 'already_ended', finalStatus: preview.finalStatus, accessUntil: subscription.paid_through };
  if (started.kind === 'changed') return started;
  const { status, paid_through, amount_usd } = subscription;
  const content = {
    at_period_end: form.when === 'period_end',
    reason: reason && maskPersonal(reason),
    preview,
    status,
    paid_through,
    amount_usd,
  };
  const sent = await sendChange<Canceled>(
    context,
    actor,
    {
      act: 'cancellation',
      subscriptionId: form.subscriptionId,
      content,
      send: (invo, signal) => {
        const request = { at_period_end: form.when === 'period_end', ...(reason === null ? {} : { reason }) };
        return sendCancellation(invo, form.subscriptionId, request, signal);
      },
      paid: ({ subscription: after, ...answer }) => ({ ...answer, subscription_status: after?.status ?? null }),
    },
    deadlines.send_ms,
  );
  if (sent.kind === 'done' && sent.answer.already_canceled === true) {
    const { final_status, subscription: after, access_until, paid_through: through } = sent.answer;
    return { kind: 'already_ended', finalStatus: final_status ?? after?.status ?? 'ended', accessUntil: access_until ?? through };
  }
  return { ...sent, receipt: sent.kind === 'done' ? compareCancel(preview, subscription, sent.answer, requestedAt) : [] };
}
