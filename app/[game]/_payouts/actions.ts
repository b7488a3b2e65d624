'use server';

import { z } from 'zod';
import { formAction, resultOf, slugShape, versionShape } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import { ACCOUNT_TEXT } from '#lib/approvals/text.ts';
import { type ResumePayouts, resumePayouts } from '#lib/payouts/resume-payouts.ts';

const REFUSALS: Record<Extract<ResumePayouts, { ok: false }>['reason'], string> = {
  not_allowed: 'Your role can’t do this. No changes were made.',
  ...ACCOUNT_TEXT,
  not_paused: 'Payouts aren’t paused. Someone else has resumed them.',
  not_as_shown: 'The pause or the request to resume has changed since you opened the page. No changes were made. Reload the page.',
  same_person: 'You already asked to resume payouts. A second person must confirm.',
};

const RESULTS: Record<Extract<ResumePayouts, { ok: true }>['is'], string> = {
  resume_requested: 'Requested. Payouts resume when a second approver confirms.',
  resumed: 'Payouts resumed.',
};

const shape = z.object({ game: slugShape, version: versionShape });

/** Requests that payouts resume, or resumes them where another person has requested it. */
export const resumePayoutsAction = formAction(
  { schema: shape, who: 'payouts.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) => {
    const answer = await resumePayouts(game, actor, form.version);
    return resultOf(answer, answer.ok ? RESULTS[answer.is] : '', REFUSALS);
  },
);
