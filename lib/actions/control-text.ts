import { ACCOUNT_TEXT, APPROVER_TEXT } from '../approvals/text.ts';
import { CHANGED, PRIVATE_TEXT, PRIVATE_TICKET_TEXT, SEND_REFUSALS } from './text.ts';

/** Why nothing was requested. */
export const REQUEST_REFUSALS = {
  not_allowed: 'Your role can’t request this. Nothing was saved.',
  ...ACCOUNT_TEXT,
  paused: 'Desk actions of this game are paused. Nothing was saved.',
  switched_off: 'These actions are turned off for this game. Nothing was saved. An admin turns them on in Settings.',
  reason_too_long: 'Use 500 characters or fewer for the description.',
  ticket_missing: 'Enter the reference of the ticket.',
  ticket_too_long: 'Use 100 characters or fewer for the ticket.',
  private_text: PRIVATE_TEXT,
  private_ticket: PRIVATE_TICKET_TEXT,
  changed: CHANGED,
  not_a_request: 'Check the entries marked above. Nothing was saved.',
} as const;

/** Why a switch isn’t set. */
export const SWITCH_REFUSALS = {
  not_allowed: 'Only an admin can do this. Nothing was changed.',
  no_change: 'This was changed in the meantime. Reload the page.',
  ...ACCOUNT_TEXT,
} as const;

/** The result of setting a switch. */
export const SWITCH_RESULTS = {
  on: 'Turned on. People can request these actions now.',
  off: 'Turned off. No new ones are sent to Invo.',
  waits: 'Requested. It applies once a second person confirms it.',
} as const;

/** Why the word for sends doesn’t change. */
export const SEND_FLOW_REFUSALS = {
  not_allowed: SWITCH_REFUSALS.not_allowed,
  not_a_word: 'Enter the word as Invo’s support gives it: 1 to 40 lower-case letters or underscores.',
  no_change: 'It is this word already.',
} as const;

/** Why the names of milestones don’t change. */
export const MILESTONE_REFUSALS = {
  not_allowed: SWITCH_REFUSALS.not_allowed,
  not_a_name: 'Enter the name as it is registered with Invo: 1 to 100 letters, digits or signs without accents.',
  not_a_label: 'Enter what people call it, in 1 to 100 characters.',
  no_change: 'This name was added or removed already. Reload the page.',
} as const;

/** Why a house account isn’t added, confirmed or removed. */
export const HOUSE_REFUSALS = {
  not_allowed: SWITCH_REFUSALS.not_allowed,
  not_a_label: MILESTONE_REFUSALS.not_a_label,
  not_a_phone: 'Enter the number with its country code: a plus, then 10 to 15 digits.',
  phones_differ: 'This isn’t the same number as above.',
  unknown_player: 'Sharebook knows no such player with an email. Search for the account’s email first.',
  there_already: 'This player is a house account already, or waits for a second person.',
  moved_on: 'This was changed in the meantime. Reload the page.',
  same_person: 'You requested this, so another person must confirm it.',
  ...APPROVER_TEXT,
} as const;

/** Why nothing was decided about an action. */
export const DECISION_REFUSALS = {
  not_allowed: 'Your role can’t do this. Nothing was changed.',
  own_request: 'You requested this, so another person must approve it.',
  same_person: 'You recorded this outcome, so another person must confirm it.',
  ...APPROVER_TEXT,
  moved_on: 'This action was sent, changed or ended in the meantime. Reload the page.',
  changed: 'This isn’t what the page showed. Nothing was approved. Reload the page.',
  facts_changed: 'What this depends on changed at Invo, so it was not approved, and the action ended. A new one can be requested.',
  why_missing: 'Enter a reason.',
  why_too_long: 'Use 500 characters or fewer.',
  why_private: `${PRIVATE_TEXT.slice(0, -1)}: the audit stores the reason for good. Nothing was changed.`,
  text_missing: 'Enter the evidence for the outcome.',
  text_too_long: 'Use 1,000 characters or fewer.',
  text_private: `${PRIVATE_TEXT.slice(0, -1)}: the audit stores the evidence for good. Nothing was recorded.`,
  already_proposed: 'An outcome is recorded already. Reload the page.',
  too_soon: 'A call can still arrive. “Not done” can be recorded 30 minutes after the last one.',
  reading_missing:
    'An outcome rests on a reading after the last call, and “not done” on one at least 30 minutes after it. Read it again first.',
} as const;

/** Why nothing was requested of the phone. */
export const ASK_REFUSALS = {
  not_allowed: 'Your role can’t do this. Nothing was sent.',
  moved_on: 'This no longer waits for a phone. Reload the page.',
  no_ticket: 'Asking a phone needs a ticket. Nothing was sent. Start again with the reference of the ticket.',
  no_identity: 'Invo reports no identity of the player, so Sharebook can’t ask the phone.',
  guardian_pending: 'A guardian must agree first. Nothing was sent to the phone.',
  guardian_declined: 'The guardian didn’t agree. This has ended.',
  approved_before: 'The phone approved already. Move the coins, or wait until the approval is over.',
  token_refused: 'Invo didn’t accept a token of the player, twice. Nothing was sent to the phone.',
  unclear: 'Invo’s answer wasn’t clear. Ask the phone again: that replaces a code that may have been issued.',
} as const;

/** Why a new phone wasn’t answered, or its owner not texted. */
export const STEP_REFUSALS = {
  own_phone: 'A player’s own new phone is only denied here: approving it would set up a caller’s phone for good.',
  not_needed: 'Invo texted the owner already, or texts nobody for now. Nothing was sent.',
  another_open: 'An answer was sent or requested already. Look at it first.',
} as const;

/** Why the coins weren’t moved. */
export const MOVE_REFUSALS = {
  not_approved: SEND_REFUSALS.not_approved,
  another_open: 'An approval of this was sent already. Look at it first: none is sent after it.',
} as const;
