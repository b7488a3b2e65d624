'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import type { ActionState } from '#app/_server/action-state.ts';
import { slugShape } from '#app/_server/form-shapes.ts';
import { receiveForm } from '#app/_server/receive-form.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import type { Actor } from '#lib/people/rules/person.ts';
import { resumeRefunds, type Stopped, stopAllRefunds } from '#lib/refunds/stop-refunds.ts';
import { STOP_DONE, STOP_REFUSALS } from './stop-words.ts';

const shape = z.object({ game: slugShape, why: z.string().max(5_000).default('') });

/** Stops the sending of all refunds of the game. */
export async function stopRefundsAction(_: ActionState, form: FormData): Promise<ActionState> {
  return await onGame(form, 'refunds.request', (game, actor, why) => stopAllRefunds(game, actor, why));
}

/** Asks for the stop to be lifted, or lifts it where somebody else has asked. */
export async function resumeRefundsAction(_: ActionState, form: FormData): Promise<ActionState> {
  return await onGame(form, 'refunds.approve', (game, actor) => resumeRefunds(game, actor));
}

async function onGame(
  form: FormData,
  capability: 'refunds.request' | 'refunds.approve',
  act: (game: OpenGame, actor: Actor, why: string) => Promise<Stopped>,
): Promise<ActionState> {
  const received = await receiveForm(shape, form, capability);
  if (received.kind === 'refused') return received;
  const { game, desk, actor, given } = received;
  const answer = await act(desk.game, actor, given.why);
  revalidatePath(`/${game.slug}`, 'layout');
  return answer.ok ? { kind: 'done', sentence: STOP_DONE[answer.is] } : { kind: 'refused', sentence: STOP_REFUSALS[answer.reason] };
}
