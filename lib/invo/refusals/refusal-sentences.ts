import { type DocumentedCode, isDocumentedCode } from './refusal-codes.ts';
import { raiseOf, refundedOf, remainingWords, sizeOf, statusOf, waitOf } from './refusal-figures.ts';
import { withReference } from './with-reference.ts';

/** A refusal as Invo gave it: its code, the figures beside it, and the reference to quote. */
export interface Refusal {
  errorCode: string | null;
  facts: Readonly<Record<string, unknown>>;
  errorId: string | null;
}

type Facts = Refusal['facts'];

/** What Invo was asked for, where a code serves several routes. */
export type Asked = 'refund' | 'change' | 'read';

const NOTHING_MOVED = 'Nothing was refunded by this request.';
const NOTHING_CHANGED = 'The subscription stays as it was.';
const ONLY_READ = 'This only read; nothing was changed.';
const NOTHING: Record<Asked, string> = { refund: NOTHING_MOVED, change: NOTHING_CHANGED, read: ONLY_READ };
const SAME_KEY =
  'Sharebook repeats the same refund with the same key, which Invo never carries out twice; do not refund this period elsewhere.';
const TWO_PEOPLE = 'It is not certain whether money moved. Do not refund this period elsewhere; two people look at it together with Invo.';

const sentences: Record<DocumentedCode, (facts: Facts, asked: Asked) => string> = {
  SUBSCRIPTION_NOT_FOUND: () =>
    'Invo does not know this subscription in this game and environment. Nothing was changed. Check the id, or look in another game or environment.',
  INVALID_FIELD_VALUE: () =>
    'Invo could not read an id or a value of the request. Nothing was changed. Check what was entered; if it looks right, report it.',
  PLAYER_EMAIL_REQUIRED: () => `Invo was asked for a player without an e-mail. ${ONLY_READ} Enter the e-mail and look again.`,
  PLAYER_EMAIL_TOO_LONG: () => `The e-mail is longer than Invo accepts. ${ONLY_READ} Check that nothing else was pasted with it.`,
  STATUS_INVALID: () => `Invo does not know one of the statuses asked for. ${ONLY_READ} Take that filter away and look again.`,
  PAGINATION_INVALID: () => `Invo has no such page: lists end at 100 a page and 100,000 from the start. ${ONLY_READ} Narrow the list down.`,
  SUBSCRIPTION_TERMINAL: () =>
    `The subscription has ended, so its price and its card can no longer be changed. ${NOTHING_CHANGED} The player can take out a new one.`,
  PCSTORE_REAUTHORIZATION_REQUIRED: (facts) =>
    `The subscription is charged through the store, where a price cannot be raised${raiseOf(facts)} without the player agreeing again there. ${NOTHING_CHANGED} A lower price can be staged.`,
  PAYMENT_METHOD_NOT_FOUND: () =>
    `That card is not among this player’s saved cards in this game. ${NOTHING_CHANGED} Load the cards again and choose one of them.`,
  PAYMENT_METHOD_EXPIRED: () => `That card has expired. ${NOTHING_CHANGED} Choose another saved card, or ask the player to save a new one.`,
  PAYMENT_METHOD_INVALID: () => `Invo cannot charge that card. ${NOTHING_CHANGED} Choose another saved card.`,
  PAYMENT_METHOD_REQUIRED: () => `No card was named to change to. ${NOTHING_CHANGED} Choose one of the player’s saved cards.`,
  WALLET_ONLY_SUBSCRIPTION: () =>
    `This subscription is paid from the wallet only. ${NOTHING_CHANGED} To have it charge a card, choose to convert it and confirm again.`,
  WALLET_ONLY_CONFLICT: () => `A subscription cannot be wallet-only and have a card. ${NOTHING_CHANGED} Choose one of the two.`,
  NOT_A_CARD_SUBSCRIPTION: () =>
    `The subscription is charged through the store, not by card. ${NOTHING_CHANGED} The player changes how it is paid in the store.`,
  PAYMENT_METHOD_UNAVAILABLE: () =>
    `The card was removed while it was being set. ${NOTHING_CHANGED} Load the cards again and choose another one.`,

  CLIENT_REQUEST_ID_REQUIRED: () => `Invo found no key on the refund. ${NOTHING_MOVED} This is a fault of Sharebook; report it.`,
  CLIENT_REQUEST_ID_INVALID: () => `Invo could not read the key of the refund. ${NOTHING_MOVED} This is a fault of Sharebook; report it.`,
  CLIENT_REQUEST_ID_TOO_LONG: () =>
    `The key of the refund is longer than Invo accepts. ${NOTHING_MOVED} This is a fault of Sharebook; report it.`,
  CLIENT_REQUEST_ID_RESERVED: () =>
    `The key of the refund begins with letters Invo keeps for itself. ${NOTHING_MOVED} This is a fault of Sharebook; report it.`,
  INVALID_PERIOD_SEQ: () =>
    `Invo could not read the number of the period. ${NOTHING_MOVED} Open the period again and ask for the refund from there.`,
  PERIOD_NOT_FOUND: () =>
    'Invo does not know this period in this game and environment. Nothing was changed. Check the id, or open the period from its subscription.',
  INVALID_AMOUNT: (_, asked) => `Invo could not use the amount. ${NOTHING[asked]} Enter an amount above zero, such as 4.50, and ask again.`,
  AMOUNT_EXCEEDS_REMAINING: (facts) =>
    `The amount is more than is left of this period${remainingWords(facts)}. ${NOTHING_MOVED} Read the period again before asking for less.`,
  INVALID_BODY: (_, asked) => `Invo could not read the request as a whole. ${NOTHING[asked]} This is a fault of Sharebook; report it.`,
  NO_PAID_PERIOD: () => `Nothing has been collected on this subscription yet. ${NOTHING_MOVED} There is nothing to give back.`,
  PERIOD_NOT_REFUNDABLE: (facts) =>
    `This period was never collected${statusOf(facts)}. ${NOTHING_MOVED} Look for the period the player was charged for.`,
  ALREADY_REFUNDED: (facts) =>
    `This period was refunded in full before${refundedOf(facts)}. ${NOTHING_MOVED} Its page shows when, and by which refund.`,
  PCSTORE_REFUND_NOT_SUPPORTED: () =>
    `This period was charged through the store, and only the store can give it back. ${NOTHING_MOVED} Send the player to the store’s own refunds.`,
  MINT_ORDER_MISSING: () =>
    `Invo cannot find the order that the card charge of this period belongs to. ${NOTHING_MOVED} Ask Invo to mend the record.`,
  NO_PAYMENT_REFERENCE: () =>
    `Invo’s record of the card charge of this period has no reference to refund by. ${NOTHING_MOVED} Ask Invo to mend the record.`,
  REFUND_LOOKUP_FAILED: () => `Invo could not find out what became of the refund at the card processor. ${TWO_PEOPLE}`,
  REFUND_MISMATCH: () => `What the card processor says of the refund does not match Invo’s record. ${TWO_PEOPLE}`,
  PROCESSOR_ERROR: () => `The card processor refused or failed, and whether money moved is not known yet. ${SAME_KEY}`,
  service_unavailable: () => `Invo is unavailable for a moment and did not say whether the request was carried out. ${SAME_KEY}`,
  FLOW_PAUSED: () => `Invo has paused these requests for maintenance. ${SAME_KEY}`,
  INTERNAL_ERROR: () => `Invo failed on its side and did not say whether the request was carried out. ${SAME_KEY}`,
  RATE_LIMITED: (facts, asked) =>
    `More than 20 ${asked === 'refund' ? 'refund ' : ''}requests in a minute reached this subscription. ${NOTHING[asked]} ${laterOf(facts, asked)}`,

  WINDOW_INVALID: () =>
    `Invo could not read the window: both edges are needed, the end after the start. ${ONLY_READ} Correct the window and ask again.`,
  WINDOW_TOO_LONG: () => `The window is longer than the 400 days a report may cover. ${ONLY_READ} Ask for a shorter one.`,
  WINDOW_TOO_LARGE: (facts) => `The window holds more than one report may carry${sizeOf(facts)}. ${ONLY_READ} Ask for a shorter window.`,
  RECIPIENT_INVALID: () => `Invo could not read the recipient’s id. ${ONLY_READ} A recipient is named by a player id, a whole number.`,
  SUBSCRIPTION_ID_INVALID: () =>
    `Invo could not read the subscription id in the filter. ${ONLY_READ} Such an id has at most 50 characters; check what was entered.`,
  rate_limit_exceeded: (facts, asked) => `Everybody of this game together asked Invo too often. ${NOTHING[asked]} ${laterOf(facts, asked)}`,

  paused: () => `Invo has paused what was asked for, and did not say for how long. ${SAME_KEY}`,
  INVALID_GAME_SECRET: () =>
    'Invo refused the game secret, so the request was not carried out. Whoever runs Sharebook puts the right secret for this game and environment into the configuration.',
  PLAYER_NOT_FOUND: () =>
    'Invo does not know this player in this game and environment. Nothing was changed. Check the e-mail, or look in another game or environment.',
  PROCESSOR_UNAVAILABLE: () => `Invo cannot reach the card processor with its own credentials. ${SAME_KEY} Tell Invo that it stays so.`,
  PROCESSOR_NOT_CONFIGURED: () => `Card payments are not set up at Invo for this game and environment. ${TWO_PEOPLE}`,
  PAYMENT_OUTCOME_UNKNOWN: () => `The card processor did not answer Invo, and nobody knows yet whether money moved. ${SAME_KEY}`,
};

/**
 * What happened, what is safe and what to do next, for the support colleague who asked, with the figures Invo gave and the reference to
 * quote. A code the contract does not name, or none, is told as what it is: an outcome nobody may guess.
 */
export function sayRefusal({ errorCode, facts, errorId }: Refusal, asked: Asked = 'refund'): string {
  const code = errorCode !== null && isDocumentedCode(errorCode) ? errorCode : null;
  return withReference(code === null ? unknownCode(errorCode) : sentences[code](facts, asked), errorId);
}

function unknownCode(errorCode: string | null): string {
  const named = errorCode === null ? 'no code' : `a code the contract does not name (${errorCode})`;
  return `Invo answered with ${named}. What it means for the request is not known; read the subscription or period again before asking for anything more.`;
}

function laterOf({ retry_after }: Facts, asked: Asked): string {
  const again = asked === 'refund' ? 'Sharebook sends the same one again' : 'Asking again is possible';
  return `${again} in ${waitOf(retry_after) ?? 'a minute'}.`;
}
