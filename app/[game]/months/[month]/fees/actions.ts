'use server';

import { z } from 'zod';
import { formAction, slugShape } from '#app/_server/form-action.ts';
import type { FormResult } from '#app/_ui/forms/form.tsx';
import { monthWindow, parseMonth } from '#lib/core/month.ts';
import { chooseMonthDetails, requestDetails } from '#lib/fees/request-details.ts';
import { DETAIL_CHOICES } from '#lib/fees/rules/detail-figures.ts';

const about = z.object({ game: slugShape, month: z.string().max(10) });
const chosen = about.extend({ cardPeriods: z.enum(DETAIL_CHOICES), subscriptions: z.enum(DETAIL_CHOICES) });

/** Reads the detail reports of a month, again if they were read before. */
export const readDetailsAction = formAction(
  { schema: about, who: 'pulls.start', game: true, refreshes: 'done' },
  async ({ form, actor, game }): Promise<FormResult> => {
    const month = parseMonth(form.month);
    if (month === null) return NO_MONTH;
    const window = monthWindow(month, game.timeZone);
    const answer = await requestDetails(game.db, { gameId: game.gameId, window, requestedBy: actor.email });
    if (!answer.ok) return { kind: 'refused', sentence: 'Detail reports are read of complete months. Nothing was started.' };
    return { kind: 'done', sentence: 'Started.' };
  },
);

/** Stores what is read of every month of the game, and reads what is now wanted of this month. */
export const chooseDetailsAction = formAction(
  { schema: chosen, who: 'pulls.start', game: true, refreshes: 'done' },
  async ({ form, actor, game }): Promise<FormResult> => {
    const month = parseMonth(form.month);
    if (month === null) return NO_MONTH;
    const { cardPeriods, subscriptions } = form;
    const window = monthWindow(month, game.timeZone);
    await chooseMonthDetails(game.db, { gameId: game.gameId, window, requestedBy: actor.email }, { cardPeriods, subscriptions });
    return { kind: 'done', sentence: 'Saved for every month of this game.' };
  },
);

const NO_MONTH: FormResult = { kind: 'refused', sentence: 'This is no month. Nothing was started.' };
