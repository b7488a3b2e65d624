'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import type { ActionState } from '#app/_server/action-state.ts';
import { digestShape, idShape, slugShape } from '#app/_server/form-shapes.ts';
import { receiveForm } from '#app/_server/receive-form.ts';
import { DECISION_REFUSALS } from '#app/[game]/_refunds/words/decision-words.ts';
import type { Capability } from '#lib/core/roles.ts';
import type { GameContext } from '#lib/games/game-context.ts';
import type { Trouble } from '#lib/games/trouble.ts';
import type { Actor } from '#lib/people/rules/person.ts';
import { approveRefund } from '#lib/refunds/approve-refund.ts';
import {
  confirmRefundOutcome,
  declineRefund,
  dropRefundOutcome,
  proposeRefundOutcome,
  takeRefundOver,
} from '#lib/refunds/decide-refund.ts';
import { readForDecision } from '#lib/refunds/read-for-decision.ts';

const about = z.object({ game: slugShape, refundId: idShape });
const words = z.string().max(5_000).default('');
const bound = about.extend({ contentDigest: digestShape, confirmedWallet: z.string().max(60).optional() });
const reasoned = about.extend({ why: words });
const said = about.extend({ decision: z.enum(['landed', 'not_landed', 'send_again']), why: words });
const numbered = about.extend({ decisionNo: idShape });

/** Approves exactly the content the form showed. */
export async function approveAction(_: ActionState, form: FormData): Promise<ActionState> {
  return await onRefund(bound, form, 'refunds.request', async (desk, actor, { refundId, contentDigest, confirmedWallet = null }) =>
    say(await approveRefund(desk, actor, refundId, { contentDigest, confirmedWallet }), 'Approved. It goes to Invo by itself.'),
  );
}

/** Says no, or takes the own request back. */
export async function declineAction(_: ActionState, form: FormData): Promise<ActionState> {
  return await onRefund(reasoned, form, 'refunds.request', async ({ game }, actor, { refundId, why }) =>
    say(await declineRefund(game, actor, refundId, why), 'It is not sent.'),
  );
}

/** Makes whoever presses the one who sees it through. */
export async function takeOverAction(_: ActionState, form: FormData): Promise<ActionState> {
  return await onRefund(about, form, 'refunds.request', async ({ game }, actor, { refundId }) =>
    say(await takeRefundOver(game, actor, refundId), 'You see it through now.'),
  );
}

/** The first of two people says what happened. */
export async function proposeAction(_: ActionState, form: FormData): Promise<ActionState> {
  return await onRefund(said, form, 'refunds.request', async ({ game }, actor, { refundId, decision, why }) =>
    say(await proposeRefundOutcome(game, actor, refundId, decision, why), 'Said. A second person has to agree.'),
  );
}

/** The second person agrees. */
export async function confirmAction(_: ActionState, form: FormData): Promise<ActionState> {
  return await onRefund(numbered, form, 'refunds.approve', async ({ game }, actor, { refundId, decisionNo }) =>
    say(await confirmRefundOutcome(game, actor, refundId, decisionNo), 'Agreed.'),
  );
}

/** Takes a statement back, or says no to it. */
export async function dropAction(_: ActionState, form: FormData): Promise<ActionState> {
  return await onRefund(numbered, form, 'refunds.request', async ({ game }, actor, { refundId, decisionNo }) =>
    say(await dropRefundOutcome(game, actor, refundId, decisionNo), 'The statement no longer stands.'),
  );
}

/** Reads the period at Invo for those who decide. */
export async function readAgainAction(_: ActionState, form: FormData): Promise<ActionState> {
  return await onRefund(about, form, 'refunds.request', async (desk, actor, { refundId }) => {
    return say(await readForDecision(desk, actor, refundId), 'Read. What it shows stands below.');
  });
}

async function onRefund<Given extends { game: string }>(
  schema: z.ZodType<Given>,
  form: FormData,
  capability: Capability,
  act: (desk: GameContext, actor: Actor, given: Given) => Promise<ActionState>,
): Promise<ActionState> {
  const received = await receiveForm(schema, form, capability);
  if (received.kind === 'refused') return received;
  const { game, desk, actor, given } = received;
  const answer = await act(desk, actor, given);
  revalidatePath(`/${game.slug}`, 'layout');
  return answer;
}

type Answer = { ok: true } | { ok: false; reason: keyof typeof DECISION_REFUSALS } | ({ ok: false; reason: 'no_answer' } & Trouble);

function say(answer: Answer, done: string): ActionState {
  if (answer.ok) return { kind: 'done', sentence: done };
  if (answer.reason !== 'no_answer') return { kind: 'refused', sentence: DECISION_REFUSALS[answer.reason] };
  return { kind: 'failed', sentence: answer.sentence, ...(answer.errorId === null ? {} : { errorId: answer.errorId }) };
}
