import type { ComparedRow } from '#app/[game]/_subscriptions/invo-fields.tsx';
import type { RequestedChange } from '#lib/subscriptions/rules/change-verdict.ts';

/** Where a refusal stands: beside a field, or beside the button. */
export type ChangeField = 'button' | 'reason' | 'amount' | 'never' | 'card' | 'conversion';

/** What the form of a change is answered. `isRecorded` false: the audit could not be told. */
export type ChangeState =
  | { kind: 'idle' }
  | { kind: 'refused'; at: ChangeField; sentence: string; errorId: string | null }
  /** The subscription is not what the form showed any more; the page brings the new facts with this answer. */
  | { kind: 'changed' }
  /** Nothing was sent. */
  | { kind: 'no_answer'; sentence: string; errorId: string | null }
  /** Sharebook's own answer was lost: the change may have been sent and made. */
  | { kind: 'lost' }
  | { kind: 'unknown'; sentence: string; errorId: string | null; asked: RequestedChange; isRecorded: boolean }
  | { kind: 'done'; title: string; sentences: string[]; rows: ComparedRow[]; isRecorded: boolean };

/** Before anything was sent. */
export const IDLE: ChangeState = { kind: 'idle' };
export const LOST: ChangeState = { kind: 'lost' };

/** What is wrong with one field of a change; null: nothing. */
export function errorAt(at: ChangeField, state: ChangeState): string | null {
  return state.kind === 'refused' && state.at === at ? state.sentence : null;
}

/** What stands in place of a form. */
export type ClosedView =
  | { kind: 'closed'; title: string; sentence: string }
  | { kind: 'no_facts'; sentence: string; errorId: string | null };

/** The part of a subscription that every form restates: plain data for the browser. */
export interface SubscriptionLabels {
  subscriptionId: string;
  item: string;
  player: string;
  price: string;
}

/** The hidden part of every form. */
export interface FormTarget {
  game: string;
  subscriptionId: string;
  baseline: string;
}
