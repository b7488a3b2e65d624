'use server';

import { z } from 'zod';
import { formAction, resultOf, slugShape, versionShape } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import { pause, resume } from '#lib/approvals/pause.ts';
import { formatResumed, resumeRefusals } from '#lib/approvals/text.ts';
import { WHY_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { resumeRefunds } from '#lib/refunds/control-refunds.ts';

const REFUSALS = {
  ...resumeRefusals('refunds'),
  why_missing: 'Enter a reason, so that others know what to check before they resume refunds.',
  why_too_long: `Use ${WHY_LENGTH_MAX} characters or fewer. No changes were made.`,
  already_paused: 'Refunds are already paused.',
  still_sending: 'A refund from before the restore is still being sent. No changes were made. Try again in two minutes.',
};

const pauseShape = z.object({ game: slugShape, why: z.string().max(5_000).default('') });
const resumeShape = z.object({ game: slugShape, version: versionShape });

/** Pauses the sending of all refunds of the game. */
export const pauseRefundsAction = formAction({ schema: pauseShape, who: 'refunds.request', game: true }, async ({ form, actor, game }) =>
  resultOf(await pause(game, actor, { what: 'refunds', why: form.why }), 'Refunds paused. No new refunds are sent to Invo.', REFUSALS),
);

/** Requests that refunds resume, or resumes them where another person has requested it. */
export const resumeRefundsAction = formAction(
  { schema: resumeShape, who: 'refunds.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) => {
    const answer = await resumeRefunds(game, actor, form.version);
    return resultOf(answer, answer.ok ? formatResumed('refunds', answer.is) : '', REFUSALS);
  },
);

/** Requests that payouts resume, or resumes them where another person has requested it. */
export const resumePayoutsAction = formAction(
  { schema: resumeShape, who: 'payouts.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) => {
    const answer = await resume(game, actor, { what: 'payouts', version: form.version });
    return resultOf(answer, answer.ok ? formatResumed('payouts', answer.is) : '', resumeRefusals('payouts'));
  },
);
