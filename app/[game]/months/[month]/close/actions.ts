'use server';

import { z } from 'zod';
import { digestShape, formAction, idShape, openPage, resultOf, slugShape } from '#app/_server/form-action.ts';
import { formatUtc } from '#app/_ui/figures/format.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { ACCOUNT_IN_TEXT, ACCOUNT_TEXT } from '#lib/approvals/text.ts';
import { parseMonth } from '#lib/core/month.ts';
import { draftRun, recomposeRun } from '#lib/payouts/draft-run.ts';
import { formatStarted } from '#lib/payouts/rules/run-words.ts';
import { noteCheck, recordFinding, submitRun } from '#lib/payouts/submit-run.ts';
import { PAYOUTS_PAUSED } from '#lib/payouts/text.ts';

const about = z.object({ game: slugShape, runId: idShape });
const started = z.object({ game: slugShape, month: z.string().max(10) });
const submitted = about.extend({ draftDigest: digestShape });
const noted = about.extend({ checkKey: z.string().max(100), facts: digestShape, note: z.string().max(5_000) });
const found = about.extend({
  reason: z.string().max(200),
  // As it was typed: a wrong one is refused at its field.
  renewalCount: z.string().max(30),
  conclusion: z.string().max(40),
  note: z.string().max(5_000),
});

const REFUSALS = {
  not_allowed: 'Your role can’t prepare payout runs. No changes were made.',
  ...ACCOUNT_TEXT,
  not_ready: 'Something still blocks the run or needs a note. Nothing was submitted.',
  moved_on: 'This run is no longer a draft. No changes were made. Reload the page.',
  changed: 'The figures changed since you opened the page. Nothing was saved. Check them again.',
  noted: 'This item already has a note. Nothing was saved. Reload the page to see it.',
  missing: 'Write what you found. Nothing was saved.',
  too_long: 'The note is longer than 1,000 characters. Nothing was saved.',
  account: `${ACCOUNT_IN_TEXT} Nothing was saved.`,
  never_pulled: 'This month has not been pulled. Pull it first.',
  not_complete: 'This month has no complete snapshot. Pull it once it is over.',
  paused: `${PAYOUTS_PAUSED} No changes were made.`,
  does_not_follow: 'The month before has no approved run. Close the months in order.',
} as const;

/** Starts the payout run of a month. */
export const startAction = formAction(
  { schema: started, who: 'payouts.prepare', game: true, refreshes: 'done' },
  async ({ form, actor, game }): Promise<FormResult> => {
    const month = parseMonth(form.month);
    if (month === null) return { kind: 'refused', sentence: REFUSALS.never_pulled };
    const drafted = await draftRun(game, actor, month);
    if (!drafted.ok && drafted.reason === 'exists') {
      // Not drawn again: the page of the run that exists has no form to show the sentence.
      const { runNo, draftedBy, draftedAt } = drafted.run;
      return { kind: 'refused', sentence: `${formatStarted(draftedBy.name, formatUtc(draftedAt))} Reload the page to open run ${runNo}.` };
    }
    return resultOf(drafted, drafted.ok ? `Run ${drafted.run.runNo} started.` : '', REFUSALS);
  },
);

/** Composes a draft again. */
export const recalculateAction = formAction({ schema: about, who: 'payouts.prepare', game: true }, async ({ form, actor, game }) =>
  resultOf(await recomposeRun(game, actor, form.runId), 'Recalculated.', REFUSALS),
);

/** Submits a draft exactly as the form showed it. */
export const submitAction = formAction(
  { schema: submitted, who: 'payouts.prepare', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const answer = await submitRun(game, actor, form.runId, form.draftDigest);
    if (answer.ok) openPage(`/${game.slug}/payouts/${answer.run.runNo}`);
    return resultOf(answer, '', REFUSALS);
  },
);

/** Stores a note on one item. */
export const noteAction = formAction({ schema: noted, who: 'payouts.prepare', game: true }, async ({ form, actor, game }) =>
  resultOf(await noteCheck(game, actor, form.runId, form), 'Saved.', REFUSALS),
);

/** Stores what a person found out about renewals without attribution. */
export const findingAction = formAction(
  { schema: found, who: 'payouts.prepare', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const renewalCount = form.renewalCount.trim() === '' ? 0 : Number(form.renewalCount);
    const answer = await recordFinding(game, actor, form.runId, { ...form, renewalCount });
    if (!answer.ok && answer.reason === 'bad_count')
      return { kind: 'invalid', fields: { renewalCount: formatCountRange(answer.countMax) } };
    return resultOf(answer, 'Saved.', REFUSALS);
  },
);

function formatCountRange(count: number): string {
  return count === 1 ? 'Enter 1: one renewal has this reason.' : `Enter a whole number from 1 to ${count.toLocaleString('en-US')}.`;
}
