'use server';

import { z } from 'zod';
import { formAction, resultOf, slugShape, versionShape } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import { resume } from '#lib/approvals/resume.ts';
import { formatResumed, resumeRefusals } from '#lib/approvals/text.ts';

const shape = z.object({ game: slugShape, version: versionShape });

/** Requests that payouts resume, or resumes them where another person has requested it. */
export const resumePayoutsAction = formAction(
  { schema: shape, who: 'payouts.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) => {
    const answer = await resume(game, actor, { what: 'payouts', version: form.version });
    return resultOf(answer, answer.ok ? formatResumed('payouts', answer.is) : '', resumeRefusals('payouts'));
  },
);
