'use server';

import { z } from 'zod';
import { formAction, openPage, ordinalShape, resultOf } from '#app/_server/form-action.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { monthWindow, parseMonth } from '#lib/core/month.ts';
import { YEARS_BACK_MAX } from '#lib/core/window.ts';
import { requestPull } from '#lib/evidence/pull/request-pull.ts';

const given = z.object({ game: z.string(), month: z.string(), isFresh: z.literal(['yes', 'no']), runNo: ordinalShape.optional() });

/** Pulls, updates or re-checks a month, then opens the month, or the approval of a run that waits for it: both show the progress. */
export const pullMonth = formAction(
  { schema: given, who: 'pulls.start', game: true },
  async ({ form, actor, game }): Promise<FormResult> => {
    const { runNo } = form;
    const month = parseMonth(form.month);
    if (month === null) return { kind: 'invalid', fields: { month: 'Choose a month, for example 2026-10.' } };
    const answer = await requestPull(game.db, {
      gameId: game.gameId,
      window: monthWindow(month, game.timeZone),
      isFresh: form.isFresh === 'yes',
      requestedBy: actor.email,
      now: game.now(),
      settleLag_minutes: game.settleLag_minutes,
    });
    if (!answer.ok) return resultOf(answer, '', REFUSALS);
    openPage(runNo === undefined ? `/${game.slug}/months/${month}` : `/${game.slug}/payouts/${runNo}/approve`);
  },
);

const REFUSALS = {
  too_early: `This month is more than ${YEARS_BACK_MAX} years ago. Choose a later one.`,
  not_started: 'Nothing has settled in this month yet. There is nothing to pull.',
  too_long: 'This window is too long. Nothing was pulled.',
};
