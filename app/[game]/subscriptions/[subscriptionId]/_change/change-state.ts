import type { FormResult } from '#app/_ui/forms/form.tsx';
import type { ComparedRow } from '#app/[game]/_subscriptions/invo-fields.tsx';
import type { ReadFacts, RequestedChange } from '#lib/subscriptions/rules/changes.ts';

/** Where a refusal is shown: beside a field, or above the form. */
export type ChangeField = 'button' | 'reason' | 'amount' | 'never' | 'card' | 'conversion';

/** The state of a change form. `isRecorded` is false when the outcome couldn't be written to the audit log. */
export type ChangeState = FormResult<
  ChangeField,
  /** The subscription differs from what the form showed; the page now shows the new facts. */
  | { kind: 'changed' }
  | { kind: 'unknown'; sentence: string; errorId: string | null; requested: RequestedChange; isRecorded: boolean }
  | { kind: 'receipt'; title: string; sentences: string[]; rows: ComparedRow[]; isRecorded: boolean }
>;

/** The error of one field; null when there is none. */
export function errorAt(field: ChangeField, state: ChangeState): string | null {
  return state.kind === 'refused' && state.at === field ? state.sentence : null;
}

/** What is shown instead of a form. */
export type ClosedView =
  | { kind: 'closed'; title: string; sentence: string }
  | { kind: 'no_facts'; sentence: string; errorId: string | null };

/** What every form restates about a subscription: plain data for the browser. */
export interface SubscriptionLabels {
  subscriptionId: string;
  item: string;
  player: string;
  price: string;
}

/** The hidden fields of every form. */
export interface FormTarget {
  game: string;
  subscriptionId: string;
  baseline: string;
}

/** A change form and whether its confirmation is open. */
export interface Change {
  state: ChangeState;
  submit: (form: FormData) => void;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

/** What the form of a change gets; `open` is what it shows, null when there is none to show. */
export interface ChangeFormProps<Open> {
  back: string;
  facts: ReadFacts | null;
  closed: ClosedView | null;
  open: Open | null;
}
