'use server';

import { z } from 'zod';
import { formAction, idShape, resultOf, slugShape } from '#app/_server/form-action.ts';
import { payeeKey } from '#app/_server/server-context.ts';
import { countNoun } from '#app/_ui/figures/format.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { ACCOUNT_TEXT } from '#lib/approvals/text.ts';
import { may } from '#lib/core/roles.ts';
import { parseNumericId } from '#lib/core/typed-input.ts';
import { excludeRecipients, formatHoldHints, type HoldResult, placeHold, releaseHold } from '#lib/payouts/hold-payment.ts';
import { type DueLine, listDueLines } from '#lib/payouts/reads/payout-decisions.ts';
import { DUE_LINES_MAX } from '#lib/payouts/rules/policy.ts';
import { HOLD_ERRORS } from '#lib/payouts/text.ts';

const idsShape = z
  .string()
  .max(20 * DUE_LINES_MAX)
  .transform((text) => text.split(',').map(parseNumericId))
  .pipe(z.array(z.int()).min(1).max(DUE_LINES_MAX));
const text = (most: number): z.ZodDefault<z.ZodString> => z.string().max(most).default('');
const placed = z
  .object({
    game: slugShape,
    recipientIds: idsShape,
    reason: text(40),
    note: text(5_000),
    amount: text(40),
    periodId: text(40),
    endsOn: text(40),
  })
  // An amount or a period is of one recipient.
  .refine(({ recipientIds, amount, periodId }) => recipientIds.length === 1 || (amount === '' && periodId === ''));
const excluded = z.object({ game: slugShape, runId: idShape, recipientIds: idsShape, note: text(5_000) });
const released = z.object({ game: slugShape, holdId: idShape, why: text(5_000) });
const searched = z
  .tuple([slugShape, z.int(), z.string().max(200)])
  .transform(([game, runId, find]) => ({ game, runId, find: find.trim() }));

const REFUSALS = {
  not_allowed: 'Your role can’t change holds. Nothing was saved.',
  ...ACCOUNT_TEXT,
  unknown_recipient: 'Invo no longer reports one of these recipients. Nothing was saved. Reload the page.',
  no_run: 'The run is no longer a draft. Nothing was saved. Reload the page.',
} as const;

/** Holds the payments of the selected recipients. */
export const placeHoldAction = formAction(
  { schema: placed, who: 'payouts.prepare', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const { periodId: period, endsOn, ...typed } = form;
    const periodId = period.trim() === '' ? null : parseNumericId(period.trim());
    if (periodId === null && period.trim() !== '') return { kind: 'invalid', fields: { periodId: HOLD_ERRORS['periodId.unknown'] ?? '' } };
    const answer = await placeHold(game, actor, { ...typed, periodId, expiresAt: endsOn }, payeeKey());
    return toResult(answer, (count, hints) => `${countNoun(count, 'recipient')} on hold. ${formatHoldHints(hints)}`.trim());
  },
);

/** Leaves the selected recipients out of one draft. */
export const excludeAction = formAction({ schema: excluded, who: 'payouts.prepare', game: true }, async ({ form, actor, game }) =>
  toResult(await excludeRecipients(game, actor, form), (count) => `${countNoun(count, 'recipient')} excluded from this run.`),
);

/** Releases a hold or an exclusion. */
export const releaseAction = formAction({ schema: released, who: 'payouts.prepare', game: true }, async ({ form, actor, game }) =>
  toResult(await releaseHold(game, actor, { holdId: form.holdId, note: form.why }), (count) =>
    count === 0 ? 'It was released already.' : 'Released.',
  ),
);

function toResult(answer: HoldResult, format: (count: number, hints: Extract<HoldResult, { ok: true }>) => string): FormResult {
  if (answer.ok)
    return { kind: 'done', sentence: `${format(answer.count, answer)}${answer.voidedSubmission ? ' The run is a draft again.' : ''}` };
  if (answer.reason !== 'invalid') return resultOf(answer, '', REFUSALS);
  return { kind: 'invalid', fields: { [answer.field]: HOLD_ERRORS[`${answer.field}.${answer.problem}`] ?? 'Check this entry.' } };
}

/** Finds lines with money due. The text travels in the body of the request, never in an address. */
export const findLinesAction = formAction(
  { schema: searched, who: 'payouts.prepare', game: true },
  async ({ form, actor, game }): Promise<{ rows: DueLine[]; count: number }> => {
    const filter = { find: form.find, canSeeEmails: may(actor.roles, 'emails.read') };
    return await listDueLines(game.db, { gameId: game.gameId, runId: form.runId }, filter, DUE_LINES_MAX);
  },
);
