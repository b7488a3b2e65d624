import { recordAudit } from '#lib/audit/writes.ts';
import type { Actor } from '../core/roles.ts';
import { may } from '../core/roles.ts';
import { connectInvo, type Deadline, type GameContext } from '../games/game-context.ts';
import type { Invo } from '../invo/invo.ts';
import type { ChangeAnswer } from '../invo/routes/subscription-changes.ts';
import { isCertainRefusal } from '../invo/rules/error-codes.ts';
import { formatChangeRefusal, formatUnknownChange } from '../invo/text.ts';
import { type ChangeFacts, digestFacts, type NoFacts } from './read-change-facts.ts';
import type { SubscriptionFacts } from './rules/subscription.ts';

/** What every change form carries: the subscription, and the digest of the facts it showed. */
export interface ChangeForm {
  subscriptionId: string;
  baseline: string;
}

/** Why a change didn't start; nothing was sent. `changed`: the subscription differs from what the form showed. */
export type ChangeNotStarted = NoFacts | { kind: 'not_allowed' } | { kind: 'changed'; subscription: SubscriptionFacts };

/** How long the read before a change may take, and the change itself. */
export interface ChangeDeadlines {
  read_ms?: number;
  send_ms?: number;
}

/**
 * Checks the role, reads the subscription again and continues only if it is still what the form showed, so that a person never confirms
 * one effect and gets another.
 */
export async function startChange<Facts extends ChangeFacts>(
  context: GameContext,
  actor: Actor,
  { subscriptionId, baseline }: ChangeForm,
  read: (context: GameContext, subscriptionId: string, deadline: Deadline) => Promise<Facts | NoFacts>,
  { read_ms }: ChangeDeadlines,
): Promise<Facts | ChangeNotStarted> {
  if (!may(actor.roles, 'subscriptions.change')) return { kind: 'not_allowed' };
  const facts = await read(context, subscriptionId, { limit_ms: read_ms });
  if (facts.kind !== 'read') return facts;
  const { subscription } = facts;
  return digestFacts(subscription, context.game.now()) === baseline ? facts : { kind: 'changed', subscription };
}

/**
 * The outcome of a change. `not_sent`: no byte left Sharebook. `unknown`: it may have been made, and only a new reading shows whether.
 * `isRecorded` is false when the outcome couldn't be written to the audit log.
 */
export type SentChange<T> =
  | { kind: 'done'; answer: T; isRecorded: boolean }
  | { kind: 'refused'; errorCode: string | null; sentence: string; errorId: string | null; isRecorded: boolean }
  | { kind: 'not_sent'; isRecorded: boolean }
  | { kind: 'unknown'; sentence: string; errorId: string | null; isRecorded: boolean };

/** One change: its name in the audit log, its content, how it is sent, and what of the answer the audit log stores. */
export interface ChangeToSend<T> {
  act: 'cancellation' | 'price change' | 'card change';
  subscriptionId: string;
  content: Record<string, unknown>;
  send(invo: Invo, signal: AbortSignal): Promise<ChangeAnswer<T>>;
  paid(answer: T): Record<string, unknown>;
}

// How long a person waits for a change. After that its outcome is unknown until the subscription is read again.
const CHANGE_LIMIT_MS = 20_000;

/**
 * Sends a change once, with an audit entry before the first byte and one after. A first entry without a second is a change of unknown
 * outcome. Nothing is sent when the first entry can't be written.
 *
 * Unlike a refund, a change has no idempotency key: each of the three states how the subscription should be, so sending the same form
 * twice has the effect of once, and `startChange` refuses a form whose facts have changed since.
 */
export async function sendChange<T>(
  context: GameContext,
  actor: Actor,
  { act, subscriptionId, content, send, paid }: ChangeToSend<T>,
  limit_ms: number = CHANGE_LIMIT_MS,
): Promise<SentChange<T>> {
  const { game, config } = context;
  const line = { actor: actor.email, gameId: game.gameId, subject: `subscription ${subscriptionId}` };
  await recordAudit(game.db, { ...line, act: `requested a ${act}`, detail: content });
  const answer = await send(connectInvo(game, config, { caller: 'person' }), AbortSignal.timeout(limit_ms));
  const outcome = outcomeOf(answer);
  const detail = { outcome: outcome.kind, ...(answer.kind === 'done' ? paid(answer.value) : traceOf(answer)) };
  const isRecorded = await recordAudit(game.db, { ...line, act: `recorded the outcome of a ${act}`, detail }).then(
    () => true,
    // The change was made or not, whatever the audit log holds: the person still gets the outcome.
    () => false,
  );
  return { ...outcome, isRecorded };
}

type Outcome<T> = SentChange<T> extends infer Each ? (Each extends unknown ? Omit<Each, 'isRecorded'> : never) : never;

function outcomeOf<T>(answer: ChangeAnswer<T>): Outcome<T> {
  if (answer.kind === 'done') return { kind: 'done', answer: answer.value };
  const { errorCode, errorId } = answer;
  if (answer.kind === 'unknown') {
    if (answer.phase === 'not_sent') return { kind: 'not_sent' };
    return { kind: 'unknown', sentence: formatUnknownChange(answer), errorId };
  }
  if (isCertainRefusal(answer)) return { kind: 'refused', errorCode, sentence: formatChangeRefusal(answer), errorId };
  return { kind: 'unknown', sentence: formatChangeRefusal(answer), errorId };
}

function traceOf<T>(answer: Exclude<ChangeAnswer<T>, { kind: 'done' }>): Record<string, unknown> {
  const { status, errorCode: error_code, errorId: error_id } = answer;
  return answer.kind === 'unknown'
    ? { status, error_code, error_id, phase: answer.phase, transport_error: answer.transportError }
    : { status, error_code, error_id };
}
