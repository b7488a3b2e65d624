import { ACCOUNT_TEXT } from '../approvals/text.ts';
import { formatMoney, formatUsd } from '../core/money.ts';
import type { Tone } from '../core/strings.ts';
import type { ActionBlocker } from './rules/action-facts.ts';
import type { ActionState, AttentionReason, GrantState, Outcome, ReasonCode } from './rules/action-state.ts';
import type { ActionKind, ActionUnit, MilestoneEvent, SwitchedGroup } from './rules/kinds.ts';
import type { AnswerClass } from './rules/protocol.ts';

/** What each group of desk actions is called, and what turning it on allows. */
export const GROUP_TEXT: Readonly<Record<SwitchedGroup, { label: string; sentence: string }>> = {
  payments: { label: 'Payments', sentence: 'Confirm a payment or a card after the bank’s check, and make payment links.' },
  milestones: {
    label: 'Milestones',
    sentence: 'Report a milestone that was lost in an outage. Rewards of real value can unlock. Always with a second person.',
  },
  items: { label: 'Item sales', sentence: 'Sell an item for a player’s coins. Your game delivers it.' },
  sends: { label: 'Sends', sentence: 'Send coins of a house account to a player.' },
  rewards: { label: 'Rewards', sentence: 'Redeem a reward for a player who can’t open the game’s page. Always with a second person.' },
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
  send_start: { label: 'Send', press: 'Send', pressAgain: 'Send again, same key', pending: 'Reserving at Invo…' },
  send_approve: { label: 'Approval of a send', press: 'Move the coins', pressAgain: 'Move the coins', pending: 'Moving the coins…' },
  transfer_start: { label: 'Transfer', press: 'Move', pressAgain: 'Send again, same key', pending: 'Reserving at Invo…' },
  transfer_approve: {
    label: 'Approval of a transfer',
    press: 'Move the coins',
    pressAgain: 'Move the coins',
    pending: 'Moving the coins…',
  },
  redeem: { label: 'Redemption', press: 'Redeem and show the code', pressAgain: 'Redeem', pending: 'Redeeming at Invo…' },
  purchase: { label: 'Test purchase', press: 'Buy coins', pressAgain: 'Send again with the same reference', pending: 'Buying at Invo…' },
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

interface StateText {
  label: string;
  tone: Tone;
  sentence: string;
}

const STATE_TEXT: Readonly<Record<ActionState, StateText>> = {
  awaiting_approval: {
    label: 'Awaiting approval',
    tone: 'wait',
    sentence: 'Nothing was sent to Invo. A second person must approve it first.',
  },
  approved: {
    label: 'Ready to send',
    tone: 'wait',
    sentence: 'Approved. Nothing was executed at Invo yet. The approval expires after a day.',
  },
  sending: {
    label: 'Sending',
    tone: 'busy',
    sentence: 'The request is on its way to Invo. If no answer comes within a minute, Sharebook checks what happened.',
  },
  waiting: {
    label: 'Retrying',
    tone: 'wait',
    sentence: 'Nothing was executed at Invo yet. Sharebook sends the same request again by itself.',
  },
  with_player: { label: 'Waiting for the phone', tone: 'wait', sentence: 'Nothing has moved yet. Invo waits for the approval.' },
  unknown: { label: 'Unknown', tone: 'wait', sentence: 'Invo may have done this. Don’t do it again in Invo’s console.' },
  checking: { label: 'Checking', tone: 'wait', sentence: 'Invo may have done this. Don’t do it again in Invo’s console.' },
  attention: { label: 'Needs attention', tone: 'bad', sentence: 'Invo may have done this. Someone must find out and record the outcome.' },
  done: { label: 'Done', tone: 'good', sentence: 'Invo did this.' },
  refused: { label: 'Refused', tone: 'bad', sentence: 'Invo refused it. Nothing was executed.' },
  not_done: { label: 'Not done', tone: 'quiet', sentence: 'Invo didn’t do this.' },
  lapsed: { label: 'Expired', tone: 'quiet', sentence: 'It was not used in time, or what it depends on changed. Nothing was executed.' },
  rejected: { label: 'Rejected', tone: 'quiet', sentence: 'A second person rejected it. Nothing was sent.' },
  withdrawn: { label: 'Withdrawn', tone: 'quiet', sentence: 'It was withdrawn. Nothing was sent.' },
};

const OF_KIND: Readonly<Partial<Record<`${ActionKind} ${ActionState}`, string>>> = {
  'payment_confirm done': 'Invo reports the order as completed. Its coins were credited once.',
  'payment_confirm not_done': 'Invo reports the order as failed or canceled. Nothing was credited.',
  'payment_confirm checking': 'Invo may have completed the order. Sharebook reads the order again by itself; nobody is charged twice.',
  'card_confirm approved':
    'Nothing was saved yet. If Invo answered that the bank’s check isn’t finished, ask the player to finish it, then confirm again.',
  'card_confirm done': 'Invo saved the card. It may be charged when coins run short.',
  'card_confirm refused': 'Invo knows no such card set-up in this game. No card was saved.',
  'card_confirm checking': 'Invo may have saved the card. Confirm again: that is safe, and Invo’s answer says whether it was saved.',
  'payment_link unknown':
    'Invo may have made the link, but nobody has it, and it expires 15 minutes after it was made. Make a new one if the player still needs it.',
  'payment_link lapsed': 'The link wasn’t made, or nobody has it and it can’t be paid any more.',
  'payment_link done': 'Invo made the link. It was shown once to the person who requested it, and can’t be shown again.',
  'payment_link refused': 'Invo made no link.',
  'milestone approved': 'Approved. Sharebook sends it to Invo now.',
  'milestone unknown': 'Invo may have recorded the event. Sharebook sends the same event again by itself; Invo counts it once.',
  'milestone done': 'Invo recorded the event. The loyalty tab shows whether a step moved.',
  'milestone refused': 'Invo recorded nothing. A 409 means that this game isn’t set up for loyalty at Invo.',
  'milestone attention': 'Invo may have recorded the event. Someone must find out and record the outcome.',
  'item_sale approved': 'Approved. Sharebook sends it to Invo now.',
  'item_sale unknown': 'Invo may have taken the coins. Sharebook sends the same sale again by itself; Invo takes them once.',
  'item_sale done': 'The item was sold: Invo took the coins once. Deliver the item in the game.',
  'item_sale refused': 'Invo refused the sale. No coins were taken.',
  'send_start approved': 'Nothing was sent yet. If Invo asked the owner of the receiver’s phone, send it again once they agreed.',
  'send_start with_player': 'Invo reserved the coins. Nothing moves until the house account’s phone approves.',
  'send_start checking': 'Invo may have reserved the coins. Send it again with the same key: Invo makes no second send.',
  'send_start attention': 'Invo may have reserved the coins. Someone must find out and record the outcome.',
  'send_start done': 'The coins were sent. The receiver collects them in the game.',
  'send_start not_done': 'The coins were not sent. Invo returns what it reserved.',
  'send_start lapsed': 'It was not approved in time, or what it depends on changed. Invo returns what it reserved.',
  'send_start refused': 'Invo refused the send. Nothing was reserved.',
  'send_approve checking': 'Invo may have moved the coins. It is never sent again: the status of the send decides.',
  'send_approve attention': 'Invo may have moved the coins. Quote the error ID to Invo, then record the outcome.',
  'send_approve done': 'Invo moved the coins: the receiver can collect them.',
  'send_approve refused': 'This call moved nothing. Ask the phone again while its window is open.',
  'transfer_start approved': 'Nothing was sent yet. If Invo asked the owner of the phone, send it again once they agreed.',
  'transfer_start with_player': 'Invo reserved the coins. Nothing moves until the player’s own phone approves.',
  'transfer_start checking': 'Invo may have reserved the coins. Send it again with the same key: Invo makes no second transfer.',
  'transfer_start attention': 'Invo may have reserved the coins. Someone must find out and record the outcome.',
  'transfer_start done': 'The transfer was approved. The player collects it in the other game.',
  'transfer_start not_done': 'The coins were not moved. Invo returns what it reserved.',
  'transfer_start lapsed': 'It was not approved in time, or what it depends on changed. Invo returns what it reserved.',
  'transfer_start refused': 'Invo refused the transfer. Nothing was reserved.',
  'transfer_approve checking': 'Invo may have moved the coins. It is never sent again: the status of the transfer decides.',
  'transfer_approve attention': 'Invo may have moved the coins. Quote the error ID to Invo, then record the outcome.',
  'transfer_approve done':
    'The transfer waits to be collected in the other game. A claim code in Invo’s answer was shown once; the player’s phone collects without it.',
  'transfer_approve refused': 'This call moved nothing. Ask the phone again while its window is open.',
  'redeem checking': 'Invo may have redeemed the reward. Look in the vault: the player’s rewards say so. It is never sent again.',
  'redeem done':
    'The reward is redeemed. A code in Invo’s answer was shown once to the person who requested it, and can’t be shown again here.',
  'redeem refused': 'Invo redeemed nothing and showed no code.',
  'redeem not_done': 'The reward was still unlocked half an hour after the call. It was not redeemed.',
  'redeem attention': 'Invo may have redeemed the reward. Look in the vault, then record the outcome.',
  'purchase approved': 'Nothing was charged. Enter the token of the card to send it.',
  'purchase checking':
    'Invo may charge the card. Sharebook reads the order until it ends. Don’t buy again meanwhile: another reference could charge twice.',
  'purchase done': 'Invo reports the order as completed. Its coins were credited once.',
  'purchase not_done': 'Invo reports the order as failed or canceled. Nothing was credited.',
  'purchase refused': 'Invo refused the purchase. Nothing was charged.',
  'purchase attention': 'Invo may have charged the card. Someone must find out and record the outcome.',
  'claim approved': 'Nothing was sent. Enter the code to collect the transfer.',
  'claim checking':
    'Invo may have collected the transfer. Its status decides, and it is never sent again. After a wrong code this ends as not done half an hour after the call.',
  'claim done': 'Invo reports the transfer as collected.',
  'claim not_done': 'The transfer wasn’t collected by this. Check the code with the player; a new collection can be requested.',
  'claim refused': 'Invo refused it. Nothing was collected. If the owner of the phone must agree first, start again once they did.',
  'claim attention': 'Invo may have collected the transfer. Look at its status, then record the outcome.',
  'client_event checking': 'Invo may have recorded the event. Send it again: that is safe, because Invo counts it once.',
  'client_event done': 'Invo recorded the event. Events of a client unlock no reward of value.',
  'client_event refused': 'Invo recorded nothing. A 409 means that this game isn’t set up for loyalty at Invo.',
  'rewards_page done': 'Invo made the link. It was shown once to the person who requested it, and can’t be shown again.',
  'rewards_page refused': 'Invo made no link.',
  'rewards_page unknown': 'Invo may have made a link, but nobody has it, and it expires by itself.',
  'rewards_page lapsed': 'The link wasn’t made, or nobody has it and it has expired.',
  'card_setup approved': 'No card is saved yet. If the bank must check it, confirm the set-up first, then send it again.',
  'card_setup done': 'Invo saved the card. It may be charged when coins run short.',
  'card_setup refused': 'Invo refused the card. No card was saved.',
  'card_setup checking': 'Invo may have saved the card. Send it again: that is safe, and Invo’s answer says whether it was saved.',
  'item_sale attention': 'Invo may have taken the coins. Someone must find out and record the outcome.',
};

const SENT_BY_WORKER: ReadonlySet<ActionKind> = new Set(['milestone', 'item_sale']);

/** What an action is shown as. */
export function actionStateText(kind: ActionKind, state: ActionState): StateText {
  const text = STATE_TEXT[state];
  const label = state === 'approved' && SENT_BY_WORKER.has(kind) ? 'Queued' : text.label;
  return { ...text, label, sentence: OF_KIND[`${kind} ${state}`] ?? text.sentence };
}

/** Why people must look at an action. */
export const ATTENTION_TEXT: Readonly<Record<AttentionReason, string>> = {
  answer_contradicts: 'Invo’s answer is about something else than the request. Compare them, and ask Invo before you record an outcome.',
  content_altered: 'The stored action is no longer what was approved, so it wasn’t sent. Ask your administrator to look at the database.',
  cannot_be_read: 'Invo couldn’t be read within a day of the call. Read it again, then record what happened.',
  not_settled: 'No answer or reading showed the outcome within a day of the call. Ask Invo, then record what happened.',
  reading_contradicts: 'Invo answered that it did this, and a later reading says otherwise. Ask Invo before you record an outcome.',
  restored: 'The database was restored from a backup, so this may have been sent since. Check at Invo, then record what happened.',
};

/** What the phone has answered. */
export const GRANT_TEXT: Readonly<Record<GrantState, string>> = {
  started: 'Asking Invo for a code…',
  waiting: 'Waiting for the phone. Nothing has moved yet.',
  enrolling: 'A new phone asks to be set up. Sharebook doesn’t allow that: deny it there, or ask the phone that is known.',
  approved: 'Approved on the phone. Nothing has moved yet.',
  declined: 'The phone declined. Nothing moved.',
  expired: 'The code expired. Ask the phone again.',
  lost: 'The code can’t be used any more. Ask the phone again.',
  replaced: 'The code was used or replaced by a newer one.',
};

/** What an attempt came to. */
export const ANSWER_TEXT: Readonly<Record<AnswerClass, { word: string; tone: Tone }>> = {
  done: { word: 'Done', tone: 'good' },
  replayed: { word: 'Was done before', tone: 'good' },
  goes_on: { word: 'Goes on', tone: 'good' },
  refused: { word: 'Refused', tone: 'bad' },
  not_now: { word: 'Nothing executed', tone: 'quiet' },
  open: { word: 'Outcome unknown', tone: 'wait' },
  no_answer: { word: 'No answer', tone: 'wait' },
  contradiction: { word: 'Answer about something else', tone: 'bad' },
};

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
  not_covered: 'The player’s available coins don’t cover this.',
  time_ahead: 'This is still to come. Enter when it happened.',
  time_too_old: 'This is more than 30 days ago. Enter a later time.',
  no_house_account: 'Choose a house account that is in use. An admin adds one in Settings.',
  house_phone_unreadable: 'The house account’s phone can’t be read any more. An admin must add it again.',
  no_destination: 'Invo lists no such game for this email and number together. A wrong number looks the same.',
  game_not_pinned: 'Invo’s ID of this game isn’t known yet, so nothing can be sent. Pull a month first.',
  not_approved_on_phone: 'The phone hasn’t approved this, or its approval is over. Ask the phone again.',
  too_many_sends: 'This house account started 24 sends within an hour, and Invo takes 25. Wait for an hour.',
  no_identity: 'Invo reports no identity of this player, so Sharebook can’t act as the player.',
  no_reward: 'The player holds no such reward.',
  reward_state: 'Only an unlocked reward can be redeemed. This one isn’t unlocked any more.',
  code_shown_before: 'The reward is redeemed, and its code can’t be shown again.',
  transfer_not_found: 'Invo doesn’t know this transfer in this game.',
  transfer_elsewhere: 'This transfer goes to another game, so it can’t be collected here.',
  transfer_state: 'Only a transfer that waits to be collected can be collected. This one doesn’t wait any more, or not yet.',
  receiver_unknown: 'Invo names no player whom Sharebook knows as the one receiver. Search for the receiver’s email first.',
  milestone_not_added: 'This name isn’t among the milestones of this game any more. Reload the page.',
};

const CHANGED = 'What this depends on changed at Invo since the page was opened. Nothing was sent. Check the details and try again.';

/** Why nothing was requested. */
export const REQUEST_REFUSALS = {
  not_allowed: 'Your role can’t request this. Nothing was saved.',
  ...ACCOUNT_TEXT,
  paused: 'Desk actions of this game are paused. Nothing was saved.',
  switched_off: 'These actions are turned off for this game. Nothing was saved. An admin turns them on in Settings.',
  reason_too_long: 'Use 500 characters or fewer for the description.',
  ticket_missing: 'Enter the reference of the ticket.',
  ticket_too_long: 'Use 100 characters or fewer for the ticket.',
  private_text: 'Leave out emails, phone and card numbers. Nothing was saved.',
  changed: CHANGED,
  not_a_request: 'Check the entries marked above. Nothing was saved.',
} as const;

/** Why an action wasn’t sent. */
export const SEND_REFUSALS = {
  not_allowed: 'Only the person who requested it can send this. Nothing was sent.',
  paused: 'Desk actions of this game are paused. Nothing was sent.',
  switched_off: 'These actions were turned off for this game. Nothing was sent.',
  busy: 'Another action of this player is being sent. Try again in a minute. Nothing was sent.',
  moved_on: 'This action was sent, changed or ended in the meantime. Nothing was sent. Reload the page.',
  other_entry: 'This isn’t what was entered with the request. Nothing was sent. Enter it exactly as before.',
  changed:
    'What this depends on changed at Invo since it was approved. Nothing was sent, and the action ended. Start a new one if it is still needed.',
  lapsed: 'The approval is older than a day. Nothing was sent, and the action ended. Start a new one if it is still needed.',
  altered: 'The stored action is no longer what was approved. Nothing was sent.',
} as const;

/** The outcomes that people record. */
export const OUTCOME_TEXT: Readonly<Record<Outcome, string>> = { done: 'Invo did it', not_done: 'Invo didn’t do it' };
