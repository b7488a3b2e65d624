'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { receiveForm } from '#app/_server/open-game-context.ts';
import { receiveGameForm, slugShape } from '#app/_server/receive-form.ts';
import { db } from '#app/_server/wiring.ts';
import type { FormResult } from '#app/_ui/forms/form-result.tsx';
import { estimateHistory, type HistoryEstimate } from '#lib/evidence/pull/estimate-history.ts';
import { pausePulls, startHistory } from '#lib/evidence/pull/schedule-pulls.ts';
import { SCHEDULED_MONTHS_MAX } from '#lib/evidence/rules/due-pulls.ts';
import { toInvoFailure } from '#lib/games/game-context.ts';

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
