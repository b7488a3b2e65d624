import { formatMoney, formatUsd } from '../core/money.ts';
import type { Tone } from '../core/strings.ts';
import type { ActionBlocker, FactsChange } from './rules/action-facts.ts';
import type { AttentionReason, GrantState, Outcome, ReasonCode } from './rules/action-state.ts';
import type { ActionKind, ActionUnit, MilestoneEvent, SwitchedGroup } from './rules/kinds.ts';
import type { AnswerClass } from './rules/protocol.ts';
import type { PhoneAnswer } from './rules/seen-grants.ts';

/** What each group of desk actions is called, and what turning it on allows. */
export const GROUP_TEXT: Readonly<Record<SwitchedGroup, { label: string; sentence: string }>> = {
  payments: { label: 'Payments', sentence: 'Confirm a payment or a card after the bank’s check, and make payment links.' },
  milestones: {
    label: 'Milestones',
    sentence: 'Report a milestone that was lost in an outage. Rewards of real value can unlock. In production always with a second person.',
  },
  items: { label: 'Item sales', sentence: 'Sell an item for a player’s coins. Your game delivers it.' },
  sends: { label: 'Sends', sentence: 'Send coins of a house account to a player.' },
  rewards: {
    label: 'Rewards',
    sentence: 'Redeem a reward for a player who can’t open the game’s page. In production always with a second person.',
  },
  transfers: {
    label: 'Transfers',
    sentence: 'Move a player’s own coins to another game, and collect transfers. The player’s own phone approves.',
  },
};

/** What each type of event is called. */
export const MILESTONE_EVENT_TEXT: Readonly<Record<MilestoneEvent, string>> = {
  'game.milestone.reached': 'Milestone',
  'game.custom.recorded': 'Custom event',
};

/** What each kind of action is called, and what is pressed. */
export const KIND_TEXT: Readonly<Record<ActionKind, { label: string; press: string; pressAgain: string; pending: string }>> = {
  payment_confirm: {
    label: 'Payment confirmation',
    press: 'Confirm payment',
    pressAgain: 'Confirm again',
    pending: 'Confirming at Invo…',
  },
  card_confirm: { label: 'Card confirmation', press: 'Confirm card', pressAgain: 'Confirm again', pending: 'Confirming at Invo…' },
  payment_link: { label: 'Payment link', press: 'Make the link', pressAgain: 'Make the link', pending: 'Requesting the link from Invo…' },
  milestone: { label: 'Milestone', press: 'Report milestone', pressAgain: 'Report milestone', pending: 'Saving…' },
  item_sale: { label: 'Item sale', press: 'Sell item', pressAgain: 'Sell item', pending: 'Saving…' },
  send_start: { label: 'Send', press: 'Reserve the coins', pressAgain: 'Reserve again', pending: 'Reserving at Invo…' },
  send_approve: { label: 'Approval of a send', press: 'Move the coins', pressAgain: 'Move the coins', pending: 'Moving the coins…' },
  transfer_start: {
    label: 'Transfer',
    press: 'Reserve the coins',
    pressAgain: 'Reserve again',
    pending: 'Reserving at Invo…',
  },
  transfer_approve: {
    label: 'Approval of a transfer',
    press: 'Move the coins',
    pressAgain: 'Move the coins',
    pending: 'Moving the coins…',
  },
  owner_text: { label: 'Text to the owner', press: 'Text the owner', pressAgain: 'Text the owner', pending: 'Requesting the text…' },
  phone_enrolment: { label: 'Answer to a new phone', press: 'Send the answer', pressAgain: 'Send the answer', pending: 'Answering…' },
  redeem: { label: 'Redemption', press: 'Redeem and show the code', pressAgain: 'Redeem', pending: 'Redeeming at Invo…' },
  purchase: { label: 'Test purchase', press: 'Buy coins', pressAgain: 'Send again with the same reference', pending: 'Buying at Invo…' },
  receipt: { label: 'Collection by phone', press: 'Collect', pressAgain: 'Collect', pending: 'Collecting at Invo…' },
  claim: {
    label: 'Collection by code',
    press: 'Collect with the code',
    pressAgain: 'Collect with the code',
    pending: 'Collecting at Invo…',
  },
  client_event: { label: 'Client event', press: 'Report event', pressAgain: 'Send the same event again', pending: 'Reporting to Invo…' },
  rewards_page: { label: 'Rewards page', press: 'Get the link', pressAgain: 'Get the link', pending: 'Requesting the link from Invo…' },
  card_setup: { label: 'Test card', press: 'Save card', pressAgain: 'Send again with the same reference', pending: 'Saving at Invo…' },
};

/** How many actions wait for people, and how many of them only for the colleagues who requested them. */
export function formatWaiting({ waitingCount, othersCount }: { waitingCount: number; othersCount: number }): string {
  const all = waitingCount === 1 ? '1 action waits for a person.' : `${waitingCount} actions wait for a person.`;
  if (othersCount === 0) return all;
  return `${all} ${othersCount === 1 ? '1 waits for the colleague who requested it.' : `${othersCount} wait for the colleagues who requested them.`}`;
}

/** An amount of an action in its unit; `coins`: what the player's coins are called, where it is reported. */
export function formatActionAmount(unit: ActionUnit, amount: string, coins: string | null = null): string {
  return unit === 'usd' ? formatUsd(amount) : `${formatMoney(amount)} ${coins ?? 'coins'}`;
}

/** Why an action is requested. Stays in Sharebook. */
export const REASON_TEXT: Readonly<Record<ReasonCode, string>> = {
  technical_fault: 'Technical fault',
  requested_by_player: 'Requested by the player',
  goodwill: 'Goodwill',
  prize: 'Prize',
  event_outage: 'Outage during an event',
  test: 'Test',
  other: 'Other',
};

/** Why people must look at an action. */
export const ATTENTION_TEXT: Readonly<Record<AttentionReason, string>> = {
  answer_contradicts: 'Invo’s answer is about something else than the request. Compare them, and ask Invo before you record an outcome.',
  content_altered: 'The stored action is no longer what was approved, so it wasn’t sent. Ask your administrator to look at the database.',
  cannot_be_read: 'Invo couldn’t be read within a day of the call. Read it again, then record what happened.',
  not_settled: 'No answer or reading showed the outcome. Ask Invo, then record what happened.',
  reading_contradicts: 'A later reading contradicts the recorded outcome or Invo’s answer. Ask Invo before you record an outcome.',
  restored: 'The database was restored from a backup, so this may have been sent since. Check at Invo, then record what happened.',
};

/** What the phone has answered. */
export const GRANT_TEXT: Readonly<Record<GrantState, string>> = {
  started: 'Asking Invo for a code…',
  waiting: 'Waiting for the phone. Nothing has moved yet.',
  enrolling: 'A new phone wants to be set up for this account. Nothing has moved yet.',
  approved: 'Approved on the phone. Nothing has moved yet.',
  declined: 'The phone declined, and nothing has moved.',
  expired: 'The code expired. Ask the phone again.',
  lost: 'The code can’t be used any more. Ask the phone again.',
  replaced: 'The code was used or replaced by a newer one.',
};

/** How far the answer to a new phone is, and what comes next. */
export function formatPhoneAnswer({ state, answers: { decision } }: Pick<PhoneAnswer, 'state' | 'answers'>): string {
  if (state === 'awaiting_approval') return 'A second person must approve the new phone while its code is valid. Nothing has moved yet.';
  if (state === 'approved') return 'The second person approved the new phone. Open that action and send the answer. Nothing has moved yet.';
  if (state === 'sending') return 'Sending the answer to the new phone…';
  if (state !== 'done') return 'Invo may have taken the answer to the new phone: the phone shows it. Nothing has moved yet.';
  return decision === 'approve'
    ? 'The new phone was approved. The colleague who holds it now approves on it. Nothing has moved yet.'
    : 'The new phone was denied. Nothing has moved. Ask the phone that is set up again.';
}

/** What an attempt came to. */
export const ANSWER_TEXT: Readonly<Record<AnswerClass, { word: string; tone: Tone }>> = {
  done: { word: 'Done', tone: 'good' },
  replayed: { word: 'Was done before', tone: 'good' },
  started: { word: 'Started', tone: 'good' },
  refused: { word: 'Refused', tone: 'bad' },
  not_now: { word: 'Nothing executed', tone: 'quiet' },
  open: { word: 'No clear answer', tone: 'wait' },
  no_answer: { word: 'No answer', tone: 'wait' },
  contradiction: { word: 'Answer about something else', tone: 'bad' },
};

const TIME_AHEAD = 'This is still to come. Enter when it happened.';
const TIME_TOO_OLD = 'This is more than 30 days ago. Enter a later time.';
/** Why a milestone can’t have happened at a time; alone, because the form that a browser loads needs no other sentence of these. */
export const TIME_TEXT = { time_ahead: TIME_AHEAD, time_too_old: TIME_TOO_OLD } as const satisfies Partial<Record<ActionBlocker, string>>;

/** Why an action can’t be requested for a player or an order now. */
export const BLOCKER_TEXT: Readonly<Record<ActionBlocker, string>> = {
  unknown_player: 'Sharebook doesn’t know this player. Search for their email first.',
  no_email: 'Sharebook has no email of this player, and Invo takes this request by email only. Search for their email first.',
  other_player: 'The stored email now belongs to another player. Nothing can be requested with it. Search for the player’s current email.',
  no_player: 'Invo has no player with this email in this game.',
  order_not_found: 'Invo doesn’t know this order in this game.',
  order_without_player: 'Invo doesn’t say whose order this is, so it can’t be confirmed here.',
  order_of_other_player: 'This order belongs to another player.',
  order_state: 'Only an order that waits for its payment can be confirmed. This one doesn’t wait any more.',
  no_payment_intent: 'Invo reports no payment of this order, so there is nothing to confirm.',
  not_one_currency: 'Invo’s request names no currency, so this is possible only for a player with exactly one currency.',
  not_covered: 'The available coins of the account they are taken from don’t cover this.',
  time_ahead: TIME_AHEAD,
  time_too_old: TIME_TOO_OLD,
  no_house_account: 'Choose a house account that is in use. An admin adds one in Settings.',
  house_receives: 'This house account can’t send coins to itself. Choose another account.',
  house_phone_unreadable: 'The house account’s phone can’t be read any more. An admin must add it again.',
  no_destination: 'Invo lists no such game for this email and number together. A wrong number looks the same.',
  game_not_pinned: 'Invo’s ID of this game isn’t known yet, so nothing can be sent. Pull a month first.',
  not_approved_on_phone: 'The phone hasn’t approved this, or its approval is over. Ask the phone again.',
  too_many_sends: 'This house account started 24 sends within an hour, and Invo takes 25. Wait up to an hour.',
  too_many_starts: 'Sharebook asked Invo 99 times within an hour to move this player’s coins, and Invo takes 100. Wait up to an hour.',
  too_many_coins: 'With these coins the house account would send more than 1,000,000 within 24 hours, and Invo takes no more by default.',
  no_identity: 'Invo reports no identity of this player, so Sharebook can’t act as the player.',
  no_reward: 'The player holds no such reward.',
  reward_state: 'Only an unlocked reward can be redeemed. This one isn’t unlocked any more.',
  code_shown_before: 'The reward is redeemed, and its code can’t be shown again.',
  transfer_not_found: 'Invo doesn’t know this transfer in this game.',
  transfer_elsewhere: 'This transfer goes to another game, so it can’t be collected here.',
  transfer_state: 'Only a transfer that waits to be collected can be collected. This one doesn’t wait any more, or not yet.',
  number_shared:
    'The receiver’s number belongs to more than one player of this game, so Invo names no receiver. The player collects it in the game.',
  receiver_unknown: 'Invo names no player whom Sharebook knows as the one receiver. Search for the receiver’s email first.',
  milestone_not_added: 'This name isn’t among the milestones of this game any more. Reload the page.',
};

/** Why a sender can start nothing for a while, and until when at least. */
export function formatSenderLimit(blocker: keyof typeof SENDER_LIMITS, until: string): string {
  return `${SENDER_LIMITS[blocker]} Nothing more can be started before ${until}.`;
}

const SENDER_LIMITS = {
  too_many_sends: 'This house account started 24 sends within an hour, and Invo takes 25.',
  too_many_starts: 'Sharebook asked Invo 99 times within an hour to move the coins of this account, and Invo takes 100.',
  too_many_coins: 'This house account sent 1,000,000 coins within 24 hours, and Invo takes no more by default.',
} as const satisfies Partial<Record<ActionBlocker, string>>;

/** Why a second person approves what is within the limit of one action. */
export function formatDayLimit(unit: ActionUnit, left: string, coins: string | null, whose = 'Your'): string {
  return `${whose} automatic approvals of the last 24 hours leave ${formatActionAmount(unit, left, coins)}; this needs a second approver.`;
}

/** What changed since an action was approved. */
const CHANGE_TEXT: Readonly<Record<Exclude<FactsChange, ActionBlocker>, string>> = {
  changed_currencies: 'The currencies of the player’s wallet changed.',
  changed_order: 'The order is no longer as it was: its status or its payment changed.',
  changed_reward: 'The reward is no longer in the state in which this was approved.',
  changed_transfer: 'The transfer is no longer in the state in which this was approved.',
  changed_sender: 'The coins would come from another account.',
};

/** What the stored code of a change says; null: it is a code of Invo, or none. */
export function formatChange(code: string | null): string | null {
  if (code === null) return null;
  if (Object.hasOwn(CHANGE_TEXT, code)) return CHANGE_TEXT[code as keyof typeof CHANGE_TEXT];
  return Object.hasOwn(BLOCKER_TEXT, code) ? BLOCKER_TEXT[code as ActionBlocker] : null;
}

export const CHANGED = 'What this depends on changed at Invo since the page was opened. Nothing was sent. Check the details and try again.';

/** Why a text isn't stored that stays in Sharebook. */
export const PRIVATE_TEXT = 'Leave out emails, phone and card numbers, client secrets, and links with a token.';
export const PRIVATE_TICKET_TEXT = `${PRIVATE_TEXT} Write a long ticket number with letters before it, such as T-123456789012.`;

/** Why an action wasn’t sent. */
export const SEND_REFUSALS = {
  not_allowed: 'Only the person who requested it can send this. Nothing was sent.',
  paused: 'Desk actions of this game are paused. Nothing was sent.',
  switched_off: 'These actions were turned off for this game. Nothing was sent.',
  busy: 'Another action of this player is being sent. Try again in a minute. Nothing was sent.',
  moved_on: 'This action was sent, changed or ended in the meantime. Nothing was sent. Reload the page.',
  not_approved: 'The phone hasn’t approved this, or its approval is over. Nothing was sent.',
  not_agreed: 'The owner of the phone hasn’t agreed. Invo doesn’t say whether they refused. Nothing was sent.',
  other_entry: 'This isn’t what was entered with the request. Nothing was sent. Enter it exactly as before.',
  changed:
    'What this depends on changed at Invo since it was approved. Nothing was sent, and the action ended. Start a new one if it is still needed.',
  lapsed: 'The approval is older than a day. Nothing was sent, and the action ended. Start a new one if it is still needed.',
  altered: 'The stored action is no longer what was approved. Nothing was sent.',
} as const;

/** The outcomes that people record. */
export const OUTCOME_TEXT: Readonly<Record<Outcome, string>> = { done: 'Invo did it', not_done: 'Invo didn’t do it' };
