import type { FormResult } from '#app/_ui/forms/form.tsx';
import { REQUEST_REFUSALS } from '#lib/actions/control-text.ts';
import type { RequestResult } from '#lib/actions/request-action.ts';
import type { ActionState } from '#lib/actions/rules/action-state.ts';
import type { ActionKind } from '#lib/actions/rules/kinds.ts';
import type { Passing } from '#lib/actions/rules/protocol.ts';
import { groupOf } from '#lib/actions/rules/protocols.ts';
import type { SendResult } from '#lib/actions/send-approved.ts';
import { BLOCKER_TEXT, GROUP_TEXT, SEND_REFUSALS } from '#lib/actions/text.ts';

/** What an answer of Invo passes to the person who requested it, once. */
type Passed = { kind: 'passed'; actionId: number; passed: Passing };

/** Where a refusal is shown: beside a field, or above the form. */
type FormField = 'amount' | 'set_up' | 'description' | 'ticket';

/** The result of the form of a desk action. What is stored and passes nothing leads to its page and has no result here. */
export type ActionFormState = FormResult<
  FormField,
  | Passed
  | { kind: 'another_open' | 'alike' | 'made_before'; actionId: number }
  /** What Invo reports now differs from what the form shows, so it is read again. */
  | { kind: 'refused'; sentence: string; at?: undefined; isStale: true }
  /** The same form requests nothing, however often this person sends it. */
  | { kind: 'refused'; sentence: string; at?: undefined; isFinal: true }
  /** The same can be requested once people resume desk actions, or turn its group on. */
  | { kind: 'refused'; sentence: string; at?: undefined; next: 'resume' | 'turn_on' }
>;

/** The result of a press on the page of an action. */
export type PressState = FormResult<never, Passed>;

type Refused = Extract<RequestResult, { ok: false }>;

/** Where the form shows why nothing was requested, and in which words. */
export function formatRequestRefusal(refused: Refused, kind: ActionKind): ActionFormState {
  switch (refused.reason) {
    case 'another_open':
    case 'alike':
    case 'made_before':
      return { kind: refused.reason, actionId: refused.actionId };
    case 'no_answer':
      return { kind: 'failed', sentence: refused.error.sentence, errorId: refused.error.errorId };
    case 'blocked':
      return { kind: 'refused', sentence: BLOCKER_TEXT[refused.blocker], isStale: true };
    case 'reason_too_long':
      return { kind: 'refused', at: 'description', sentence: REQUEST_REFUSALS.reason_too_long };
    case 'private_text':
      return { kind: 'refused', at: 'description', sentence: REQUEST_REFUSALS.private_text };
    case 'ticket_missing':
    case 'ticket_too_long':
    case 'private_ticket':
      return { kind: 'refused', at: 'ticket', sentence: REQUEST_REFUSALS[refused.reason] };
    case 'not_a_request':
      return ENTRIES[kind] ?? { kind: 'refused', sentence: REQUEST_REFUSALS.not_a_request };
    case 'not_allowed':
    case 'unconfirmed':
    case 'too_new':
      return { kind: 'refused', sentence: REQUEST_REFUSALS[refused.reason], isFinal: true };
    case 'paused':
      return { kind: 'refused', sentence: REQUEST_REFUSALS.paused, next: 'resume' };
    case 'switched_off': {
      const group = groupOf(kind, {});
      if (group === 'sandbox') return { kind: 'refused', sentence: REQUEST_REFUSALS.switched_off };
      return { kind: 'refused', sentence: `${GROUP_TEXT[group].label} are turned off for this game. Nothing was saved.`, next: 'turn_on' };
    }
    case 'changed':
      return { kind: 'refused', sentence: REQUEST_REFUSALS.changed, isStale: true };
  }
}

/** What an entry of a kind must be. */
const ENTRIES: Readonly<Partial<Record<ActionKind, ActionFormState>>> = {
  payment_link: { kind: 'refused', at: 'amount', sentence: 'Enter an amount above zero and at most $999.99, in whole cents.' },
  card_confirm: {
    kind: 'refused',
    at: 'set_up',
    sentence: 'Enter the ID of the card set-up as your game or the player has it. A card number is never one.',
  },
  item_sale: {
    kind: 'refused',
    sentence: 'Check the item. Its ID has letters, digits and . _ : - only; its name has no email and no long number.',
  },
  purchase: {
    kind: 'refused',
    sentence: 'Enter an amount above zero and at most $999.99, and the token of a test card. A card number is never one.',
  },
  client_event: {
    kind: 'refused',
    sentence: 'Check the event. A value is a number with at most three decimals, or a word without spaces.',
  },
  claim: {
    kind: 'refused',
    sentence:
      'Enter the claim code: letters, digits and . _ : - only, without a long number. Where the form asks for the player’s phone, enter it twice.',
  },
  card_setup: { kind: 'refused', sentence: 'Enter the token of a test card, or leave it empty. A card number is never one.' },
  milestone: {
    kind: 'refused',
    sentence: 'Check the milestone. A value is a number with at most three decimals, or a word without spaces.',
  },
};

function formatWait(wait_ms: number): string {
  const seconds = Math.ceil(wait_ms / 1_000);
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

/** What came of a press whose answer passes nothing. */
export const SENT_TEXT: Readonly<Partial<Record<ActionState, string>>> = {
  approved: 'Invo didn’t take it yet. Nothing was executed.',
  with_player: 'Sent. Invo waits for the approval.',
  done: 'Sent. Invo did this.',
  refused: 'Sent. Invo refused it.',
  not_done: 'Sent. Invo didn’t do this.',
  checking: 'Sent. The outcome isn’t known yet.',
  unknown: 'Sent. The outcome isn’t known yet.',
  attention: 'Sent. The outcome isn’t known, and someone must find out.',
};

/** Why an action wasn’t sent, in words. */
export function formatSendRefusal(refused: Extract<SendResult, { ok: false }>): Exclude<PressState, Passed> {
  switch (refused.reason) {
    case 'wait':
      return {
        kind: 'refused',
        sentence: `Invo doesn’t take this yet. Nothing was sent. Try again in ${formatWait(refused.wait_ms)}.`,
      };
    case 'no_answer':
      return {
        kind: 'failed',
        sentence: 'Invo couldn’t be read, so nothing was sent. Try again in a minute.',
        errorId: refused.errorId,
      };
    case 'not_allowed':
    case 'paused':
    case 'switched_off':
    case 'busy':
    case 'moved_on':
    case 'changed':
    case 'lapsed':
    case 'altered':
    case 'other_entry':
    case 'not_agreed':
    case 'not_approved':
      return { kind: 'refused', sentence: SEND_REFUSALS[refused.reason] };
  }
}
