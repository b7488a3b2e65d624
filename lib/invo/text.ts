import {
  classOf,
  type DocumentedCode,
  decidingCode,
  type ErrorCodes,
  type InvoErrorCode,
  isCertainRefusal,
  isDocumentedCode,
  isOpenCode,
  type OpenCode,
  type RequestKind,
} from './rules/error-codes.ts';
import { type RouteFamily, routeCode } from './rules/route-codes.ts';
import { formatRouteCode, raiseOf, refundedOf, remainingOf, sizeOf, statusOf } from './rules/route-text.ts';

/** An error as Invo reported it: its codes, the figures beside them, and the reference to quote. */
export interface Refusal extends ErrorCodes {
  errorId: string | null;
}

/** What text is made of from an InvoError. */
export interface ReportedError extends Refusal {
  code: InvoErrorCode;
  /** The first field that broke the contract. */
  path: string | null;
  retryAfterMs: number | null;
  /** null: no request was sent, or Invo didn't answer. */
  status: number | null;
  /** The family of routes of these codes; none: reports and subscriptions. */
  family?: RouteFamily | null;
  /** Invo's own sentence, without emails and phones. */
  prose?: string | null;
}

type Facts = Refusal['facts'];

const STORED = 'Stored data is unchanged.';
const UNCHANGED: Record<RequestKind, string> = {
  refund: 'Nothing was refunded by this request.',
  change: 'The subscription is unchanged.',
  read: 'Nothing was changed.',
};
const { refund: NOTHING_REFUNDED, change: SUBSCRIPTION_UNCHANGED, read: NOTHING_CHANGED } = UNCHANGED;
const BUG = 'This is a bug in Sharebook; please report it.';
const SAME_KEY =
  'Whether money moved isn’t known yet. Sharebook retries with the same idempotency key, which Invo never executes twice; don’t refund this period elsewhere.';
const TWO_PEOPLE = 'Whether money moved isn’t known. Don’t refund this period elsewhere; two people check it together with Invo.';
const READ_FIRST =
  'Whether the change was made isn’t known. Read the subscription again; if it is unchanged, submit the change again, which is safe.';

/** What happened, in one sentence, for codes after which the outcome is open. What to do next depends on the request. */
const OPEN_CODES: Record<OpenCode, string> = {
  REFUND_LOOKUP_FAILED: 'Invo couldn’t find out what became of the refund at the card processor.',
  REFUND_MISMATCH: 'The card processor’s record doesn’t match Invo’s record.',
  PROCESSOR_ERROR: 'The card processor refused or failed.',
  PROCESSOR_UNAVAILABLE: 'The card processor rejected Invo’s own credentials. If this continues, tell Invo.',
  PROCESSOR_NOT_CONFIGURED: 'Card payments aren’t set up at Invo for this game and environment. Tell Invo.',
  PAYMENT_OUTCOME_UNKNOWN: 'The card processor didn’t answer Invo.',
  service_unavailable: 'Invo is temporarily unavailable.',
  FLOW_PAUSED: 'Invo has paused these requests for maintenance.',
  paused: 'Invo has paused changes of price and card, and didn’t say for how long.',
  INTERNAL_ERROR: 'Invo failed on its side.',
};

/** What happened, what is safe and what to do next, for codes that say that the request was not executed. */
const CLOSED_CODES: Record<Exclude<DocumentedCode, OpenCode>, (facts: Facts, kind: RequestKind) => string> = {
  SUBSCRIPTION_NOT_FOUND: () =>
    `Invo doesn’t know this subscription in this game and environment. ${NOTHING_CHANGED} Check the ID, or search in another game.`,
  INVALID_FIELD_VALUE: () =>
    `Invo couldn’t read an ID or a value of the request. ${NOTHING_CHANGED} Check what was entered; if it is right, please report it.`,
  PLAYER_EMAIL_REQUIRED: () => `The request named a player without an email. ${NOTHING_CHANGED} Enter the email and search again.`,
  PLAYER_EMAIL_TOO_LONG: () => `The email is longer than Invo accepts. ${NOTHING_CHANGED} Check that nothing else was pasted with it.`,
  STATUS_INVALID: () => `Invo doesn’t know one of the statuses in the filter. ${NOTHING_CHANGED} Remove the filter and try again.`,
  PAGINATION_INVALID: () => `Invo has no such page: a list ends at 100,000 entries. ${NOTHING_CHANGED} Narrow the list down.`,
  SUBSCRIPTION_TERMINAL: () =>
    `The subscription has ended, so its price and card can’t be changed. ${SUBSCRIPTION_UNCHANGED} The player can start a new one.`,
  PCSTORE_REAUTHORIZATION_REQUIRED: (facts) =>
    `The subscription is charged through the game store, where the price can’t be raised${raiseOf(facts)} without the player’s consent. ${SUBSCRIPTION_UNCHANGED} A lower price can be staged.`,
  PAYMENT_METHOD_NOT_FOUND: () =>
    `This card is not among the player’s saved cards in this game. ${SUBSCRIPTION_UNCHANGED} Load the cards again and choose one.`,
  PAYMENT_METHOD_EXPIRED: () =>
    `This card has expired. ${SUBSCRIPTION_UNCHANGED} Choose another saved card, or ask the player to save a new one.`,
  PAYMENT_METHOD_INVALID: () => `Invo can’t charge this card. ${SUBSCRIPTION_UNCHANGED} Choose another saved card.`,
  PAYMENT_METHOD_REQUIRED: () => `The request named no card. ${SUBSCRIPTION_UNCHANGED} Choose one of the player’s saved cards.`,
  WALLET_ONLY_SUBSCRIPTION: () =>
    `This subscription is paid from the wallet only. ${SUBSCRIPTION_UNCHANGED} To charge a card, choose to convert it and confirm again.`,
  WALLET_ONLY_CONFLICT: () => `A subscription can’t be wallet-only and have a card. ${SUBSCRIPTION_UNCHANGED} Choose one of the two.`,
  NOT_A_CARD_SUBSCRIPTION: () =>
    `The subscription is charged through the game store, not by card. ${SUBSCRIPTION_UNCHANGED} The player changes the payment method there.`,
  PAYMENT_METHOD_UNAVAILABLE: () =>
    `The card was removed while it was being set. ${SUBSCRIPTION_UNCHANGED} Load the cards again and choose another one.`,

  CLIENT_REQUEST_ID_REQUIRED: () => `The refund has no idempotency key. ${NOTHING_REFUNDED} ${BUG}`,
  CLIENT_REQUEST_ID_INVALID: () => `Invo couldn’t read the idempotency key of the refund. ${NOTHING_REFUNDED} ${BUG}`,
  CLIENT_REQUEST_ID_TOO_LONG: () => `The idempotency key of the refund is longer than Invo accepts. ${NOTHING_REFUNDED} ${BUG}`,
  CLIENT_REQUEST_ID_RESERVED: () => `The idempotency key of the refund begins with letters that Invo reserves. ${NOTHING_REFUNDED} ${BUG}`,
  INVALID_PERIOD_SEQ: () => `Invo couldn’t read the period’s number. ${NOTHING_REFUNDED} Open the period again and refund it from there.`,
  PERIOD_NOT_FOUND: () =>
    `Invo doesn’t know this period in this game and environment. ${NOTHING_CHANGED} Check the ID, or open the period from its subscription.`,
  INVALID_AMOUNT: (_, kind) => `Invo couldn’t use the amount. ${UNCHANGED[kind]} Enter an amount above zero, for example 4.50.`,
  AMOUNT_EXCEEDS_REMAINING: (facts) =>
    `The amount exceeds what can still be refunded${remainingOf(facts)}. ${NOTHING_REFUNDED} Read the period again and enter less.`,
  INVALID_BODY: (_, kind) => `Invo couldn’t read the request as a whole. ${UNCHANGED[kind]} ${BUG}`,
  NO_PAID_PERIOD: () => `Nothing has been collected on this subscription yet. ${NOTHING_REFUNDED} There is nothing to refund.`,
  PERIOD_NOT_REFUNDABLE: (facts) =>
    `This period was never collected${statusOf(facts)}. ${NOTHING_REFUNDED} Find the period the player was charged for.`,
  ALREADY_REFUNDED: (facts) =>
    `This period is already refunded in full${refundedOf(facts)}. ${NOTHING_REFUNDED} The period’s page shows when, and by which refund.`,
  PCSTORE_REFUND_NOT_SUPPORTED: () =>
    `The game store charged this period, and only the store can refund it. ${NOTHING_REFUNDED} Ask the player to request it there.`,
  MINT_ORDER_MISSING: () =>
    `Invo can’t find the order behind the card charge of this period. ${NOTHING_REFUNDED} Ask Invo to correct the record.`,
  NO_PAYMENT_REFERENCE: () =>
    `Invo’s record of the card charge has no reference to refund by. ${NOTHING_REFUNDED} Ask Invo to correct the record.`,
  RATE_LIMITED: (facts, kind) =>
    `More than 20 ${kind === 'refund' ? 'refund ' : ''}requests in a minute reached this subscription. ${UNCHANGED[kind]} ${againIn(facts, kind)}`,

  WINDOW_INVALID: () =>
    `Invo couldn’t read the window: it needs a start, and an end after it. ${NOTHING_CHANGED} Correct the window and try again.`,
  WINDOW_TOO_LONG: () => `The window is longer than the 400 days a report can cover. ${NOTHING_CHANGED} Choose a shorter one.`,
  WINDOW_TOO_LARGE: (facts) => `${windowTooLarge(facts)} ${NOTHING_CHANGED} Choose a shorter window.`,
  RECIPIENT_INVALID: () => `Invo couldn’t read the recipient’s ID. ${NOTHING_CHANGED} A recipient’s ID is a player ID, a whole number.`,
  SUBSCRIPTION_ID_INVALID: () =>
    `Invo couldn’t read the subscription ID in the filter. ${NOTHING_CHANGED} An ID has at most 50 characters; check what was entered.`,
  rate_limit_exceeded: (facts, kind) => `This game has sent Invo too many requests. ${UNCHANGED[kind]} ${againIn(facts, kind)}`,
  INVALID_GAME_SECRET: () =>
    'Invo refused the game secret, so the request was not executed. Ask an administrator to configure the secret of this game and environment.',
  PLAYER_NOT_FOUND: () =>
    `Invo doesn’t know this player in this game and environment. ${NOTHING_CHANGED} Check the email, or search in another game.`,
};

/** What happened, and what to do next if waiting isn't all. */
const INVO_ERRORS: Record<InvoErrorCode, (error: ReportedError) => [what: string, next: string]> = {
  unreachable: () => [
    'Couldn’t reach Invo, or the connection closed before the whole answer came.',
    'Try again; if this continues, check the base URL and the network.',
  ],
  timeout: () => ['Invo didn’t respond in time.', 'Try again in a few minutes.'],
  unauthorized: () => ['Invo refused the game secret.', 'Configure the secret of this game and environment.'],
  not_live: () => ['Invo says this game is neither live nor in testing.', 'Check the game’s status in the Invo console.'],
  rate_limited: ({ retryAfterMs, status }) => {
    const wait = formatWait((retryAfterMs ?? 0) / 1000);
    return status === null
      ? ['Waiting for a free call slot: this game’s calls to Invo are in use.', `Try again in ${wait ?? 'a minute'}.`]
      : // The limit may be the game's, or one of a player or an address: a 429 doesn't say.
        [
          `Invo asked Sharebook to wait${wait === null ? '' : ` ${wait}`}.`,
          wait === null ? 'Try again in a minute.' : 'Try again after that.',
        ];
  },
  not_found: () => ['Invo has no such record in this game and environment.', 'Check the ID, or search in another game.'],
  rejected: ({ errorCode }) => [
    `Invo refused the request${errorCode === null ? '' : ` (${errorCode})`}.`,
    'Sending the same request again won’t help.',
  ],
  window_too_large: ({ facts }) => [windowTooLarge(facts), 'Choose a shorter window.'],
  upstream_fault: () => ['Invo failed on its side.', 'Try again in a few minutes.'],
  malformed: ({ path }) => [
    `Invo’s answer breaks the contract${path === null ? '' : ` at ${path}`}.`,
    'It was not used. Report it to Invo.',
  ],
  redirected: () => ['Invo redirected to another address, where the secret was not sent.', 'Check the base URL.'],
  too_large: () => ['Invo’s answer is larger than Sharebook accepts.', 'It was not used. Choose a shorter window, or report it to Invo.'],
  aborted: () => ['The request was stopped before Invo answered.', 'Start it again when you are ready.'],
};

// On a refund attempt these need an administrator; the rest is retried.
const NEEDS_ADMINISTRATOR: ReadonlySet<InvoErrorCode> = new Set(['unauthorized', 'not_live', 'redirected']);

/** Why a refund or its sender stopped, if it wasn't an answer of Invo. */
const OWN_CODES = {
  sender_silent: 'The process that sent it stopped reporting. Its call may have been executed.',
  restore_unchecked: 'Sharebook couldn’t confirm that its database is current, so nothing was sent. It tries again automatically.',
  period_changed: 'The period changed at Invo after the refund was requested, so its approval no longer applies. Nothing was sent.',
  approval_lapsed: 'It couldn’t be sent within a day of its approval, so the approval expired. No money moved.',
} as const;

/** What a failed read was about, where that decides the sentence. */
export interface ReadTarget {
  /** Requested by the email of a player: a code that names another kind of record says nothing about the player. */
  isPlayer?: boolean;
  /** Its answers are never stored. */
  isUnstored?: boolean;
  /** A whole list of the game: nobody entered an ID or a value that could be wrong. */
  isList?: boolean;
}

/** A failed read: what happened, what is safe, what to do next, and the reference to quote. */
export function formatInvoError(error: ReportedError, target: ReadTarget = {}): string {
  const ofRoute = formatOnRoute(error, target);
  if (ofRoute !== null) return withReference(ofRoute, error.errorId);
  const code = decidingCode(error, 'read');
  const ofTarget = formatForTarget(error.code, code, target);
  if (ofTarget !== null) return withReference(ofTarget, error.errorId);
  const isNamed = (error.code === 'rejected' || error.code === 'not_found') && code !== null && isDocumentedCode(code);
  if (isNamed && !isOpenCode(code)) return formatRefusal(error, 'read');
  const [what, next] = INVO_ERRORS[error.code](error);
  return withReference([what, ...(target.isUnstored ? [] : [STORED]), next].join(' '), error.errorId);
}

/** The sentence of a refusal that is about the route and not about what was entered; null: it may be about that. */
function formatForTarget(error: InvoErrorCode, code: string | null, { isPlayer, isUnstored, isList }: ReadTarget): string | null {
  const named = code === null ? '' : ` (${code})`;
  if (isList && error === 'not_found')
    return `Invo found no such list for this game and environment${named}. Ask Invo whether the game is set up for it.`;
  if (isList && error === 'rejected') return `Invo refused the request${named}. It holds nothing to correct; report the error to Invo.`;
  if (!isPlayer || error !== 'not_found' || code === 'PLAYER_NOT_FOUND') return null;
  return isUnstored
    ? `Invo answered that it has no such record${named}, which doesn’t say whether it knows this player. Try again; if this continues, report it to Invo.`
    : `Invo answered that it has no such record for this player${named}. ${STORED} Check the email, or search in another game.`;
}

/** The sentence of the route's own code, or Invo's own words where a refusal has no code; null: neither. */
function formatOnRoute(error: ReportedError, { isUnstored }: ReadTarget): string | null {
  const { family = null, prose = null, code } = error;
  if (family === null) return null;
  // A player's token was refused, whatever the 401 names; the game's secrets have nothing to do with it.
  if (code === 'unauthorized') return formatRouteCode(family, 'SDK_TOKEN_MALFORMED');
  const deciding = decidingCode(error, 'read', family);
  const isSetting = deciding !== null && routeCode(family, deciding)?.meaning === 'not_enabled';
  if (code !== 'rejected' && code !== 'not_found' && !isSetting) return null;
  const sentence = deciding === null ? null : formatRouteCode(family, deciding);
  if (sentence !== null || prose === null || code !== 'rejected') return sentence;
  return `Invo refused the request${deciding === null ? '' : ` (${deciding})`}: “${prose}”${isUnstored ? '' : ` ${STORED}`}`;
}

/** The result of a refund attempt, from its stored code: one of Invo's, or one of ours. */
export function formatAttemptError({ errorCode, facts, errorId }: Refusal & { errorCode: string }): string {
  if (Object.hasOwn(OWN_CODES, errorCode)) return withReference(OWN_CODES[errorCode as keyof typeof OWN_CODES], errorId);
  if (!Object.hasOwn(INVO_ERRORS, errorCode)) return formatRefusal({ errorCode, facts, errorId });
  const code = errorCode as InvoErrorCode;
  const [what, next] = INVO_ERRORS[code]({ code, errorCode: null, facts, errorId, path: null, retryAfterMs: null, status: 429 });
  return withReference(NEEDS_ADMINISTRATOR.has(code) ? `${what} ${next}` : what, errorId);
}

/** What happened, what is safe and what to do next, with Invo's figures and the reference to quote. An undocumented code is never guessed at. */
export function formatRefusal(refusal: Refusal, kind: RequestKind = 'refund'): string {
  const { facts, errorId } = refusal;
  const code = decidingCode(refusal, kind);
  if (code === null || !isDocumentedCode(code)) return withReference(undocumented(code), errorId);
  return withReference(isOpenCode(code) ? formatOpen(code, kind) : CLOSED_CODES[code](facts, kind), errorId);
}

/** A refused change of a subscription. */
export function formatChangeRefusal(refusal: Refusal & { status: number; retryAfterMs: number | null }): string {
  const { status, errorId, retryAfterMs } = refusal;
  const code = decidingCode(refusal, 'change');
  if (isCertainRefusal(refusal) && status === 429)
    return withReference(
      `This game has sent Invo too many requests. ${SUBSCRIPTION_UNCHANGED} Try again in ${formatWait((retryAfterMs ?? 0) / 1000) ?? 'a minute'}.`,
      errorId,
    );
  if (isCertainRefusal(refusal) && status === 403)
    return withReference(
      `Invo refused this game${code === null ? '' : ` (${code})`}, as it does when a game is neither live nor in testing. ${SUBSCRIPTION_UNCHANGED} Check the game’s status in the Invo console.`,
      errorId,
    );
  if (code === null) return formatUnknownChange(refusal);
  return formatRefusal(refusal, 'change');
}

/** A change whose outcome is unknown. The code of a refusal proves nothing under the status of a failure, so it is left out. */
export function formatUnknownChange({ errorCode, errorId }: Pick<Refusal, 'errorCode' | 'errorId'>): string {
  const isRefusal = errorCode !== null && isDocumentedCode(errorCode) && !isOpenCode(errorCode);
  if (errorCode === null || isRefusal) return withReference(`Invo sent no clear answer. ${READ_FIRST}`, errorId);
  return formatRefusal({ errorCode, facts: {}, errorId }, 'change');
}

function formatOpen(code: OpenCode, kind: RequestKind): string {
  const next = kind === 'change' ? READ_FIRST : classOf(code, kind) === 'attention' ? TWO_PEOPLE : SAME_KEY;
  return `${OPEN_CODES[code]} ${kind === 'read' ? NOTHING_CHANGED : next}`;
}

function undocumented(code: string | null): string {
  const named = code === null ? 'no error code' : `an error code its documentation doesn’t list (${code})`;
  return `Invo answered with ${named}. The outcome of the request isn’t known; read the subscription or period again before you do anything else.`;
}

function windowTooLarge(facts: Facts): string {
  return `The window holds more than one report can carry${sizeOf(facts)}.`;
}

function againIn({ retry_after }: Facts, kind: RequestKind): string {
  const again = kind === 'refund' ? 'Sharebook sends the same refund again' : 'Try again';
  return `${again} in ${formatWait(retry_after) ?? 'a minute'}.`;
}

function withReference(text: string, errorId: string | null): string {
  return errorId === null ? text : `${text} Quote ${errorId} to Invo.`;
}

/** The wait that Invo requested: `17 s`; null: it named none. */
function formatWait(seconds: unknown): string | null {
  const counted = Number(seconds ?? Number.NaN);
  return Number.isFinite(counted) && counted > 0 ? `${Math.ceil(counted)} s` : null;
}
