import * as z from 'zod';
import type { RouteFamily } from '#lib/invo/rules/route-codes.ts';
import type { ActionResult } from './action-facts.ts';
import type { ActionState } from './action-state.ts';
import { classifyByCode, classifyForAll } from './answers.ts';
import type { ActionKind } from './kinds.ts';
import type { AnswerClass, Observed, Protocol } from './protocol.ts';
import { lapsingStep } from './settling-times.ts';

// Steps of a start beside its approval: none moves coins, and none is sent again.

/** The start, whose group turns its steps on. */
export const stepRequest = { start_id: z.number().int(), start_kind: z.enum(['send_start', 'transfer_start']) };

/** What such a step is beside its request, body and route. */
export const STEP = {
  group: 'of_start',
  repeats: 'never',
  key: null,
  needsSecondPerson: false,
  keepsBody: false,
  isForRequester: false,
  decidedBy: 1,
  reading: null,
  movesCoins: false,
  unit: null,
  amountOf: () => null,
  blockerOf: () => null,
  isAlike: () => false,
  next: lapsingStep,
  judge: () => 'open',
} as const satisfies Partial<Protocol<z.infer<z.ZodObject<typeof stepRequest>>, Record<string, never>, 'never'>>;

/** Codes that say that the same is possible later (document 3, Errors, Legacy PIN). */
const LATER = { SDK_TOKEN_MALFORMED: 'not_now', PASSKEY_RECOVERY_COOLDOWN: 'not_now' } as const satisfies Record<string, AnswerClass>;

/** The class of an answer whose body the documents don't show: any success is one, and a code refuses. */
export function classifyStep(observed: Observed<unknown>, family: RouteFamily): AnswerClass {
  const { status, codes } = observed;
  const forAll = classifyForAll(observed, family);
  if (forAll !== null || status === null) return forAll ?? 'open';
  if (status >= 200 && status < 300) return codes.length === 0 ? 'done' : 'open';
  if (status === 401 || status === 429) return 'not_now';
  if (status < 400 || status >= 500 || codes.length === 0) return 'open';
  return classifyByCode(codes, family, LATER) === 'not_now' ? 'not_now' : 'refused';
}

/** Whether an approval was sent that may have moved the coins of a start: none is sent after it (document 3, Device grant). */
export function mayHaveMoved(steps: { kind: ActionKind; state: ActionState }[]): boolean {
  return steps.some(({ kind, state }) => (kind === 'send_approve' || kind === 'transfer_approve') && state !== 'refused');
}

/** Whether the owner of a held phone was sent no text, and nobody requested one since (document 3, Phone-share approval). */
export function mayTextOwner(
  result: ActionResult | null,
  { heldAt }: { heldAt: string },
  steps: { kind: ActionKind; state: ActionState; requestedAt: string }[],
): boolean {
  const wasTexted = result?.['code_sent'] !== false || typeof result['cooldown_seconds'] === 'number' || result['rate_limited'] === true;
  return !wasTexted && !steps.some(({ kind, state, requestedAt }) => kind === 'owner_text' && state !== 'refused' && requestedAt > heldAt);
}
