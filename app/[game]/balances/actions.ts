'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { idShape, receiveGameForm, slugShape } from '#app/_server/receive-form.ts';
import { db } from '#app/_server/wiring.ts';
import type { FormResult } from '#app/_ui/forms/form-result.tsx';
import { requestBalances, stopBalances } from '#lib/balances/request-balances.ts';
import { AT_WORK } from '#lib/balances/text.ts';

const aboutGame = z.object({ game: slugShape });
const aboutJob = z.object({ game: slugShape, job: idShape });

/** Asks for the balances of all players, and opens the job. */
export async function readAllAction(_before: FormResult, form: FormData): Promise<FormResult> {
  const received = await receiveGameForm(aboutGame, form, 'balances.export');
  if (received.kind === 'refused') return received;
  const { game, actor } = received;
  const answer = await requestBalances({ db: db(), gameId: game.gameId }, { scope: 'all' }, { requestedBy: actor.email });
  if (!answer.ok) return { kind: 'refused', sentence: AT_WORK };
  redirect(`/${game.slug}/balances/${answer.balanceJobId}`);
}

/** Stops a job; what was read until then is kept. */
export async function stopBalancesAction(_before: FormResult, form: FormData): Promise<FormResult> {
  const received = await receiveGameForm(aboutJob, form, 'balances.export');
  if (received.kind === 'refused') return received;
  const { game, actor, given } = received;
  const isStopping = await stopBalances({ db: db(), gameId: game.gameId }, given.job, actor.email);
  revalidatePath(`/${game.slug}/balances/${given.job}`);
  return isStopping ? { kind: 'done', sentence: 'Stopping…' } : { kind: 'refused', sentence: 'It has already ended. Nothing was changed.' };
}
