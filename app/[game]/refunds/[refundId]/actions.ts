'use server';

import { z } from 'zod';
import { digestShape, formAction, idShape, ordinalShape, resultOf, slugShape } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import type { InvoFailure } from '#lib/games/game-context.ts';
import { approveRefund, assignRefund, declineRefund } from '#lib/refunds/approve-refund.ts';
import { confirmOutcome, discardOutcome, recordOutcome, rereadPeriod } from '#lib/refunds/record-outcome.ts';
import { DECISION_REFUSALS } from './text.ts';

const about = z.object({ game: slugShape, refundId: idShape });
const note = z.string().max(5_000).default('');
const bound = about.extend({ contentDigest: digestShape, confirmedRisk: z.string().max(300).optional() });
const reasoned = about.extend({ why: note });
const recorded = about.extend({ decision: z.enum(['landed', 'not_landed', 'send_again']), why: note });
const numbered = about.extend({ decisionNo: ordinalShape });

const worked = { who: 'refunds.request', game: true } as const;

/** Approves exactly the content the form showed. */
export const approveAction = formAction({ ...worked, schema: bound, password: freshPassword }, async ({ form, actor, context }) => {
  const { refundId, contentDigest, confirmedRisk = null } = form;
  const answer = await approveRefund(context, actor, refundId, { contentDigest, confirmedRisk });
  return toResult(answer, 'Approved. It is sent to Invo automatically.');
});

/** Rejects a refund, or withdraws the person's own. */
export const declineAction = formAction({ ...worked, schema: reasoned }, async ({ form, actor, game }) =>
  toResult(await declineRefund(game, actor, form.refundId, form.why), 'This refund won’t be sent.'),
);

/** Assigns the refund to the person. */
export const assignAction = formAction({ ...worked, schema: about }, async ({ form, actor, game }) =>
  toResult(await assignRefund(game, actor, form.refundId), 'Assigned to you.'),
);

/** The first of two people records the outcome. */
export const recordOutcomeAction = formAction({ ...worked, schema: recorded }, async ({ form, actor, game }) => {
  const answer = await recordOutcome(game, actor, form.refundId, form.decision, form.why);
  return toResult(answer, 'Outcome recorded. A second approver must confirm it.');
});

/** The second person confirms the outcome. */
export const confirmOutcomeAction = formAction(
  { schema: numbered, who: 'refunds.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) => toResult(await confirmOutcome(game, actor, form.refundId, form.decisionNo), 'Outcome confirmed.'),
);

/** Discards the person's own recorded outcome, or rejects another person's. */
export const dropOutcomeAction = formAction({ ...worked, schema: numbered }, async ({ form, actor, game }) =>
  toResult(await discardOutcome(game, actor, form.refundId, form.decisionNo), 'The recorded outcome was discarded.'),
);

/** Reads the period from Invo for those who decide. */
export const readPeriodAction = formAction({ ...worked, schema: about }, async ({ form, actor, context }) =>
  toResult(await rereadPeriod(context, actor, form.refundId), 'Period read. The result is in the timeline.'),
);

type Answer = { ok: true } | { ok: false; reason: keyof typeof DECISION_REFUSALS } | ({ ok: false; reason: 'no_answer' } & InvoFailure);

function toResult(answer: Answer, done: string): FormResult {
  if (answer.ok || answer.reason !== 'no_answer') return resultOf(answer, done, DECISION_REFUSALS);
  return { kind: 'failed', sentence: answer.sentence, ...(answer.errorId === null ? {} : { errorId: answer.errorId }) };
}
