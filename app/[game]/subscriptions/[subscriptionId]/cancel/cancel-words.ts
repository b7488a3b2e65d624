import type { ComparedRow } from '#app/[game]/_subscriptions/compared-table.tsx';
import type { Compared } from '#lib/core/comparison.ts';
import type { CancelOutcome } from '#lib/subscriptions/cancel-subscription.ts';
import type { CancelField } from '#lib/subscriptions/rules/compare-cancel.ts';
import type { CancelForecast } from '#lib/subscriptions/rules/foresee-cancel.ts';
import { isSubscriptionEnded, wordsOfSubscription } from '#lib/subscriptions/rules/subscription-status.ts';
import type { ClosedView } from '../_change/change-state.ts';
import { sayFlag, sayInstant } from '../_change/say.ts';

type Canceled = Extract<CancelOutcome, { kind: 'done' }>['answer'];

/** What a choice does, in a sentence with its dates, and the word for its button. */
export function sayCancelEffect(
  forecast: CancelForecast,
  paid_through: string | null,
  timeZone: string,
): { effect: string; word: string; isMoot: boolean } {
  if (forecast.kind === 'already_ended') return { effect: 'It has ended already.', word: 'Cancel', isMoot: true };
  const until = sayInstant(forecast.accessUntil, timeZone);
  if (forecast.kind === 'at_paid_through') {
    const effect = forecast.isAlreadySo
      ? `It is set to end so already, on ${until}. Asking again changes nothing.`
      : `It ends on ${until}, and access with it. Nothing more is charged, and no second notice comes when it ends.`;
    return { effect, word: 'Cancel at the end of what is paid', isMoot: forecast.isAlreadySo };
  }
  if (forecast.why === 'nothing_paid')
    return {
      effect: 'Nothing is paid for, so Invo ends it at once, and access ends now.',
      word: 'Cancel, which ends it now',
      isMoot: false,
    };
  if (forecast.why === 'paid_elapsed') {
    const effect = `What was paid for ended on ${sayInstant(paid_through ?? forecast.accessUntil, timeZone)}, so Invo ends it at once, and access ends now.`;
    return { effect, word: 'Cancel, which ends it now', isMoot: false };
  }
  const access =
    paid_through === forecast.accessUntil
      ? `Access stays until ${until}, which is paid for.`
      : 'Access ends now, since nothing paid lies ahead.';
  return { effect: `It ends now, and nothing more is charged. ${access}`, word: 'Cancel now', isMoot: false };
}

/** Why there is no form for what has ended; null while it has not. */
export function sayEnded(
  { status, paid_through }: { status: string | null; paid_through: string | null },
  timeZone: string,
): ClosedView | null {
  if (status === null || !isSubscriptionEnded(status)) return null;
  return { kind: 'closed', title: 'It has ended already', sentence: sayFinal(status, paid_through, timeZone) };
}

/** How it ended, and what access the player has. */
export function sayFinal(finalStatus: string, accessUntil: string | null, timeZone: string): string {
  const access = accessUntil === null ? 'Nothing is paid for.' : `What was paid for reaches to ${sayInstant(accessUntil, timeZone)}.`;
  return `Its final state is “${wordsOfSubscription(finalStatus).label}” (${finalStatus}). ${access} There is nothing to cancel.`;
}

/** What a cancel that was made says for itself. */
export function sayCanceled(answer: Canceled, timeZone: string): { title: string; sentences: string[] } {
  const until = answer.access_until === null ? null : sayInstant(answer.access_until, timeZone);
  const access = until === null ? 'Invo did not say until when access lasts.' : `Revoke access at ${until}.`;
  return {
    title: titleOf(answer),
    sentences: [
      ...(answer.terminated_immediately === true
        ? [`Invo ended it at once (${answer.downgrade_reason ?? 'no reason given'}): nothing that was paid for lies ahead.`]
        : []),
      ...(answer.message === null ? [] : [`Invo says: “${answer.message}”`]),
      access,
      ...agreementOf(answer),
      'A cancel is not a refund: nothing was given back.',
    ],
  };
}

// An answer that does not say whether it ended or will end is not told as either.
function titleOf({ terminated_immediately, cancel_at_period_end, subscription }: Canceled): string {
  const isShownAsEnded = isSubscriptionEnded(subscription?.status ?? null);
  if (terminated_immediately === true || cancel_at_period_end === false || isShownAsEnded) return 'The subscription has ended';
  const isSetToEnd = cancel_at_period_end === true || subscription?.cancel_at_period_end === true;
  return isSetToEnd ? 'The subscription is set to end' : 'The cancel was made';
}

function agreementOf({ pcstore_agreement_canceled }: Canceled): string[] {
  if (pcstore_agreement_canceled === null) return [];
  return pcstore_agreement_canceled
    ? ['The agreement with the store has ended.']
    : ['The agreement with the store has not ended yet. Invo tries again by itself and never charges again; there is nothing to do.'];
}

const LABELS: Record<CancelField, string> = {
  access_until: 'Access until',
  effective_at: 'Takes effect',
  paid_through: 'Paid through',
  cancel_at_period_end: 'Ends with what is paid',
  terminated_immediately: 'Ended at once instead',
};

/** The receipt of a cancel, line by line. */
export function rowsOfCancel(receipt: Compared<CancelField>[], timeZone: string): ComparedRow[] {
  const say = (value: string | boolean | null): string =>
    typeof value === 'string' ? sayInstant(value, timeZone) : value === null ? 'not said' : sayFlag(value);
  return receipt.map(({ field, expected, told, agrees }) => ({
    label: LABELS[field],
    field,
    expected: expected === null ? 'nothing paid for' : say(expected),
    told: field === 'paid_through' && told === null ? 'nothing paid for' : say(told),
    agrees,
  }));
}
