import type { SearchError, SearchIdKind, SearchQuery } from './rules/parse-search.ts';

const ID_LABELS: Record<SearchIdKind, string> = {
  email: 'email',
  player: 'player ID',
  subscription: 'subscription ID',
  period: 'period ID',
  transaction: 'transaction ID',
  order: 'order ID',
  transfer: 'transfer ID',
  payment_intent: 'payment intent ID',
  client_request: 'client_request_id',
  idempotency_key: 'idempotency key',
  event: 'event ID',
  payment: 'payment reference',
};

const HAS_SPACES =
  'No bank or provider reported this reference, or your role can’t see payments. Search for one email or ID at a time, without spaces. You can’t search by name.';

const MISTYPED =
  'This looks like a payment reference, but its check letter doesn’t fit: at least one letter is wrong. Compare it with the bank’s line.';

/** Why a text can't be searched for. */
export const SEARCH_ERRORS: Record<SearchError, string> = {
  empty:
    'Enter an email or any Invo ID: player, subscription, period, transaction, order, transfer, payment intent, client_request_id, the key or event ID of a webhook, a payment reference, or the ID of a payment file.',
  too_long: 'This is longer than any Invo ID. Enter only the email or the ID.',
  not_an_email: 'Enter a complete email, such as name@example.com.',
  not_an_id: 'No Invo ID looks like this. Enter only the email or the ID.',
};

export const EMAIL_NOT_ALLOWED = 'Your role can’t search by email. Use the player ID or a subscription ID.';
export const NO_LOCAL_MATCH = 'No local match. Press Enter to search Invo.';
export const SHAREBOOK_UNREACHABLE = 'Couldn’t reach Sharebook. Try again in a moment.';

/** Nothing local matches, and no request was sent to Invo. */
export function formatNoLocalMatch({ text, email, subscriptionId, recordId, number, isMistyped, kinds }: SearchQuery): string {
  if (email !== null) return 'No local player has this email.';
  if (subscriptionId !== null) return 'No local subscription has this ID.';
  if (isMistyped) return MISTYPED;
  if (/\s/.test(text)) return HAS_SPACES;
  if (kinds.length === 1 && kinds[0] === 'payment')
    return 'No payment or payment file of this game has this reference, or your role can’t see payments.';
  const names = kinds.map((kind) => ID_LABELS[kind]);
  const list = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  if (number !== null) return `No local ${list} matches this number.`;
  if (recordId !== null) return `No local ${list} matches.`;
  return `No local ${list} matches. Invo can’t be searched by these IDs. Try the email or the subscription ID.`;
}

/** Invo's own answer that it has no such record. `isConfirmed` false: Invo answered something else. */
export function formatNotFound({ email, subscriptionId, recordId, isMistyped }: SearchQuery, isConfirmed: boolean): string {
  if (email !== null) return 'No such player. Invo has no wallet and no subscription for this email in this game and environment.';
  if (subscriptionId !== null) return 'No such subscription in this game and environment.';
  if (!isConfirmed) return 'Invo didn’t answer this search.';
  if (isMistyped) return `No order and no transfer has this ID in this game and environment. ${MISTYPED}`;
  if (recordId !== null)
    return 'No order and no transfer has this ID in this game and environment. Invo can’t be searched by other IDs. Try the email or the subscription ID.';
  return 'No period, order or transfer has this number in this game and environment. Invo can’t be searched by player ID, and no local player has this ID. Try the email or the subscription ID.';
}

/** The number of local matches, while the person types. */
export function formatLocalCount(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '1 local match.' : `${count} local matches.`;
}
