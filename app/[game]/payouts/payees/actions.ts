'use server';

import { z } from 'zod';
import {
  digestShape,
  type FormRefusal,
  formAction,
  INCOMPLETE_FORM,
  idShape,
  ordinalShape,
  resultOf,
  shapesOf,
  slugShape,
} from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import { payeeKey } from '#app/_server/server-context.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { decideDetails } from '#lib/payees/decide-details.ts';
import { formatOtherKey, type KeyRefusal, SHOW_REFUSALS } from '#lib/payees/find-key-refusal.ts';
import { proposeDetails } from '#lib/payees/propose-details.ts';
import type { Proposal } from '#lib/payees/reads/open-proposals.ts';
import { DETAIL_FIELDS, type TypedDetails } from '#lib/payees/rules/details.ts';
import { showDetails } from '#lib/payees/show-details.ts';
import { CONFIRM_REFUSALS, FIELD_TEXT, formatProblem, PROPOSE_REFUSALS } from '#lib/payees/text.ts';
import { DECISION_REFUSALS } from '#lib/payouts/text.ts';
import type { ShowResult } from '../_run/shown-entries.tsx';

const proposed = z.object({
  game: slugShape,
  recipientId: idShape,
  method: z.string().max(20),
  reason: z.string().max(5_000),
  ...shapesOf(DETAIL_FIELDS, z.string().max(1_000).default('')),
});
/** One proposal of a recipient, or a whole imported file. */
const decided = z.object({
  game: slugShape,
  recipientId: idShape.optional(),
  detailNo: ordinalShape.optional(),
  changeSet: z.uuid().optional(),
});
/** A confirmation has the digest of what the page showed. */
const confirmed = decided.extend({ shown: digestShape });

/** Proposes payment details; they pay nothing until a second person confirms them. */
export const proposeDetailsAction = formAction(
  { schema: proposed, who: 'payouts.prepare', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const { recipientId, method, reason, game: _, ...typed } = form;
    const answer = await proposeDetails(game, actor, payeeKey(), { recipientId, method, reason, typed });
    if (!answer.ok && answer.reason === 'invalid')
      return { kind: 'invalid', fields: { [answer.field]: formatProblem(answer.field, answer.problem) } };
    if (!answer.ok && answer.reason === 'other_key') return refuseKey(answer);
    return resultOf(answer, 'Proposed. They pay nothing until a second person confirms them.', PROPOSE_REFUSALS);
  },
);

/** Confirms payment details another person proposed. */
export const confirmDetailsAction = formAction(
  { schema: confirmed, who: 'payouts.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) =>
    await decide(
      form,
      (proposal) => decideDetails(game, actor, payeeKey(), { proposal, decision: 'confirmed', shown: form.shown }),
      'Confirmed.',
    ),
);

/** Withdraws payment details that aren’t confirmed. */
export const withdrawDetailsAction = formAction(
  { schema: decided, who: 'payouts.prepare', game: true },
  async ({ form, actor, game }) =>
    await decide(form, (proposal) => decideDetails(game, actor, payeeKey(), { proposal, decision: 'withdrawn' }), 'Withdrawn.'),
);

async function decide(
  { recipientId, detailNo, changeSet }: z.output<typeof decided>,
  run: (proposal: Proposal) => ReturnType<typeof decideDetails>,
  done: string,
): Promise<FormResult | FormRefusal> {
  if (changeSet === undefined && (recipientId === undefined || detailNo === undefined)) return INCOMPLETE_FORM;
  const answer = await run(changeSet === undefined ? { recipientId: recipientId ?? 0, detailNo: detailNo ?? 0 } : { changeSet });
  if (!answer.ok && answer.reason === 'other_key') return refuseKey(answer);
  return resultOf(answer, answer.ok && answer.voidedSubmission ? `${done} The run in review is a draft again.` : done, {
    ...DECISION_REFUSALS,
    ...CONFIRM_REFUSALS,
  });
}

function refuseKey(refusal: Extract<KeyRefusal, { reason: 'other_key' }>): FormRefusal {
  return { kind: 'refused', sentence: `Nothing was saved. ${formatOtherKey(refusal)}` };
}

/** Shows payment details to a person who gave their password. The audit has each look. */
export const showDetailsAction = formAction(
  {
    schema: z.object({ game: slugShape, recipientId: idShape, detailNo: ordinalShape }),
    who: 'payees.show',
    game: true,
    password: freshPassword,
    refreshes: 'never',
  },
  async ({ form, actor, game }): Promise<ShowResult> => {
    const answer = await showDetails(game, actor, payeeKey(), form);
    return answer.ok
      ? { kind: 'shown', entries: listEntries(answer.entries) }
      : { kind: 'refused', sentence: SHOW_REFUSALS[answer.reason] };
  },
);

function listEntries(entries: TypedDetails): { label: string; text: string }[] {
  return DETAIL_FIELDS.flatMap((field) => (entries[field] === undefined ? [] : [{ label: FIELD_TEXT[field], text: entries[field] }]));
}
