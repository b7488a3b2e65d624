import type { Tone } from '../core/strings.ts';
import { formatRouteCode } from '../invo/rules/route-text.ts';
import { type ActionFacts, type ActionResult, CLAIM_FIELDS } from './rules/action-facts.ts';
import type { ActionState, Waiting } from './rules/action-state.ts';
import type { ActionKind } from './rules/kinds.ts';
import { approvalOf, protocolOf } from './rules/protocols.ts';
import { formatChange } from './text.ts';

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
    sentence: 'Approved. Nothing was executed at Invo yet.',
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
  withdrawn: { label: 'Withdrawn', tone: 'quiet', sentence: 'It was withdrawn. Nothing was executed.' },
};

const WINDOW_ENDED =
  'Its window ended, and Sharebook moved no coins. Invo returns the reserved coins. Start a new one if it is still needed.';

const OF_KIND: Readonly<Partial<Record<`${ActionKind} ${ActionState}`, string>>> = {
  'payment_confirm done': 'Invo reports the order as completed. Its coins were credited once.',
  'payment_confirm not_done': 'Invo reports the order as failed or canceled. Nothing was credited.',
  'payment_confirm checking': 'Invo may have completed the order. Sharebook reads the order again by itself; nobody is charged twice.',
  'card_confirm approved':
    'Nothing was saved yet. If Invo answered that the bank’s check isn’t finished, ask the player to finish it, then confirm again.',
  'card_confirm done': 'Invo saved the card. It may be charged when coins run short.',
  'card_confirm refused': 'Invo knows no such card set-up in this game. No card was saved.',
  'card_confirm checking': 'Invo may have saved the card. Confirm again: that is safe, and Invo’s answer says whether it was saved.',
  'payment_link unknown': 'Invo may have made the link, but nobody has it, and it expires 15 minutes after it was made.',
  'payment_link lapsed': 'Its approval wasn’t used within a day, or nobody has the link and it can’t be paid any more.',
  'payment_link done': 'Invo made the link. Only the screen that requested it can show it, once.',
  'payment_link refused': 'Invo made no link.',
  'milestone approved': 'Approved. Nothing was sent to Invo yet.',
  'milestone unknown': 'Invo may have recorded the event. Sharebook sends the same event again by itself; Invo counts it once.',
  'milestone done': 'Invo recorded the event. The loyalty tab shows whether a step moved.',
  'milestone refused': 'Invo recorded nothing.',
  'milestone attention': 'Invo may have recorded the event. Someone must find out and record the outcome.',
  'item_sale approved': 'Approved. Nothing was sent to Invo yet.',
  'item_sale unknown':
    'Invo may have taken the coins. Don’t deliver the item before this sale is done. Sharebook sends the same sale again for up to a day, and Invo takes the coins once. After that, people record the outcome.',
  'item_sale done': 'The item was sold: Invo took the coins once. Deliver the item in the game.',
  'item_sale refused': 'Invo refused the sale. No coins were taken.',
  'send_start approved':
    'Nothing is reserved yet. The next step reserves the coins of the house account; nothing moves before its phone approves.',
  'send_start with_player': 'Invo reserved the coins. Nothing moves until the house account’s phone approves.',
  'send_start checking': 'Invo may have reserved the coins. Reserve again with the same key: Invo makes no second send.',
  'send_start attention': 'Invo may have reserved the coins. Someone must find out and record the outcome.',
  'send_start done': 'The coins were sent. The receiver collects them in the game.',
  'send_start not_done': 'The coins were not sent. Invo returns what it reserved.',
  'send_start lapsed': WINDOW_ENDED,
  'send_start refused': 'Invo refused the send. Nothing was reserved.',
  'send_approve checking': 'Invo may have moved the coins. It is never sent again: the status of the send decides.',
  'send_approve attention': 'Invo may have moved the coins. Quote the error ID to Invo, then record the outcome.',
  'send_approve done': 'Invo moved the coins: the receiver can collect them.',
  'send_approve refused': 'This call moved nothing. Ask the phone again while its window is open.',
  'transfer_start approved':
    'Nothing is reserved yet. The next step reserves the player’s coins; nothing moves before their own phone approves.',
  'transfer_start with_player': 'Invo reserved the coins. Nothing moves until the player’s own phone approves.',
  'transfer_start checking': 'Invo may have reserved the coins. Reserve again with the same key: Invo makes no second transfer.',
  'transfer_start attention': 'Invo may have reserved the coins. Someone must find out and record the outcome.',
  'transfer_start done': 'The transfer was approved. The player collects it in the other game.',
  'transfer_start not_done': 'The coins were not moved. Invo returns what it reserved.',
  'transfer_start lapsed': WINDOW_ENDED,
  'transfer_start refused': 'Invo refused the transfer. Nothing was reserved.',
  'transfer_approve checking': 'Invo may have moved the coins. It is never sent again: the status of the transfer decides.',
  'transfer_approve attention': 'Invo may have moved the coins. Quote the error ID to Invo, then record the outcome.',
  'transfer_approve done': 'The transfer waits to be collected in the other game. The player’s phone collects it without a claim code.',
  'transfer_approve refused': 'This call moved nothing. Ask the phone again while its window is open.',
  'owner_text done': 'Invo texts the owner of the phone. Their answer shows on the page of the start.',
  'owner_text refused': 'Invo texted nobody.',
  'owner_text unknown': 'Invo may have texted the owner. It is never requested again by itself.',
  'phone_enrolment awaiting_approval': 'Nothing was sent to Invo. A second person must approve it while the code on the phone is valid.',
  'phone_enrolment approved': 'Approved. Send the answer while the code on the phone is valid.',
  'phone_enrolment done': 'Invo took the answer to the new phone.',
  'phone_enrolment refused': 'Invo didn’t take the answer. No phone was set up.',
  'phone_enrolment unknown': 'Invo may have taken the answer. The phone shows it.',
  'redeem approved': 'Approved. Nothing was sent to Invo yet. The code is shown once, to the person who requested it.',
  'redeem checking': 'Invo may have redeemed the reward. Look in the vault: the player’s rewards say so. It is never sent again.',
  'redeem done': 'The reward is redeemed.',
  'redeem refused': 'Invo redeemed nothing and showed no code.',
  'redeem not_done': 'The reward was still unlocked half an hour after the call. It was not redeemed.',
  'redeem attention': 'Invo may have redeemed the reward. Look in the vault, then record the outcome.',
  'purchase approved': 'Nothing was charged. Enter the token of the card to send it.',
  'purchase checking':
    'Invo may charge the card. Sharebook reads the order until it ends. Don’t buy again meanwhile: another reference could charge twice.',
  'purchase done': 'Invo reports the purchase as completed. Its coins were credited once.',
  'purchase not_done': 'Invo reports the order as failed or canceled. Nothing was credited.',
  'purchase refused': 'Invo refused the purchase. Nothing was charged.',
  'purchase attention': 'Invo may have charged the card. Someone must find out and record the outcome.',
  'receipt approved': 'Nothing was collected yet. Ask the receiver’s phone, then collect once it approved.',
  'receipt checking': 'Invo may have collected the transfer. Its status decides, and it is never sent again.',
  'receipt done': 'Invo reports the transfer as collected.',
  'receipt not_done': 'The transfer wasn’t collected by this. A new collection can be requested.',
  'receipt refused': 'Invo refused it. Nothing was collected.',
  'receipt lapsed': 'It wasn’t collected in time, or what it depends on changed. Nothing was collected.',
  'receipt attention': 'Invo may have collected the transfer. Look at its status, then record the outcome.',
  'claim approved': 'Nothing was sent. Enter the code to collect the transfer.',
  'claim checking':
    'Invo may have collected the transfer. Its status decides, and it is never sent again. After a wrong code this ends as not done half an hour after the call.',
  'claim done': 'Invo reports the transfer as collected.',
  'claim not_done': 'The transfer wasn’t collected by this. Check with the player what you enter before a new collection.',
  'claim refused': 'Invo refused it. Nothing was collected. If the owner of the phone must agree first, start again once they did.',
  'claim attention': 'Invo may have collected the transfer. Look at its status, then record the outcome.',
  'client_event checking': 'Invo may have recorded the event. Send it again: that is safe, because Invo counts it once.',
  'client_event done': 'Invo recorded the event. Events of a client unlock no reward of value.',
  'client_event refused': 'Invo recorded nothing. If it answered 409, this game isn’t set up for loyalty at Invo.',
  'rewards_page done': 'Invo made the link. Only the screen that requested it can show it, once.',
  'rewards_page refused': 'Invo made no link.',
  'rewards_page unknown': 'Invo may have made a link, but nobody has it, and it expires by itself.',
  'rewards_page lapsed': 'The link wasn’t made, or nobody has it and it has expired.',
  'card_setup approved': 'No card is saved yet. If the bank must check it, confirm the set-up first, then send it again.',
  'card_setup done': 'Invo saved the card. It may be charged when coins run short.',
  'card_setup refused': 'Invo refused the card. No card was saved.',
  'card_setup checking': 'Invo may have saved the card. Send it again: that is safe, and Invo’s answer says whether it was saved.',
  'item_sale attention':
    'Invo may have taken the coins. Don’t deliver the item before the outcome is recorded. A wallet proves nothing, because others spend too.',
};

/** What an approved action of a kind waits for, where it isn't a press that sends everything. */
const APPROVED_LABELS: Readonly<Partial<Record<ActionKind, string>>> = {
  milestone: 'Queued',
  item_sale: 'Queued',
  receipt: 'Waiting for the phone',
  send_start: 'Ready to reserve',
  transfer_start: 'Ready to reserve',
};

/** What an action is shown as that waits for someone or for a time, or whose approval became void. */
const WAITING_TEXT = {
  guardian: {
    label: 'Waiting for a guardian',
    tone: 'wait',
    sentence: 'A guardian must agree before the phone can be asked. Nothing has moved yet.',
  },
  owner: {
    label: 'Waiting for the owner',
    tone: 'wait',
    sentence: 'The phone belongs to an account with another email, and its owner must agree by text. Nothing was reserved.',
  },
  bank_card: {
    label: 'Waiting for the bank',
    tone: 'wait',
    sentence: 'The bank asks the player to confirm the card. No card is saved yet.',
  },
  bank: {
    label: 'Waiting for the bank',
    tone: 'wait',
    sentence: 'The bank asks the player to confirm the payment. Nothing was charged. Sharebook reads the order until it ends.',
  },
  void: {
    label: 'Expired',
    tone: 'quiet',
    sentence: 'What this depends on changed at Invo, so its approval was void. Nothing was executed.',
  },
  paid: { label: 'Paid', tone: 'good', sentence: 'Invo made the link, and the player paid with it.' },
  open: {
    label: 'Waiting for payment',
    tone: 'wait',
    sentence: 'Invo made the link. Only the screen that requested it can show it, once.',
  },
  over: { label: 'Expired', tone: 'quiet', sentence: 'Invo made the link. It has expired, and no payment was reported.' },
  cooldown: {
    label: 'In cooldown',
    tone: 'wait',
    sentence: 'Invo lets no coins leave this account for a while after a passkey recovery, so it approves nothing. Nothing was reserved.',
  },
} as const satisfies Record<string, StateText>;

const CONFIRM_AGAIN = 'The bank asks the player to confirm the payment. Nothing was charged. Confirm again once the player has done so.';

/** What an action is shown as. `waiting`: left out where only kind and state are known. */
export function actionStateText(kind: ActionKind, state: ActionState, waiting: Waiting | null = null): StateText {
  const special =
    waiting === null ? null : ((waiting.phone ? phoneTextOf(kind, waiting.phone) : null) ?? waitingTextOf(kind, state, waiting));
  if (special !== null) return special;
  const text = STATE_TEXT[state];
  // A start that never reserved anything has nothing to return.
  if (state === 'lapsed' && approvalOf(kind) !== null && waiting?.hasTransaction === false) return text;
  const label = state === 'approved' ? (APPROVED_LABELS[kind] ?? text.label) : text.label;
  return { ...text, label, sentence: OF_KIND[`${kind} ${state}`] ?? text.sentence };
}

/** What a start or a collection is shown as by how far its phone is; null: as its state says. */
function phoneTextOf(kind: ActionKind, { answer, isMoving, isOver }: NonNullable<Waiting['phone']>): StateText | null {
  if (isMoving) return PHONE_TEXT.moving;
  if (isOver) return PHONE_TEXT.over;
  if (answer !== 'approved' && answer !== 'declined') return null;
  return kind === 'receipt' ? { ...PHONE_TEXT[answer], sentence: RECEIPT_SENTENCES[answer] } : PHONE_TEXT[answer];
}

const PHONE_TEXT = {
  moving: {
    label: 'Checking',
    tone: 'wait',
    sentence: 'The approval was sent, and Invo may have moved the coins. The page of the approval says what is known.',
  },
  over: { label: 'Window ended', tone: 'quiet', sentence: 'Its window ended, and nothing has moved.' },
  approved: { label: 'Approved on the phone', tone: 'wait', sentence: 'The phone approved. Nothing has moved yet.' },
  declined: {
    label: 'Declined on the phone',
    tone: 'bad',
    sentence: 'The phone declined, and nothing has moved. Ask again only if this is still wanted. Otherwise Invo returns the coins.',
  },
} as const satisfies Record<string, StateText>;

const RECEIPT_SENTENCES = {
  approved: 'The phone approved. Nothing was collected yet.',
  declined: 'The phone declined, and nothing was collected. Ask again only if the player wants this.',
} as const;

/**
 * What Invo's refusal means, for a state that it explains and whose own sentence doesn't; null: nothing more is known. `status`: of the last answer; null:
 * none came.
 */
export function formatRefused(kind: ActionKind, state: ActionState, waiting: Waiting, status: number | null): string | null {
  if (state === 'lapsed') return formatChange(waiting.errorCode);
  const isExplained = state === 'refused' || state === 'approved' || state === 'waiting';
  if (!isExplained || waitingTextOf(kind, state, waiting) !== null) return null;
  // Such an answer doesn't say whose limit it is, and this action has ended.
  if (state === 'refused' && status === 429 && (waiting.errorCode ?? 'rate_limit_exceeded').toLowerCase() === 'rate_limit_exceeded')
    return 'Invo limits how often a player or a game may do this. Request a new one in a few minutes.';
  const meaning = waiting.errorCode === null ? null : formatRouteCode(protocolOf(kind).family, waiting.errorCode);
  if (meaning !== null || state !== 'refused') return meaning;
  return kind === 'milestone' && status === 409 ? 'This game isn’t set up for loyalty at Invo.' : null;
}

/**
 * What the fields mean that an answer to a claim names: they were sent, the next claim sends them, or Sharebook never does. `status`: of that answer. Null: it
 * named none, or the claim ended otherwise.
 */
export function formatNamedFields(
  { state, result, facts: { request } }: { state: ActionState; result: ActionResult | null; facts: Pick<ActionFacts, 'request'> },
  status: number | null,
): string | null {
  const isOpen = state === 'checking' || state === 'attention' || state === 'not_done';
  const named = result?.['named_fields'];
  if (typeof named !== 'string' || !isOpen) return null;
  const { player_fields = [] } = request;
  const sent: unknown[] = ['claim_code', 'target_currency_id', ...(Array.isArray(player_fields) ? player_fields : [])];
  const isNext = (field: string): boolean => status === 400 && CLAIM_FIELDS.some((each) => each === field);
  const by = Object.groupBy(named.split(', '), (field) => (sent.includes(field) ? 'again' : isNext(field) ? 'next' : 'never'));
  return [
    ...(by.again === undefined ? [] : [`Invo’s answer names ${by.again.join(' and ')}, which was sent. Check it with the player.`]),
    ...(by.next === undefined
      ? []
      : [
          `Invo asks for ${by.next.join(' and ')}. A new collection of this transfer${state === 'not_done' ? '' : ', half an hour after this call,'} sends ${by.next.length > 1 ? 'both' : 'that'} too.`,
        ]),
    ...(by.never === undefined ? [] : [`Invo asks for ${by.never.join(' and ')}, which Sharebook can’t send. Quote this to Invo.`]),
  ].join(' ');
}

/** Whether the bank must check a test card before Invo saves it. */
export function isCardAtBank(kind: ActionKind, state: ActionState, errorCode: string | null): boolean {
  return kind === 'card_setup' && state === 'approved' && errorCode === 'requires_action';
}

function waitingTextOf(kind: ActionKind, state: ActionState, { for: whom, errorCode, link = null }: Waiting): StateText | null {
  if (link !== null) return WAITING_TEXT[link];
  if (state === 'lapsed' && formatChange(errorCode) !== null) return WAITING_TEXT.void;
  if (state === 'with_player') return whom === 'guardian' ? WAITING_TEXT.guardian : null;
  if (state === 'checking' && errorCode === 'requires_action')
    return kind === 'payment_confirm' ? { ...WAITING_TEXT.bank, sentence: CONFIRM_AGAIN } : WAITING_TEXT.bank;
  if (state !== 'approved') return null;
  if (whom === 'owner') return WAITING_TEXT.owner;
  if (isCardAtBank(kind, state, errorCode)) return WAITING_TEXT.bank_card;
  return errorCode?.toUpperCase() === 'PASSKEY_RECOVERY_COOLDOWN' ? WAITING_TEXT.cooldown : null;
}
