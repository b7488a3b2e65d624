'use server';

import { z } from 'zod';
import { formAction, resultOf, slugShape, versionShape } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import { pause, resume } from '#lib/approvals/pause.ts';
import { formatResumed, pauseRefusals, resumeRefusals } from '#lib/approvals/text.ts';
import { resumeRefunds } from '#lib/refunds/control-refunds.ts';

const STILL_SENDING = 'A refund from before the restore is still being sent. No changes were made. Try again in two minutes.';

const pauseShape = z.object({ game: slugShape, why: z.string().max(5_000).default('') });
const resumeShape = z.object({ game: slugShape, version: versionShape });

/** Pauses the sending of all refunds of the game. */
export const pauseRefundsAction = formAction({ schema: pauseShape, who: 'refunds.request', game: true }, async ({ form, actor, game }) =>
  resultOf(
    await pause(game, actor, { what: 'refunds', why: form.why }),
    'Refunds paused. No new refunds are sent to Invo.',
    pauseRefusals('refunds'),
  ),
);

/** Pauses all desk actions of the game. */
export const pauseDeskActionsAction = formAction(
  { schema: pauseShape, who: 'actions.request', game: true },
  async ({ form, actor, game }) =>
    resultOf(
      await pause(game, actor, { what: 'desk actions', why: form.why }),
      'Desk actions paused. No new ones are sent to Invo.',
      pauseRefusals('desk actions'),
    ),
);

/** Requests that refunds resume, or resumes them where another person has requested it. */
export const resumeRefundsAction = formAction(
  { schema: resumeShape, who: 'refunds.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) => {
    const answer = await resumeRefunds(game, actor, form.version);
    return resultOf(answer, answer.ok ? formatResumed('refunds', answer.is) : '', {
      ...resumeRefusals('refunds'),
      still_sending: STILL_SENDING,
    });
  },
);

/** Requests that desk actions resume, or resumes them where another person has requested it. */
export const resumeDeskActionsAction = formAction(
  { schema: resumeShape, who: 'actions.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) => {
    const answer = await resume(game, actor, { what: 'desk actions', version: form.version });
    return resultOf(answer, answer.ok ? formatResumed('desk actions', answer.is) : '', resumeRefusals('desk actions'));
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
