'use server';

import { z } from 'zod';
import { type FormRefusal, formAction, ordinalShape, resultOf, shapesOf, slugShape } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import { payeeKey } from '#app/_server/server-context.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { formatOtherKey, type KeyRefusal } from '#lib/payees/find-key-refusal.ts';
import { formatSettingError, SENDER_REFUSALS } from '#lib/payments/action-text.ts';
import { decideSender, proposeSender, type SenderDecision, showSender } from '#lib/payments/change-sender.ts';
import { type PaymentBlocker, parseSenderSetting } from '#lib/payments/rules/payment-blocker.ts';
import { SENDER_FIELDS, SETTING_FIELDS, type TypedSender } from '#lib/payments/rules/sender-entries.ts';
import { SENDER_CHOICES, SENDER_FIELD_TEXT } from '#lib/payments/rules/sender-words.ts';
import { formatPaymentBlocker } from '#lib/payments/text.ts';
import type { ShowResult } from '../_run/shown-entries.tsx';

const proposed = z.object({
  game: slugShape,
  method: z.string().max(20),
  ...shapesOf(SENDER_FIELDS, z.string().max(2_000).default('')),
});
const decided = z.object({ game: slugShape, senderNo: ordinalShape });

/** Proposes a sender account; no file is sent from it until a second person confirms. */
export const proposeSenderAction = formAction(
  { schema: proposed, who: 'payouts.prepare', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const { method, game: _, ...typed } = form;
    const answer = await proposeSender(game, actor, payeeKey(), { method, typed });
    if (!answer.ok && answer.reason === 'invalid') return { kind: 'invalid', fields: errorsOf(answer.blockers) };
    if (!answer.ok && answer.reason === 'other_key') return refuseKey(answer);
    return resultOf(answer, 'Proposed. No file is sent from it until a second person confirms it.', SENDER_REFUSALS);
  },
);

/** Each reason against a sender account below the entry that resolves it. */
function errorsOf(blockers: readonly PaymentBlocker[]): Record<string, string> {
  return Object.fromEntries(
    blockers.map((blocker) => {
      const setting = parseSenderSetting(blocker);
      return setting === null ? ['template_header', formatPaymentBlocker(blocker)] : [SETTING_FIELDS[setting], formatSettingError(setting)];
    }),
  );
}

/** Confirms a sender account another person proposed. */
export const confirmSenderAction = formAction(
  { schema: decided, who: 'payouts.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) =>
    toResult(await decideSender(game, actor, payeeKey(), { senderNo: form.senderNo, decision: 'confirmed' }), 'Confirmed.'),
);

/** Withdraws a sender account that isn’t confirmed. */
export const withdrawSenderAction = formAction({ schema: decided, who: 'payouts.prepare', game: true }, async ({ form, actor, game }) =>
  toResult(await decideSender(game, actor, payeeKey(), { senderNo: form.senderNo, decision: 'withdrawn' }), 'Withdrawn.'),
);

function toResult(answer: SenderDecision, done: string): FormResult | FormRefusal {
  return !answer.ok && answer.reason === 'other_key' ? refuseKey(answer) : resultOf(answer, done, SENDER_REFUSALS);
}

function refuseKey(refusal: Extract<KeyRefusal, { reason: 'other_key' }>): FormRefusal {
  return { kind: 'refused', sentence: `Nothing was saved. ${formatOtherKey(refusal)}` };
}

/** Shows a sender account to a person who gave their password. The audit has each look. */
export const showSenderAction = formAction(
  { schema: decided, who: 'payees.show', game: true, password: freshPassword, refreshes: 'never' },
  async ({ form, actor, game }): Promise<ShowResult> => {
    const answer = await showSender(game, actor, payeeKey(), form.senderNo);
    return answer.ok
      ? { kind: 'shown', entries: listEntries(answer.entries) }
      : { kind: 'refused', sentence: SENDER_REFUSALS[answer.reason] };
  },
);

function listEntries(entries: TypedSender): { label: string; text: string }[] {
  return SENDER_FIELDS.flatMap((field) => {
    const stored = entries[field];
    if (stored === undefined) return [];
    const choice = SENDER_CHOICES[field]?.find(([value]) => value === stored);
    return [{ label: SENDER_FIELD_TEXT[field], text: choice?.[1] ?? stored }];
  });
}
