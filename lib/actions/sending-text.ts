import type { ActionState } from './rules/action-state.ts';
import type { ActionKind } from './rules/kinds.ts';
import { protocolOf } from './rules/protocols.ts';
import { sendsUntil } from './rules/settling-times.ts';
import { GROUP_TEXT } from './text.ts';

/** What prevents Sharebook from sending an action by itself. */
export interface SendingBlocker {
  isPaused: boolean;
  /** The group of its kind is turned off. */
  isOff: boolean;
}

/** When an action was approved and first sent; null: it wasn't. */
interface SendingStart {
  approvedAt: string | null;
  firstSentAt: string | null;
}

/** When Sharebook stops sending an action by itself. A pause doesn't delay it. */
export function endOfSending({ approvedAt, firstSentAt }: SendingStart): string {
  const parse = (instant: string | null): number | null => (instant === null ? null : Date.parse(instant));
  return new Date(sendsUntil({ approvedAt: parse(approvedAt), firstSentAt: parse(firstSentAt) })).toISOString();
}

/**
 * When Sharebook sends an action by itself, whatever its kind; null: a person sends it, or nobody does. `times`: of its next step, and of the end of its sending,
 * as text.
 */
export function formatSending(
  kind: ActionKind,
  state: ActionState,
  times: { next: string; end: string },
  { isPaused, isOff }: SendingBlocker,
): string | null {
  const { repeats, group } = protocolOf(kind);
  if (repeats !== 'worker' || !['approved', 'waiting', 'unknown'].includes(state)) return null;
  const sends = state === 'approved' ? 'Sharebook sends it' : 'Sharebook sends it again';
  if (isPaused) return `${sends} once desk actions resume, until ${times.end}.`;
  if (isOff && group !== 'of_start' && group !== 'sandbox')
    return `${sends} once ${GROUP_TEXT[group].label.toLowerCase()} are turned on, until ${times.end}.`;
  return state === 'approved' ? `${sends} now.` : `${sends} at ${times.next}.`;
}
