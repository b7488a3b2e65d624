import { recordAudit } from '#db/audit/writes.ts';
import type { GameContext } from '../games/game-context.ts';
import { clientOf } from '../games/open-game.ts';
import type { ChangeAnswer, SubscriptionChanges } from '../invo/routes/subscription-changes.ts';
import { isCertainRefusal } from '../invo/rules/error-codes.ts';
import { formatChangeRefusal, formatUnknownChange } from '../invo/text.ts';
import type { Actor } from '../people/rules/person.ts';

/**
 * What became of a change that was sent. `not_sent`: no byte left us. `unknown`: it may have been made; the subscription is read before
 * anything more is asked. `isRecorded` false: it is known here, and the audit could not be told.
 */
export type SentChange<T> =
  | { kind: 'done'; answer: T; isRecorded: boolean }
  | { kind: 'refused'; errorCode: string | null; sentence: string; errorId: string | null; isRecorded: boolean }
  | { kind: 'not_sent'; isRecorded: boolean }
  | { kind: 'unknown'; sentence: string; errorId: string | null; isRecorded: boolean };

/** One change: its words for the audit, its content, how it is sent, and what of the answer is kept on record. */
export interface ChangeToSend<T> {
  act: 'cancel a subscription' | 'change a price' | 'change a card';
  subscriptionId: string;
  content: Record<string, unknown>;
  send(changes: SubscriptionChanges, signal: AbortSignal): Promise<ChangeAnswer<T>>;
  kept(answer: T): Record<string, unknown>;
}

// How long somebody waits for a change; after that its outcome is unknown, which a reading settles.
const CHANGE_LIMIT_MS = 20_000;

/**
 * Sends a change once, with a line of audit before the first byte and one after. A line without its second one is a change of unknown
 * outcome. Nothing is sent when the first line cannot be written.
 *
 * No key guards a second sending, unlike a refund: Invo's three changes state how the subscription shall be, so the same form sent twice
 * leaves it as once does, and a form whose facts have changed by then is refused before it gets here.
 */
export async function sendChange<T>(
  desk: GameContext,
  actor: Actor,
  { act, subscriptionId, content, send, kept }: ChangeToSend<T>,
  limit_ms: number = CHANGE_LIMIT_MS,
): Promise<SentChange<T>> {
  const { game, config } = desk;
  const line = { actor: actor.email, gameId: game.gameId, subject: `subscription ${subscriptionId}` };
  await recordAudit(game.db, { ...line, act: `asked to ${act}`, detail: content });
  const answer = await send(clientOf(game, config, { asks: 'person' }), AbortSignal.timeout(limit_ms));
  const outcome = outcomeOf(answer);
  const detail = { outcome: outcome.kind, ...(answer.kind === 'done' ? kept(answer.value) : traceOf(answer)) };
  const isRecorded = await recordAudit(game.db, { ...line, act: `was told what became of: ${act}`, detail }).then(
    () => true,
    // The change is made or not whatever the audit says; the person must still be told.
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
    ? { status, error_code, error_id, phase: answer.phase, trouble: answer.transportError }
    : { status, error_code, error_id };
}
