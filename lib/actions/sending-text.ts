import type { ActionState } from './rules/action-state.ts';
import type { ActionKind } from './rules/kinds.ts';
import { protocolOf } from './rules/protocols.ts';
import { GROUP_TEXT } from './text.ts';

/** What prevents Sharebook from sending an action by itself. */
export interface Held {
  isPaused: boolean;
  /** The group of its kind is turned off. */
  isOff: boolean;
}

/** When Sharebook sends an action by itself, whatever its kind; null: a person sends it, or nobody does. `at`: the time of its next step, as text. */
export function formatSending(kind: ActionKind, state: ActionState, at: string, { isPaused, isOff }: Held): string | null {
  const { repeats, group } = protocolOf(kind);
  if (repeats !== 'worker' || !['approved', 'waiting', 'unknown'].includes(state)) return null;
  const sends = state === 'approved' ? 'Sharebook sends it' : 'Sharebook sends it again';
  if (isPaused) return `${sends} once desk actions resume.`;
  if (isOff && group !== 'of_start' && group !== 'sandbox') return `${sends} once ${GROUP_TEXT[group].label.toLowerCase()} are turned on.`;
  return state === 'approved' ? `${sends} now.` : `${sends} at ${at}.`;
}
