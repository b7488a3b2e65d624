'use server';

import { z } from 'zod';
import { type FormRefusal, formAction, INCOMPLETE_FORM, idShape, resultOf, slugShape } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import { payeeKey } from '#app/_server/server-context.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { decideDetails } from '#lib/payees/decide-details.ts';
import { proposeDetails } from '#lib/payees/propose-details.ts';
import { DETAIL_FIELDS, type TypedDetails } from '#lib/payees/rules/details.ts';
import { showDetails } from '#lib/payees/show-details.ts';
import { FIELD_TEXT, formatProblem, PROPOSE_REFUSALS, SHOW_REFUSALS } from '#lib/payees/text.ts';
import { DECISION_REFUSALS } from '#lib/payouts/text.ts';

const entry = z.string().max(1_000).default('');
const proposed = z.object({
  game: slugShape,
  recipientId: idShape,
  method: z.string().max(20),
  reason: z.string().max(5_000),
  ...(Object.fromEntries(DETAIL_FIELDS.map((field) => [field, entry])) as Record<(typeof DETAIL_FIELDS)[number], typeof entry>),
});
/** One proposal of a recipient, or a whole imported file. */
const decided = z.object({
  game: slugShape,
  recipientId: idShape.optional(),
  detailNo: idShape.optional(),
  changeSet: z.uuid().optional(),
});

/** Proposes payment details; they pay nothing until a second person confirms them. */
export const proposeDetailsAction = formAction(
  { schema: proposed, who: 'payouts.prepare', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const { recipientId, method, reason, game: _, ...typed } = form;
    const answer = await proposeDetails(game, actor, payeeKey(), { recipientId, method, reason, typed });
    if (!answer.ok && answer.reason === 'invalid')
      return { kind: 'invalid', fields: { [answer.field]: formatProblem(answer.field, answer.problem) } };
    return resultOf(answer, 'Proposed. They pay nothing until a second person confirms them.', PROPOSE_REFUSALS);
  },
);

/** Confirms payment details another person proposed. */
export const confirmDetailsAction = formAction(
  { schema: decided, who: 'payouts.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) =>
    await decide(form, (proposal) => decideDetails(game, actor, { proposal, decision: 'confirmed' }), 'Confirmed.'),
);

/** Withdraws payment details that aren’t confirmed. */
export const withdrawDetailsAction = formAction(
  { schema: decided, who: 'payouts.prepare', game: true },
  async ({ form, actor, game }) =>
    await decide(form, (proposal) => decideDetails(game, actor, { proposal, decision: 'withdrawn' }), 'Withdrawn.'),
);

type Proposal = Parameters<typeof decideDetails>[2]['proposal'];

async function decide(
  { recipientId, detailNo, changeSet }: z.output<typeof decided>,
  run: (proposal: Proposal) => ReturnType<typeof decideDetails>,
  done: string,
): Promise<FormResult | FormRefusal> {
  if (changeSet === undefined && (recipientId === undefined || detailNo === undefined)) return INCOMPLETE_FORM;
  const answer = await run(changeSet === undefined ? { recipientId: recipientId ?? 0, detailNo: detailNo ?? 0 } : { changeSet });
  return resultOf(answer, answer.ok && answer.voidedSubmission ? `${done} The run in review is a draft again.` : done, DECISION_REFUSALS);
}

/** Payment details in full, as labels and entries. */
export type ShowResult = FormResult<string, { kind: 'shown'; entries: { label: string; text: string }[] }>;

/** Shows payment details to a person who gave their password. The audit has each look. */
export const showDetailsAction = formAction(
  {
    schema: z.object({ game: slugShape, recipientId: idShape, detailNo: idShape }),
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
