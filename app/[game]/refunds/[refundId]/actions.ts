'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { receiveForm } from '#app/_server/open-game-context.ts';
import { type PasswordRequest, receiveGameApproval } from '#app/_server/receive-approval.ts';
import { digestShape, idShape, slugShape } from '#app/_server/receive-form.ts';
import type { FormResult } from '#app/_ui/forms/form-result.tsx';
import type { Actor, Capability } from '#lib/core/roles.ts';
import type { GameContext, InvoFailure } from '#lib/games/game-context.ts';
import { approveRefund, assignRefund, declineRefund } from '#lib/refunds/approve-refund.ts';
import { confirmOutcome, discardOutcome, recordOutcome, rereadPeriod } from '#lib/refunds/record-outcome.ts';
import { DECISION_REFUSALS } from './text.ts';

const about = z.object({ game: slugShape, refundId: idShape });
const note = z.string().max(5_000).default('');
const bound = about.extend({ contentDigest: digestShape, confirmedRisk: z.string().max(300).optional() });
const reasoned = about.extend({ why: note });
const recorded = about.extend({ decision: z.enum(['landed', 'not_landed', 'send_again']), why: note });
const numbered = about.extend({ decisionNo: idShape });

/** Approves exactly the content the form showed. */
export async function approveAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await onApproval(bound, form, 'refunds.request', async (context, actor, { refundId, contentDigest, confirmedRisk = null }) =>
    toState(await approveRefund(context, actor, refundId, { contentDigest, confirmedRisk }), 'Approved. It is sent to Invo automatically.'),
  );
}

/** Rejects a refund, or withdraws the person's own. */
export async function declineAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await onRefund(reasoned, form, 'refunds.request', async ({ game }, actor, { refundId, why }) =>
    toState(await declineRefund(game, actor, refundId, why), 'This refund won’t be sent.'),
  );
}

/** Assigns the refund to the person. */
export async function assignAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await onRefund(about, form, 'refunds.request', async ({ game }, actor, { refundId }) =>
    toState(await assignRefund(game, actor, refundId), 'Assigned to you.'),
  );
}

/** The first of two people records the outcome. */
export async function recordOutcomeAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await onRefund(recorded, form, 'refunds.request', async ({ game }, actor, { refundId, decision, why }) =>
    toState(await recordOutcome(game, actor, refundId, decision, why), 'Outcome recorded. A second approver must confirm it.'),
  );
}

/** The second person confirms the outcome. */
export async function confirmOutcomeAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await onApproval(numbered, form, 'refunds.approve', async ({ game }, actor, { refundId, decisionNo }) =>
    toState(await confirmOutcome(game, actor, refundId, decisionNo), 'Outcome confirmed.'),
  );
}

/** Discards the person's own recorded outcome, or rejects another person's. */
export async function dropOutcomeAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await onRefund(numbered, form, 'refunds.request', async ({ game }, actor, { refundId, decisionNo }) =>
    toState(await discardOutcome(game, actor, refundId, decisionNo), 'The recorded outcome was discarded.'),
  );
}

/** Reads the period from Invo for those who decide. */
export async function readPeriodAction(_: FormResult, form: FormData): Promise<FormResult> {
  return await onRefund(about, form, 'refunds.request', async (context, actor, { refundId }) => {
    return toState(await rereadPeriod(context, actor, refundId), 'Period read. The result is in the timeline.');
  });
}

type Run<Given> = (context: GameContext, actor: Actor, given: Given) => Promise<FormResult>;

async function onRefund<Given extends { game: string }>(
  schema: z.ZodType<Given>,
  form: FormData,
  capability: Capability,
  run: Run<Given>,
): Promise<FormResult> {
  return await act(await receiveForm(schema, form, capability), run);
}

/** What approves asks for a fresh password first. */
async function onApproval<Given extends { game: string }>(
  schema: z.ZodType<Given>,
  form: FormData,
  capability: Capability,
  run: Run<Given>,
): Promise<FormResult> {
  return await act(await receiveGameApproval(schema, form, capability), run);
}

async function act<Given>(
  received: Awaited<ReturnType<typeof receiveForm<Given & { game: string }>>> | PasswordRequest,
  run: Run<Given>,
): Promise<FormResult> {
  if (received.kind !== 'received') return received;
  const { game, context, actor, given } = received;
  const answer = await run(context, actor, given);
  revalidatePath(`/${game.slug}`, 'layout');
  return answer;
}

type Answer = { ok: true } | { ok: false; reason: keyof typeof DECISION_REFUSALS } | ({ ok: false; reason: 'no_answer' } & InvoFailure);

function toState(answer: Answer, done: string): FormResult {
  if (answer.ok) return { kind: 'done', sentence: done };
  if (answer.reason !== 'no_answer') return { kind: 'refused', sentence: DECISION_REFUSALS[answer.reason] };
  return { kind: 'failed', sentence: answer.sentence, ...(answer.errorId === null ? {} : { errorId: answer.errorId }) };
}
