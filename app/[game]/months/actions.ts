'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { receiveForm } from '#app/_server/open-game-context.ts';
import { receiveGameForm, slugShape } from '#app/_server/receive-form.ts';
import { config, db, now } from '#app/_server/wiring.ts';
import type { FormResult } from '#app/_ui/forms/form-result.tsx';
import { monthWindow, parseMonth } from '#lib/core/month.ts';
import { YEARS_BACK_MAX } from '#lib/core/window.ts';
import { estimateHistory, type HistoryEstimate } from '#lib/evidence/pull/estimate-history.ts';
import { requestPull } from '#lib/evidence/pull/request-pull.ts';
import { pausePulls, startHistory } from '#lib/evidence/pull/schedule-pulls.ts';
import { SCHEDULED_MONTHS_MAX } from '#lib/evidence/rules/due-pulls.ts';
import { toInvoFailure } from '#lib/games/game-context.ts';

const given = z.object({ game: z.string(), month: z.string(), isFresh: z.literal(['yes', 'no']) });

/** Pulls, updates or re-checks a month, then opens the month, which shows the progress. */
export async function pullMonth(_before: FormResult, form: FormData): Promise<FormResult> {
  const received = await receiveGameForm(given, form, 'pulls.start');
  if (received.kind === 'refused') return received;
  const { game, actor } = received;
  const month = parseMonth(received.given.month);
  if (month === null) return { kind: 'invalid', fields: { month: 'Choose a month, for example 2026-10.' } };
  const answer = await requestPull(db(), {
    gameId: game.gameId,
    window: monthWindow(month, game.timeZone),
    isFresh: received.given.isFresh === 'yes',
    requestedBy: actor.email,
    now: now(),
    settleLag_minutes: config().settleLag_minutes,
  });
  if (!answer.ok) return { kind: 'refused', sentence: REFUSALS[answer.reason] };
  // The head of a month is a layout, which a redirect to the current page doesn’t refresh.
  revalidatePath(`/${game.slug}/months`, 'layout');
  redirect(`/${game.slug}/months/${month}`);
}

const REFUSALS = {
  too_early: `This month is more than ${YEARS_BACK_MAX} years ago. Choose a later one.`,
  not_started: 'Nothing has settled in this month yet. There is nothing to pull.',
  too_long: 'This window is too long. Nothing was pulled.',
};

const history = z.object({ game: slugShape, months: z.coerce.number().int().min(1).max(SCHEDULED_MONTHS_MAX) });
const pause = z.object({ game: slugShape, isPaused: z.literal(['yes', 'no']) });

export type Estimated = FormResult<string, { kind: 'estimated'; estimate: HistoryEstimate }>;

/** Asks Invo what pulling a game’s history is likely to take. Pulls nothing. */
export async function estimateHistoryAction(_before: Estimated, form: FormData): Promise<Estimated> {
  const received = await receiveForm(history, form, 'pulls.start');
  if (received.kind === 'refused') return received;
  try {
    return { kind: 'estimated', estimate: await estimateHistory(received.context, received.given.months) };
  } catch (error) {
    const { sentence, errorId } = toInvoFailure(error);
    return { kind: 'failed', sentence, errorId };
  }
}

/** Starts to pull a game’s history. */
export async function startHistoryAction(_before: FormResult, form: FormData): Promise<FormResult> {
  const received = await receiveForm(history, form, 'pulls.start');
  if (received.kind === 'refused') return received;
  const { context, given, game, actor } = received;
  const isNew = await startHistory(context.game, { months: given.months, actor: actor.email });
  revalidatePath(`/${game.slug}/months`, 'layout');
  return isNew
    ? { kind: 'done', sentence: 'The history is being pulled.' }
    : { kind: 'refused', sentence: 'The history of this game was started before. Reload the page to see it.' };
}

/** Pauses or resumes the scheduled pulls of a game. */
export async function pausePullsAction(_before: FormResult, form: FormData): Promise<FormResult> {
  const received = await receiveGameForm(pause, form, 'pulls.start');
  if (received.kind === 'refused') return received;
  const { game, actor, given } = received;
  const isChanged = await pausePulls(db(), { gameId: game.gameId, isPaused: given.isPaused === 'yes', actor: actor.email });
  revalidatePath(`/${game.slug}/months`, 'layout');
  return { kind: 'done', sentence: isChanged ? '' : 'No changes.' };
}
