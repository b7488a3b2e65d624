import { formatUsd, parseMoney, sumMoney } from '../../core/money.ts';
import { type RouteCode, type RouteFamily, routeCode } from './route-codes.ts';

type Sentences = { [Family in RouteFamily]: Readonly<Record<RouteCode<Family>, string>> };

const NOTHING_CHANGED = 'Nothing was changed.';
const NOT_CHARGED = 'Nothing was charged.';
const NOT_MOVED = 'Nothing was reserved or moved.';
const SETTING = 'This is a setting at Invo and doesn’t pass by itself; ask Invo to change it.';
const BUG = 'This is a bug in Sharebook; please report it.';

const SECRET = {
  INVALID_GAME_SECRET:
    'Invo refused the game secret, so the request was not executed. Ask an administrator to configure the secret of this game and environment.',
};
const COMMON = {
  ...SECRET,
  rate_limit_exceeded: `This game has sent Invo too many requests. ${NOTHING_CHANGED} Try again in a minute.`,
  INTERNAL_ERROR: 'Invo failed on its side. Try again in a few minutes.',
  service_unavailable: 'Invo is temporarily unavailable. Try again in a few minutes.',
};
const RAILS = {
  RAIL_DISABLED: `This payment rail isn’t enabled for the game. ${NOT_CHARGED}`,
  RAIL_CHANNEL_MISMATCH: `The payment rail that was sent doesn’t match the storefront key. ${NOT_CHARGED} Leave the rail out.`,
  PCSTORE_RAIL_NOT_ENTITLED: `The game isn’t enabled for PC store purchases. ${NOT_CHARGED}`,
  PCSTORE_PURCHASE_LAYER_REQUIRED: `This game’s currency must be bought through the PC store. ${NOT_CHARGED}`,
  RAIL_NOT_AVAILABLE_TO_PLATFORM: `This tenant is a platform, and payment routes are for games. ${NOT_CHARGED}`,
};
const PROCESSOR_DOWN = 'The card processor rejected Invo’s own credentials.';
const NOT_SET_UP = 'Card payments aren’t set up at Invo for this game and environment.';
const SPENDING_LIMIT = `The player reached a spending limit. ${NOT_CHARGED} Other players aren’t affected.`;
const NO_PAYMENTS = 'Invo isn’t sending payments at the moment.';
const PCSTORE_VALUE = {
  PCSTORE_VALUE_NON_TRANSFERABLE: `Part of the balance comes from the PC store and can’t leave it. ${NOT_MOVED} A lower amount may be possible.`,
  NON_PCSTORE_VALUE_INTO_PCSTORE_BLOCKED: `Currency from outside the PC store can’t be moved into a PC store game. ${NOT_MOVED}`,
};
const COOLDOWN = 'Money can’t leave this account for a while after a passkey recovery. Nothing was moved. Wait until the time Invo gives.';
const TOKEN = 'Invo refused the player token, so nothing moved. A new token is needed.';
const TOKEN_REFUSED = `Invo refused the player token. ${NOTHING_CHANGED} A new token is needed.`;
const PHONE_SHARE =
  'The phone number belongs to an account with another email, and its owner is asked by text. Nothing was moved. The request can continue once the owner agrees.';
const RESERVED_KEY = `The reference begins with letters that Invo reserves. ${NOT_CHARGED} ${BUG}`;
const GUARDIAN_NEEDED = 'A guardian is asked first. Nothing was refused; the request can continue once the guardian agrees.';
const GUARDIAN_GATE = {
  GUARDIAN_APPROVAL_PENDING: GUARDIAN_NEEDED,
  GUARDIAN_APPROVAL_REJECTED: 'The guardian declined. The transaction can’t continue.',
  GUARDIAN_APPROVAL_EXPIRED: 'The guardian didn’t answer in time. The transaction can’t continue.',
};
const NOT_VERIFIED = `In-app verification isn’t enabled for this environment. ${SETTING}`;
const BANK_CHECK = 'The bank still has to check this with the player.';

/** What happened, what is safe and what to do next, for each code on each family of routes. */
const SENTENCES: Sentences = {
  loyalty_read: {
    ...SECRET,
    INVALID_PLAYER_EMAIL: `Invo couldn’t read the player’s email. ${NOTHING_CHANGED} Check the email that is stored for the player.`,
    PLAYER_NOT_FOUND: 'Invo has no player with this email in this game, so there is no loyalty card.',
  },
  loyalty_event: {
    ...SECRET,
    INVALID_BODY: `Invo couldn’t read the event. Nothing was recorded. ${BUG}`,
    MISSING_PLAYER_EMAIL: `The event names no player. Nothing was recorded. ${BUG}`,
    MISSING_EVENT_TYPE: `The event has no type. Nothing was recorded. ${BUG}`,
    EVENT_TYPE_NOT_ALLOWED: 'Invo accepts only event types that begin with game. Nothing was recorded.',
    RESERVED_EVENT_TYPE: 'Invo reports this type of event itself. Nothing was recorded.',
    INVALID_EVENT_ID: `The event’s ID isn’t a UUID. Nothing was recorded. ${BUG}`,
    INVALID_OCCURRED_AT: 'Invo couldn’t read the event’s time. Nothing was recorded. Enter the time with its time zone.',
    INVALID_PAYLOAD: `Invo couldn’t read the event’s payload. Nothing was recorded. ${BUG}`,
    INVALID_SURFACE_ID: `Invo couldn’t read the event’s surface ID. Nothing was recorded. ${BUG}`,
    PLAYER_NOT_FOUND: 'Invo has no player with this email in this game. Nothing was recorded, and an event creates no player.',
    validation_failed: 'Invo refused the event’s name or value. Nothing was recorded. Check what is registered in the Invo console.',
  },
  loyalty_player: { SDK_TOKEN_MALFORMED: TOKEN_REFUSED },
  redeem: {
    SDK_TOKEN_MALFORMED: 'Invo refused the player token, so nothing was redeemed. A new token is needed.',
    already_redeemed: 'The reward was already redeemed, and its code can’t be shown again.',
    vault_entry_not_found: 'Invo has no such reward for this player.',
    vault_entry_expired: 'The reward expired before it was redeemed.',
  },
  player_token: {
    ...SECRET,
    TENANT_NOT_MIGRATED: `This game isn’t set up for player tokens at Invo. ${SETTING}`,
    player_not_found: 'Invo has no player with this email in this game.',
    identity_unavailable: 'Invo has no identity for this player, so it can’t issue a token.',
    sdk_verification_disabled: NOT_VERIFIED,
  },
  order: COMMON,
  item: COMMON,
  balance: COMMON,
  checkout: {
    ...COMMON,
    ...RAILS,
    SESSION_ALREADY_CONSUMED: 'The payment link was opened or used before. That doesn’t mean it was paid; the order shows it.',
    spending_limit_exceeded: SPENDING_LIMIT,
    service_unavailable: `${NO_PAYMENTS} No link was made. A new attempt is safe.`,
    PROCESSOR_UNAVAILABLE: `${PROCESSOR_DOWN} No link was made. If this continues, tell Invo.`,
    PROCESSOR_ERROR: 'The card processor failed. A link may have been made, but nobody has it; it ends by itself.',
    PROCESSOR_NOT_CONFIGURED: `${NOT_SET_UP} No link was made. Tell Invo.`,
  },
  payment_confirm: {
    ...COMMON,
    PROCESSOR_UNAVAILABLE: `${PROCESSOR_DOWN} The order shows whether the payment went through. If this continues, tell Invo.`,
    PROCESSOR_ERROR: 'The card processor ended the payment with an error. The order shows whether anything was charged.',
    PROCESSOR_NOT_CONFIGURED: `${NOT_SET_UP} The order shows whether the payment went through. Tell Invo.`,
  },
  purchase: {
    ...SECRET,
    ...RAILS,
    MISSING_PURCHASE_REFERENCE: `The purchase has no reference. ${NOT_CHARGED} ${BUG}`,
    INVALID_PURCHASE_REFERENCE: `The purchase reference is longer than Invo accepts. ${NOT_CHARGED} ${BUG}`,
    CLIENT_REQUEST_ID_RESERVED: RESERVED_KEY,
    INVALID_SAVE_CARD: `Invo couldn’t read whether to save the card. ${NOT_CHARGED} ${BUG}`,
    spending_limit_exceeded: SPENDING_LIMIT,
    service_unavailable: `${NO_PAYMENTS} ${NOT_CHARGED} A new attempt is safe.`,
    PROCESSOR_UNAVAILABLE: `${PROCESSOR_DOWN} ${NOT_CHARGED} If this continues, tell Invo.`,
    PROCESSOR_ERROR: 'The card processor ended the payment with an error. The order shows whether anything was charged.',
    PROCESSOR_NOT_CONFIGURED: `${NOT_SET_UP} ${NOT_CHARGED} Tell Invo.`,
    PAYMENT_OUTCOME_UNKNOWN:
      'The card processor didn’t answer Invo, so the player may have been charged. Only the same reference may be sent again; read the order until it ends.',
    requires_action: `${BANK_CHECK} Nothing has been charged.`,
    pending: 'The payment is still being processed. Wait; a new reference could charge twice.',
    failed: 'The purchase failed and its reference can’t be used again. The order shows why.',
  },
  card_setup: {
    ...SECRET,
    ...RAILS,
    RAW_CARD_NOT_SUPPORTED: 'Only cards can be saved, not other payment methods. Nothing was saved.',
    CLIENT_REQUEST_ID_RESERVED: RESERVED_KEY,
    PLAYER_NOT_FOUND: 'Invo has no player with this email in this game. Saving a card creates no player.',
    requires_action: BANK_CHECK,
    requires_confirmation: 'The player still has to confirm the card.',
    requires_payment_method: 'The player still has to enter a card.',
    spending_limit_exceeded: 'The player reached a spending limit. The card wasn’t saved. Other players aren’t affected.',
    service_unavailable: `${NO_PAYMENTS} Nothing was saved. A new attempt is safe.`,
    PROCESSOR_UNAVAILABLE: `${PROCESSOR_DOWN} Nothing was saved. If this continues, tell Invo.`,
    PROCESSOR_ERROR: 'The card processor ended the set-up with an error. The player’s cards show whether the card was saved.',
    PROCESSOR_NOT_CONFIGURED: `${NOT_SET_UP} Nothing was saved. Tell Invo.`,
    still_requires_action: 'The bank’s check isn’t finished yet. Try again after the player has finished it.',
  },
  transfer_start: {
    ...SECRET,
    ...PCSTORE_VALUE,
    SOURCE_GAME_NOT_LIVE: `This game isn’t live, so nothing can leave it. ${NOT_MOVED}`,
    TARGET_GAME_NOT_LIVE: `The destination game isn’t live. ${NOT_MOVED}`,
    TRANSFER_POLICY_VIOLATION: `The game’s transfer policy doesn’t allow this destination. ${NOT_MOVED}`,
    PASSKEY_RECOVERY_COOLDOWN: COOLDOWN,
    GUARDIAN_REQUIRED: `The player needs a guardian who can approve, and has none. ${NOT_MOVED}`,
    pending_guardian_approval: GUARDIAN_NEEDED,
    PHONE_SHARE_APPROVAL_REQUIRED: PHONE_SHARE,
    flow_paused: `Invo has paused transfers for maintenance. ${NOT_MOVED} Start it again after the pause.`,
  },
  send_start: {
    ...SECRET,
    ...PCSTORE_VALUE,
    pending_guardian_approval: GUARDIAN_NEEDED,
    PHONE_SHARE_APPROVAL_REQUIRED: PHONE_SHARE,
    CURRENCY_SEND_POLICY_VIOLATION: `The receiving game isn’t in the list this game may send to. ${NOT_MOVED}`,
    GAME_TO_PLATFORM_BLOCKED: `A game can’t send to a platform. ${NOT_MOVED}`,
    PLATFORM_TO_GAME_BLOCKED: `A platform can’t send to a game. ${NOT_MOVED}`,
    velocity_limit_exceeded: `The player reached the hourly limit of sends. ${NOT_MOVED} Other players aren’t affected.`,
  },
  transfer_read: SECRET,
  destinations: SECRET,
  approve: {
    ...GUARDIAN_GATE,
    TRANSACTION_NOT_PENDING:
      'Usually this means that it was approved before. Read the transfer’s status. The claim code isn’t issued again.',
    DEVICE_APPROVAL_NOT_APPROVED: 'The phone’s approval doesn’t cover this transaction. Nothing was moved.',
    INVALID_INPUT: `Invo couldn’t read the approval. Nothing was moved. ${BUG}`,
    TRANSFER_APPROVE_FAILED:
      'Invo failed while approving, and money may already have moved. Don’t approve, refund or start it again; read its status and quote the reference to Invo.',
    SDK_TOKEN_MALFORMED: TOKEN,
    not_transfer_sender: 'The token belongs to a player who didn’t start this transfer. Nothing was moved.',
    PASSKEY_RECOVERY_COOLDOWN: COOLDOWN,
    GUARDIAN_APPROVAL_CHECK_UNAVAILABLE: 'Invo couldn’t check the guardian’s answer. Try again in a moment.',
    sdk_verification_disabled: NOT_VERIFIED,
  },
  receipt: { SDK_TOKEN_MALFORMED: 'Invo refused the player token, so nothing was collected. A new token is needed.' },
  claim: {
    ...SECRET,
    PHONE_SHARE_APPROVAL_REQUIRED:
      'The phone number belongs to an account with another email, and its owner is asked by text. Nothing was collected. Collect it again once the owner agrees.',
  },
  passkey: {
    SDK_TOKEN_MALFORMED: TOKEN,
    WEBAUTHN_NO_CREDENTIAL: 'The player has no passkey.',
    WEBAUTHN_NOT_ENABLED_FOR_TENANT: 'Passkeys in the client aren’t available to this game. The player approves on their phone instead.',
    WEBAUTHN_TENANT_MISMATCH: 'The passkey belongs to another game.',
  },
  grant: {
    SDK_TOKEN_MALFORMED: TOKEN,
    authorization_pending: 'Waiting for the player’s phone.',
    slow_down: 'Waiting for the player’s phone, and asking less often.',
    expired_token: 'The code expired before the phone answered. Begin again.',
    access_denied: 'The player declined on the phone.',
    invalid_grant: 'Invo doesn’t know this code, or it isn’t this player’s. Begin again.',
    DEVICE_APPROVAL_ALREADY_PENDING: 'The phone already approved; the code issued before settles it.',
  },
  pin: {
    ...SECRET,
    ...GUARDIAN_GATE,
    HIGH_VALUE_REQUIRES_APP: 'The amount is too high for approval by text. The player approves in the app.',
    PASSKEY_RECOVERY_COOLDOWN: COOLDOWN,
    resend_cooldown: 'A text was sent less than 30 seconds ago. Wait before asking for another.',
    pin_expired: 'The PIN expired. A new transfer is needed; what was reserved goes back.',
  },
  phone_share: { ...SECRET, PHONE_SHARE_APPROVAL_REQUIRED: PHONE_SHARE },
};

/** The sentence of a code on a family of routes; null for a code the documents don't name there. */
export function formatRouteCode(family: RouteFamily, code: string): string | null {
  const known = routeCode(family, code);
  return known === null ? null : ((SENTENCES[family] as Readonly<Record<string, string>>)[known.code] ?? null);
}

// The figures Invo gives with a refusal, as the part of a sentence they make; empty where there are none that can be read.

type Facts = Readonly<Record<string, unknown>>;

/** What was refunded and what is left. */
export function remainingOf({ already_refunded_usd, remaining_refundable_usd }: Facts): string {
  const [already, left] = [parseMoney(already_refunded_usd), parseMoney(remaining_refundable_usd)];
  if (left === null) return '';
  return already === null
    ? `: ${formatUsd(left)} is left`
    : `: ${formatUsd(already)} of ${formatUsd(sumMoney([already, left]))} was already refunded; ${formatUsd(left)} is left`;
}

/** How much of what was refunded. */
export function refundedOf({ refunded_amount_usd, amount_usd }: Facts): string {
  const [refunded, whole] = [parseMoney(refunded_amount_usd), parseMoney(amount_usd)];
  if (refunded === null) return '';
  return whole === null ? `: ${formatUsd(refunded)}` : `: ${formatUsd(refunded)} of ${formatUsd(whole)}`;
}

/** From which price to which. */
export function raiseOf({ current_amount_usd, requested_amount_usd }: Facts): string {
  const [now, requested] = [parseMoney(current_amount_usd), parseMoney(requested_amount_usd)];
  return now === null || requested === null ? '' : ` from ${formatUsd(now)} to ${formatUsd(requested)}`;
}

/** The status of a period. */
export function statusOf({ period_status }: Facts): string {
  return typeof period_status === 'string' ? ` (it is ${period_status})` : '';
}

/** How much a window holds, and the most it may. */
export function sizeOf({ settled_renewals, max_renewals, reversals, max_rows }: Facts): string {
  const bound = (most: unknown): string => (isCount(most) ? `at most ${most}` : 'more than allowed');
  if (isCount(settled_renewals)) return `: ${settled_renewals} settled renewals, ${bound(max_renewals)}`;
  return isCount(reversals) ? `: ${reversals} refunded renewals, ${bound(max_rows)}` : '';
}

function isCount(value: unknown): boolean {
  return /^\d{1,15}$/.test(String(value));
}
