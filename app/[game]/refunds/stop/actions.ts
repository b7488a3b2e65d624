'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import type { Actor } from '../../../../lib/operations/actor.ts';
import type { GameAtWork } from '../../../../lib/operations/game.ts';
import { resumeRefunds, type Stopped, stopAllRefunds } from '../../../../lib/operations/refund/stop-refunds.ts';
import { checkOrigin } from '../../../_server/action.ts';
import type { ActionState } from '../../../_server/action-state.ts';
import { openDesk } from '../../../_server/desk.ts';
import { requireGame } from '../../../_server/game.ts';
import { requirePerson } from '../../../_server/session.ts';
import { STOP_DONE, STOP_REFUSALS } from './stop-words.ts';

const given = z.object({ game: z.string().max(40), why: z.string().max(5_000).default('') });

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
  act: (game: GameAtWork, actor: Actor, why: string) => Promise<Stopped>,
): Promise<ActionState> {
  const foreign = await checkOrigin();
  if (foreign) return foreign;
  const { id, email, role } = await requirePerson(capability);
  const asked = given.safeParse(Object.fromEntries(form));
  if (!asked.success) return { kind: 'refused', sentence: 'The form did not arrive whole, so nothing was done. Load the page again.' };
  const game = await requireGame(asked.data.game);
  const answer = await act((await openDesk(game)).game, { id, email, role }, asked.data.why);
  revalidatePath(`/${game.slug}`, 'layout');
  return answer.ok ? { kind: 'done', sentence: STOP_DONE[answer.is] } : { kind: 'refused', sentence: STOP_REFUSALS[answer.reason] };
}
