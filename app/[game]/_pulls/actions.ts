'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { formAction, idShape } from '#app/_server/form-action.ts';
import { config, db, now } from '#app/_server/server-context.ts';
import type { FormResult } from '#app/_ui/forms/form-result.tsx';
import { monthWindow, parseMonth } from '#lib/core/month.ts';
import { YEARS_BACK_MAX } from '#lib/core/window.ts';
import { requestPull } from '#lib/evidence/pull/request-pull.ts';

const given = z.object({ game: z.string(), month: z.string(), isFresh: z.literal(['yes', 'no']), runNo: idShape.optional() });

/** Pulls, updates or re-checks a month, then opens the month, or the approval of a run that waits for it: both show the progress. */
export const pullMonth = formAction(
  { schema: given, who: 'pulls.start', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const { runNo } = form;
    const month = parseMonth(form.month);
    if (month === null) return { kind: 'invalid', fields: { month: 'Choose a month, for example 2026-10.' } };
    const answer = await requestPull(db(), {
      gameId: game.gameId,
      window: monthWindow(month, game.timeZone),
      isFresh: form.isFresh === 'yes',
      requestedBy: actor.email,
      now: now(),
      settleLag_minutes: config().settleLag_minutes,
    });
    if (!answer.ok) return { kind: 'refused', sentence: REFUSALS[answer.reason] };
    // The head of a month is a layout, which a redirect to the current page doesn’t refresh.
    revalidatePath(`/${game.slug}/months`, 'layout');
    redirect(runNo === undefined ? `/${game.slug}/months/${month}` : `/${game.slug}/payouts/${runNo}/approve`);
  },
);

const REFUSALS = {
  too_early: `This month is more than ${YEARS_BACK_MAX} years ago. Choose a later one.`,
  not_started: 'Nothing has settled in this month yet. There is nothing to pull.',
  too_long: 'This window is too long. Nothing was pulled.',
};
