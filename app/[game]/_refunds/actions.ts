'use server';

import { z } from 'zod';
import { formAction, resultOf, slugShape, versionShape } from '#app/_server/form-action.ts';
import { freshPassword } from '#app/_server/fresh-password.ts';
import type { FormResult } from '#app/_ui/forms/form-result.tsx';
import { ACCOUNT_TEXT } from '#lib/approvals/text.ts';
import { WHY_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { type PauseResult, pauseRefunds, resumeRefunds } from '#lib/refunds/pause-refunds.ts';

const REFUSALS: Record<Extract<PauseResult, { ok: false }>['reason'], string> = {
  not_allowed: 'Your role can’t do this. No changes were made.',
  ...ACCOUNT_TEXT,
  why_missing: 'Enter a reason, so that others know what to check before they resume refunds.',
  why_too_long: `Use ${WHY_LENGTH_MAX} characters or fewer. No changes were made.`,
  already_paused: 'Refunds are already paused.',
  not_paused: 'Refunds aren’t paused. Someone else has resumed them.',
  not_as_shown: 'The pause or the request to resume has changed since you opened the page. No changes were made. Reload the page.',
  same_person: 'You already asked to resume refunds. A second person must confirm.',
  still_sending: 'A refund from before the restore is still being sent. No changes were made. Try again in two minutes.',
};

const RESULTS: Record<Extract<PauseResult, { ok: true }>['is'], string> = {
  paused: 'Refunds paused. No new refunds are sent to Invo.',
  resume_requested: 'Requested. Refunds resume when a second approver confirms.',
  resumed: 'Refunds resumed.',
};

const pauseShape = z.object({ game: slugShape, why: z.string().max(5_000).default('') });
const resumeShape = z.object({ game: slugShape, version: versionShape });

/** Pauses the sending of all refunds of the game. */
export const pauseRefundsAction = formAction({ schema: pauseShape, who: 'refunds.request', game: true }, async ({ form, actor, game }) =>
  formatPause(await pauseRefunds(game, actor, form.why)),
);

/** Requests that refunds resume, or resumes them where another person has requested it. */
export const resumeRefundsAction = formAction(
  { schema: resumeShape, who: 'refunds.approve', game: true, password: freshPassword },
  async ({ form, actor, game }) => formatPause(await resumeRefunds(game, actor, form.version)),
);

function formatPause(answer: PauseResult): FormResult {
  return resultOf(answer, answer.ok ? RESULTS[answer.is] : '', REFUSALS);
}
