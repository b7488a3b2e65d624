/**
 * What a code says on one family of routes. `refused`: not executed. `absent`: Invo has no such record. `no_access`: a secret, a token or the
 * title is not accepted. `not_enabled`: a setting at Invo that doesn't pass by itself. `wait`: the game's limit. `player_limit`: a limit of one
 * player, which holds nobody else up. `retry`, `paused` and `attention`: open, as in `error-codes.ts`. `unknown`: it may have been executed, and
 * is never sent again. `waiting` and `done`: no failure; it is in progress, or was done before. `ended`: over for good.
 */
const CODE_MEANINGS = [
  'unknown',
  'attention',
  'retry',
  'paused',
  'waiting',
  'done',
  'no_access',
  'not_enabled',
  'wait',
  'player_limit',
  'absent',
  'ended',
  'refused',
] as const;
export type CodeMeaning = (typeof CODE_MEANINGS)[number];

const SECRET = { INVALID_GAME_SECRET: 'no_access' } as const;
// Codes that any server route of document 2 may carry: the rate limit and the two failures it names without a route.
const COMMON = { ...SECRET, rate_limit_exceeded: 'wait', INTERNAL_ERROR: 'retry', service_unavailable: 'retry' } as const;
const RAILS = {
  RAIL_DISABLED: 'refused',
  RAIL_CHANNEL_MISMATCH: 'refused',
  PCSTORE_RAIL_NOT_ENTITLED: 'refused',
  PCSTORE_PURCHASE_LAYER_REQUIRED: 'refused',
  RAIL_NOT_AVAILABLE_TO_PLATFORM: 'no_access',
} as const;
// The public codes of the card processor, and what document 2 says of a payment that it refused to begin.
const PROCESSOR = { PROCESSOR_UNAVAILABLE: 'refused', PROCESSOR_ERROR: 'ended', PROCESSOR_NOT_CONFIGURED: 'not_enabled' } as const;
const PAYMENT = {
  ...PROCESSOR,
  spending_limit_exceeded: 'player_limit',
  // Only on payments: the circuit breaker is open, nothing was sent, a fresh reference is safe.
  service_unavailable: 'refused',
} as const;
const TOKEN = { SDK_TOKEN_MALFORMED: 'no_access' } as const;
const PCSTORE_VALUE = { PCSTORE_VALUE_NON_TRANSFERABLE: 'refused', NON_PCSTORE_VALUE_INTO_PCSTORE_BLOCKED: 'refused' } as const;
const GUARDIAN_GATE = {
  GUARDIAN_APPROVAL_PENDING: 'waiting',
  GUARDIAN_APPROVAL_REJECTED: 'ended',
  GUARDIAN_APPROVAL_EXPIRED: 'ended',
} as const;

/**
 * The codes of each family of routes outside reports, subscriptions and refunds (documents 1 to 3, Errors). The same code may say something else
 * on another family: a bare `service_unavailable` ends a purchase and repeats a refund.
 */
export const ROUTE_CODES = {
  loyalty_read: { ...SECRET, INVALID_PLAYER_EMAIL: 'refused', PLAYER_NOT_FOUND: 'absent' },
  loyalty_event: {
    ...SECRET,
    INVALID_BODY: 'refused',
    MISSING_PLAYER_EMAIL: 'refused',
    MISSING_EVENT_TYPE: 'refused',
    EVENT_TYPE_NOT_ALLOWED: 'refused',
    RESERVED_EVENT_TYPE: 'refused',
    INVALID_EVENT_ID: 'refused',
    INVALID_OCCURRED_AT: 'refused',
    INVALID_PAYLOAD: 'refused',
    INVALID_SURFACE_ID: 'refused',
    PLAYER_NOT_FOUND: 'absent',
    validation_failed: 'refused',
  },
  loyalty_player: TOKEN,
  redeem: { ...TOKEN, already_redeemed: 'ended', vault_entry_not_found: 'absent', vault_entry_expired: 'ended' },
  player_token: {
    ...SECRET,
    TENANT_NOT_MIGRATED: 'not_enabled',
    player_not_found: 'absent',
    identity_unavailable: 'refused',
    sdk_verification_disabled: 'not_enabled',
  },
  order: COMMON,
  item: COMMON,
  balance: COMMON,
  checkout: { ...COMMON, ...RAILS, ...PAYMENT, SESSION_ALREADY_CONSUMED: 'ended' },
  payment_confirm: { ...COMMON, ...PROCESSOR },
  purchase: {
    ...SECRET,
    ...RAILS,
    ...PAYMENT,
    MISSING_PURCHASE_REFERENCE: 'refused',
    INVALID_PURCHASE_REFERENCE: 'refused',
    CLIENT_REQUEST_ID_RESERVED: 'refused',
    INVALID_SAVE_CARD: 'refused',
    PAYMENT_OUTCOME_UNKNOWN: 'retry',
    requires_action: 'waiting',
    pending: 'waiting',
    failed: 'ended',
  },
  card_setup: {
    ...SECRET,
    ...RAILS,
    ...PAYMENT,
    RAW_CARD_NOT_SUPPORTED: 'refused',
    CLIENT_REQUEST_ID_RESERVED: 'refused',
    PLAYER_NOT_FOUND: 'absent',
    requires_action: 'waiting',
    requires_confirmation: 'waiting',
    requires_payment_method: 'waiting',
    still_requires_action: 'waiting',
  },
  transfer_start: {
    ...SECRET,
    ...PCSTORE_VALUE,
    SOURCE_GAME_NOT_LIVE: 'refused',
    TARGET_GAME_NOT_LIVE: 'refused',
    TRANSFER_POLICY_VIOLATION: 'refused',
    PASSKEY_RECOVERY_COOLDOWN: 'player_limit',
    GUARDIAN_REQUIRED: 'refused',
    pending_guardian_approval: 'waiting',
    PHONE_SHARE_APPROVAL_REQUIRED: 'waiting',
    flow_paused: 'paused',
  },
  send_start: {
    ...SECRET,
    ...PCSTORE_VALUE,
    pending_guardian_approval: 'waiting',
    PHONE_SHARE_APPROVAL_REQUIRED: 'waiting',
    CURRENCY_SEND_POLICY_VIOLATION: 'refused',
    GAME_TO_PLATFORM_BLOCKED: 'refused',
    PLATFORM_TO_GAME_BLOCKED: 'refused',
    velocity_limit_exceeded: 'player_limit',
  },
  transfer_read: SECRET,
  destinations: SECRET,
  approve: {
    ...GUARDIAN_GATE,
    TRANSACTION_NOT_PENDING: 'done',
    DEVICE_APPROVAL_NOT_APPROVED: 'refused',
    INVALID_INPUT: 'refused',
    TRANSFER_APPROVE_FAILED: 'unknown',
    ...TOKEN,
    not_transfer_sender: 'refused',
    PASSKEY_RECOVERY_COOLDOWN: 'player_limit',
    GUARDIAN_APPROVAL_CHECK_UNAVAILABLE: 'retry',
    sdk_verification_disabled: 'not_enabled',
  },
  receipt: TOKEN,
  claim: { ...SECRET, PHONE_SHARE_APPROVAL_REQUIRED: 'waiting' },
  passkey: {
    ...TOKEN,
    WEBAUTHN_NO_CREDENTIAL: 'refused',
    WEBAUTHN_NOT_ENABLED_FOR_TENANT: 'not_enabled',
    WEBAUTHN_TENANT_MISMATCH: 'refused',
  },
  grant: {
    ...TOKEN,
    authorization_pending: 'waiting',
    slow_down: 'waiting',
    expired_token: 'ended',
    access_denied: 'ended',
    invalid_grant: 'ended',
    DEVICE_APPROVAL_ALREADY_PENDING: 'done',
  },
  pin: {
    ...SECRET,
    ...GUARDIAN_GATE,
    HIGH_VALUE_REQUIRES_APP: 'refused',
    PASSKEY_RECOVERY_COOLDOWN: 'player_limit',
    resend_cooldown: 'player_limit',
    pin_expired: 'ended',
  },
  phone_share: { ...SECRET, PHONE_SHARE_APPROVAL_REQUIRED: 'waiting' },
} as const satisfies Record<string, Record<string, CodeMeaning>>;

export type RouteFamily = keyof typeof ROUTE_CODES;
/** The codes of one family. */
export type RouteCode<Family extends RouteFamily = RouteFamily> = Family extends RouteFamily ? keyof (typeof ROUTE_CODES)[Family] : never;

/** Every family of routes in the table. */
export const ROUTE_FAMILIES = Object.keys(ROUTE_CODES) as RouteFamily[];

// The documents write codes in two cases, so they are compared without it.
const TABLES: Readonly<Record<string, ReadonlyMap<string, { code: string; meaning: CodeMeaning }>>> = Object.fromEntries(
  Object.entries(ROUTE_CODES).map(([family, codes]) => [
    family,
    new Map(Object.entries(codes).map(([code, meaning]) => [code.toLowerCase(), { code, meaning }])),
  ]),
);

/** What a code says on a family of routes, under the name the documents give it; null: the documents don't name it there. */
export function routeCode(family: RouteFamily, code: string): { code: string; meaning: CodeMeaning } | null {
  return TABLES[family]?.get(code.toLowerCase()) ?? null;
}

/** Of several codes the one that promises least on a family of routes; a documented one before any other. Null: there is none. */
export function decidingRouteCode(family: RouteFamily, codes: readonly string[]): string | null {
  return byPromise(family, codes)[0] ?? null;
}

/** Codes in the order in which they decide on a family of routes. */
export function byPromise(family: RouteFamily, codes: readonly string[]): string[] {
  const rankOf = (code: string): number => {
    const known = routeCode(family, code);
    return known === null ? CODE_MEANINGS.length : CODE_MEANINGS.indexOf(known.meaning);
  };
  return codes.toSorted((a, b) => rankOf(a) - rankOf(b));
}

// Families where a 403 without a code has another meaning, or codes of its own, so that it says nothing about the game's status.
const OTHER_403: ReadonlySet<RouteFamily> = new Set([
  'player_token',
  'checkout',
  'payment_confirm',
  'purchase',
  'card_setup',
  'transfer_start',
  'send_start',
  'destinations',
  'approve',
  'receipt',
  'claim',
  'passkey',
  'grant',
  'pin',
]);

/** Whether a 403 without a code says on this family that the game is neither live nor in testing (document 2, Authentication). */
export function is403AboutGame(family: RouteFamily | undefined): boolean {
  return family === undefined || !OTHER_403.has(family);
}

const PLAYER_LIMITS: ReadonlySet<string> = new Set(
  Object.values(ROUTE_CODES)
    .flatMap((codes) => Object.entries(codes))
    .filter(([, meaning]) => meaning === 'player_limit')
    .map(([code]) => code.toLowerCase()),
);

/** Whether a code names a limit of one player: other calls of the game continue. */
export function isPlayerLimit(code: string | null): boolean {
  return code !== null && PLAYER_LIMITS.has(code.toLowerCase());
}

/** Every code of the table, as the documents write it. */
export const ROUTE_TABLE_CODES: ReadonlySet<string> = new Set(Object.values(ROUTE_CODES).flatMap((codes) => Object.keys(codes)));
