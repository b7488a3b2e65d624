'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import type { ActionState } from '#app/_server/action-state.ts';
import { now } from '#app/_server/clock.ts';
import { requireGame } from '#app/_server/game.ts';
import { checkOrigin } from '#app/_server/receive-form.ts';
import { requirePerson } from '#app/_server/session.ts';
import { config, db } from '#app/_server/wiring.ts';
import { monthWindow, parseMonth } from '#lib/core/month.ts';
import { requestPull } from '#lib/evidence/pull/request-pull.ts';

const given = z.object({
  game: z.string(),
  month: z.string().refine((text) => parseMonth(text) !== null),
  isFresh: z.literal(['yes', 'no']),
});

/** Asks for a month to be pulled, brought up to date or re-checked, and leads to the month, where its progress shows. */
export async function pullMonth(_before: ActionState, form: FormData): Promise<ActionState> {
  const refusal = await checkOrigin();
  if (refusal) return refusal;
  const person = await requirePerson('pulls.start');
  const asked = given.safeParse(Object.fromEntries(form));
  if (!asked.success) return { kind: 'invalid', fields: { month: 'Choose a month, written like 2026-10.' } };
  const game = await requireGame(asked.data.game);
  const window = monthWindow(asked.data.month, game.timeZone);
  const answer = await requestPull(db(), {
    gameId: game.gameId,
    window,
    isFresh: asked.data.isFresh === 'yes',
    requestedBy: person.email,
    now: now(),
    settleLag_minutes: config().settleLag_minutes,
  });
  if (!answer.ok) return { kind: 'refused', sentence: REFUSALS[answer.reason] };
  // The head of a month is a layout, which a redirect to the page one is on does not draw anew.
  revalidatePath(`/${game.slug}/months`, 'layout');
  redirect(`/${game.slug}/months/${asked.data.month}`);
}

const REFUSALS = {
  not_started: 'Nothing has settled in this month yet, so there is nothing to pull.',
  too_long: 'A month is never this long; nothing was asked.',
};
