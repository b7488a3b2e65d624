'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { receiveForm } from '#app/_server/open-game-context.ts';
import { receiveGameApproval } from '#app/_server/receive-approval.ts';
import { digestShape, idShape, slugShape } from '#app/_server/receive-form.ts';
import type { FormResult } from '#app/_ui/forms/form-result.tsx';
import { APPROVER_TEXT } from '#lib/approvals/text.ts';
import type { Actor } from '#lib/core/roles.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import {
  approveRun,
  canApproveRun,
  confirmVoid,
  type RunDecision,
  rejectRun,
  requestVoid,
  returnChangedRun,
  voidRun,
} from '#lib/payouts/decide-run.ts';
import { returnToDraft } from '#lib/payouts/draft-run.ts';
import { PAYOUTS_PAUSED } from '#lib/payouts/resume-payouts.ts';
import { RECHECK_ITEMS } from '#lib/payouts/rules/close-input.ts';
import { EDITOR_TEXT, formatCheck } from '#lib/payouts/text.ts';
import { PASSWORD_REQUESTS } from '#lib/people/text.ts';

const about = z.object({ game: slugShape, runId: idShape });
const reasoned = about.extend({ why: z.string().max(5_000).default('') });
const bound = about.extend({ contentDigest: digestShape, runNo: idShape });

const REFUSALS = {
  not_allowed: 'Your role can’t do this. No changes were made.',
  moved_on: 'The run has changed since you opened the page. No changes were made. Reload the page.',
  missing: 'Enter a reason. No changes were made.',
  too_long: 'The reason is longer than 1,000 characters. No changes were made.',
  ...APPROVER_TEXT,
  editor: 'Someone else must do this. No changes were made.',
  followed: 'Another run follows this one, so it can’t be voided. Correct it with an adjustment.',
} as const;

/** Approves exactly the content the page showed. */
export async function approveAction(_: FormResult, form: FormData): Promise<FormResult> {
  const received = await receiveGameApproval(bound, form, 'payouts.approve', ({ context, actor, given }) =>
    canApproveRun(context.game, actor, given.runId, given.contentDigest),
  );
  if (received.kind !== 'received') return received;
  const { game, context, actor, given } = received;
  const answer = await approveRun(context.game, { ...actor, tokenDigest: received.tokenDigest }, given.runId, given.contentDigest);
  revalidatePath(`/${game.slug}`, 'layout');
  if (answer.ok) redirect(`/${game.slug}/payouts/${given.runNo}`);
  switch (answer.reason) {
    case 'password':
      return { kind: 'password', sentence: PASSWORD_REQUESTS.needed };
    case 'editor':
      return {
        kind: 'refused',
        sentence: `You worked on this run (${answer.because.map((each) => EDITOR_TEXT[each] ?? each).join(', ')}), so someone else must approve it.`,
      };
    case 'recheck': {
      const { title, advice } = formatCheck({ key: RECHECK_ITEMS[answer.recheck], count: 1 });
      return { kind: 'refused', sentence: `${title}. Nothing was approved. ${advice}` };
    }
    case 'sent_back':
      return { kind: 'refused', sentence: 'Something changed after submission, so the run is a draft again. Nothing was approved.' };
    case 'changed':
      return { kind: 'refused', sentence: 'The run was submitted again with other figures. Nothing was approved. Reload the page.' };
    case 'broken':
      return {
        kind: 'refused',
        sentence: 'The stored lines no longer match what was submitted. Nothing was approved. Run sharebook verify.',
      };
    case 'paused':
      return { kind: 'refused', sentence: `${PAYOUTS_PAUSED} Nothing was approved.` };
    case 'not_allowed':
    case 'moved_on':
    case 'unconfirmed':
    case 'too_new':
    case 'preparer_disabled':
    case 'preparer_unconfirmed':
    case 'preparer_too_new':
      return { kind: 'refused', sentence: REFUSALS[answer.reason] };
  }
}

/** Sends a submitted run back with a reason. */
export async function rejectAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await decide(form, 'payouts.approve', (game, actor, { runId, why }) => rejectRun(game, actor, runId, why), 'Sent back.');
}

/** Returns a run to draft that can’t be approved, because something changed since its submission. */
export async function returnChangedAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await decide(
    form,
    'payouts.approve',
    (game, actor, { runId }) => returnChangedRun(game, actor, runId),
    'The run is a draft again.',
  );
}

/** Returns a submitted or rejected run to draft. */
export async function returnAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await decide(form, 'payouts.prepare', (game, actor, { runId }) => returnToDraft(game, actor, runId), 'The run is a draft again.');
}

/** Voids a run that isn’t approved. */
export async function voidAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await decide(form, 'payouts.prepare', (game, actor, { runId, why }) => voidRun(game, actor, runId, why), 'Voided.');
}

/** Asks for an approved run to be voided. */
export async function requestVoidAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await decide(
    form,
    'payouts.prepare',
    (game, actor, { runId, why }) => requestVoid(game, actor, runId, why),
    'Requested. A second person must confirm.',
  );
}

/** The second person voids an approved run. */
export async function confirmVoidAction(_: FormResult, form: FormData): Promise<FormResult> {
  const received = await receiveGameApproval(about, form, 'payouts.approve');
  if (received.kind !== 'received') return received;
  const { game, context, actor, given } = received;
  const answer = await confirmVoid(context.game, actor, given.runId, true);
  revalidatePath(`/${game.slug}`, 'layout');
  return answer.ok ? { kind: 'done', sentence: 'Voided.' } : { kind: 'refused', sentence: REFUSALS[answer.reason] };
}

/** Discards the request to void an approved run. */
export async function discardVoidAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await decide(form, 'payouts.prepare', (game, actor, { runId }) => confirmVoid(game, actor, runId, false), 'The run is kept.');
}

type Decision = (game: OpenGame, actor: Actor, given: { runId: number; why: string }) => Promise<RunDecision>;

async function decide(form: FormData, capability: 'payouts.prepare' | 'payouts.approve', run: Decision, done: string): Promise<FormResult> {
  const received = await receiveForm(reasoned, form, capability);
  if (received.kind === 'refused') return received;
  const { game, context, actor, given } = received;
  const answer = await run(context.game, actor, given);
  revalidatePath(`/${game.slug}`, 'layout');
  return answer.ok ? { kind: 'done', sentence: done } : { kind: 'refused', sentence: REFUSALS[answer.reason] };
}
