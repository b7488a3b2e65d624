/** An error code of the contract as Invo returns it, and the text the screen shows for it. */
export interface ExpectedRefusal {
  status: number;
  code: string | null;
  facts?: Record<string, unknown>;
  says: RegExp;
}

/** Codes that end a refund. */
export const ENDS: ExpectedRefusal[] = [
  { status: 400, code: 'CLIENT_REQUEST_ID_REQUIRED', says: /refund has no idempotency key/ },
  { status: 400, code: 'CLIENT_REQUEST_ID_INVALID', says: /couldn’t read the idempotency key/ },
  { status: 400, code: 'CLIENT_REQUEST_ID_TOO_LONG', says: /idempotency key of the refund is longer/ },
  { status: 400, code: 'CLIENT_REQUEST_ID_RESERVED', says: /begins with letters that Invo reserves/ },
  { status: 400, code: 'INVALID_PERIOD_SEQ', says: /couldn’t read the period’s number/ },
  { status: 404, code: 'PERIOD_NOT_FOUND', says: /doesn’t know this period/ },
  { status: 400, code: 'INVALID_AMOUNT', says: /couldn’t use the amount/ },
  {
    status: 400,
    code: 'AMOUNT_EXCEEDS_REMAINING',
    facts: { remaining_refundable_usd: '2.20', already_refunded_usd: '17.80' },
    says: /\$17\.80 of \$20\.00 was already refunded; \$2\.20 is left/,
  },
  { status: 400, code: 'INVALID_BODY', says: /couldn’t read the request as a whole/ },
  { status: 404, code: 'SUBSCRIPTION_NOT_FOUND', says: /doesn’t know this subscription/ },
  { status: 409, code: 'NO_PAID_PERIOD', says: /Nothing has been collected on this subscription/ },
  { status: 409, code: 'PERIOD_NOT_REFUNDABLE', facts: { period_status: 'forgiven' }, says: /never collected \(it is forgiven\)/ },
  {
    status: 409,
    code: 'ALREADY_REFUNDED',
    facts: { refunded_amount_usd: '20.00', amount_usd: '20.00' },
    says: /already refunded in full: \$20\.00 of \$20\.00/,
  },
  { status: 409, code: 'PCSTORE_REFUND_NOT_SUPPORTED', says: /only the store can refund it/ },
  { status: 409, code: 'MINT_ORDER_MISSING', says: /can’t find the order/ },
  { status: 409, code: 'NO_PAYMENT_REFERENCE', says: /has no reference to refund by/ },
];

/** Codes after which a refund stays open. */
export const STAY_OPEN: (ExpectedRefusal & { state: string })[] = [
  { status: 502, code: 'REFUND_LOOKUP_FAILED', says: /couldn’t find out what became of the refund/, state: 'Needs attention' },
  { status: 502, code: 'REFUND_MISMATCH', says: /doesn’t match Invo’s record/, state: 'Needs attention' },
  { status: 502, code: 'PROCESSOR_ERROR', says: /processor refused or failed/, state: 'Unknown' },
  { status: 503, code: 'service_unavailable', says: /temporarily unavailable/, state: 'Unknown' },
  { status: 503, code: 'FLOW_PAUSED', says: /paused these requests for maintenance/, state: 'Unknown' },
  { status: 500, code: 'INTERNAL_ERROR', says: /failed on its side/, state: 'Unknown' },
  {
    status: 429,
    code: 'RATE_LIMITED',
    facts: { retry_after: 40 },
    says: /More than 20 refund requests in a minute/,
    state: 'Retrying',
  },
];

/** Codes that refuse a price change. */
export const PRICE_REFUSALS: ExpectedRefusal[] = [
  { status: 409, code: 'SUBSCRIPTION_TERMINAL', says: /The subscription has ended/ },
  {
    status: 409,
    code: 'PCSTORE_REAUTHORIZATION_REQUIRED',
    facts: { current_amount_usd: '60.00', requested_amount_usd: '70.00' },
    says: /can’t be raised from \$60\.00 to \$70\.00/,
  },
  { status: 503, code: 'paused', says: /has paused changes of price and card/ },
];

/** Codes that refuse a card change. */
export const CARD_REFUSALS: ExpectedRefusal[] = [
  { status: 404, code: 'PAYMENT_METHOD_NOT_FOUND', says: /not among the player’s saved cards/ },
  { status: 400, code: 'PAYMENT_METHOD_EXPIRED', says: /This card has expired/ },
  { status: 400, code: 'PAYMENT_METHOD_INVALID', says: /can’t charge this card/ },
  { status: 400, code: 'PAYMENT_METHOD_REQUIRED', says: /request named no card/ },
  { status: 409, code: 'WALLET_ONLY_SUBSCRIPTION', says: /paid from the wallet only/ },
  { status: 400, code: 'WALLET_ONLY_CONFLICT', says: /can’t be wallet-only and have a card/ },
  { status: 409, code: 'NOT_A_CARD_SUBSCRIPTION', says: /charged through the game store, not by card/ },
  { status: 409, code: 'PAYMENT_METHOD_UNAVAILABLE', says: /removed while it was being set/ },
];

/** Codes that refuse a page’s reads; the 429 comes last, since it makes the whole game wait. */
export const READ_REFUSALS: (ExpectedRefusal & { route: string; at: string })[] = [
  {
    route: 'subscription',
    at: 'subscriptions/SUB_1733392800_DESKMIRA',
    status: 400,
    code: 'INVALID_FIELD_VALUE',
    says: /couldn’t read an ID or a value/,
  },
  {
    route: 'subscription',
    at: 'subscriptions/SUB_1733392800_DESKMIRA',
    status: 404,
    code: 'SUBSCRIPTION_NOT_FOUND',
    says: /isn’t in this game and environment/,
  },
  {
    route: 'player-subscriptions',
    at: 'players/910001/subscriptions',
    status: 400,
    code: 'PLAYER_EMAIL_REQUIRED',
    says: /without an email/,
  },
  {
    route: 'player-subscriptions',
    at: 'players/910001/subscriptions',
    status: 400,
    code: 'PLAYER_EMAIL_TOO_LONG',
    says: /longer than Invo accepts/,
  },
  {
    route: 'player-subscriptions',
    at: 'players/910001/subscriptions',
    status: 400,
    code: 'STATUS_INVALID',
    says: /doesn’t know one of the statuses/,
  },
  { route: 'player-subscriptions', at: 'players/910001/subscriptions', status: 400, code: 'PAGINATION_INVALID', says: /has no such page/ },
  { route: 'period', at: 'periods/2024128001', status: 404, code: 'PERIOD_NOT_FOUND', says: /isn’t in this game and environment/ },
  { route: 'period', at: 'periods/2024128001', status: 500, code: 'INTERNAL_ERROR', says: /failed on its side|didn’t respond in time/ },
  {
    route: 'period',
    at: 'periods/2024128001',
    status: 429,
    code: 'rate_limit_exceeded',
    facts: { retry_after: 30 },
    says: /wait|too many requests/,
  },
];

/** Codes that refuse a report. */
export const REPORT_REFUSALS: ExpectedRefusal[] = [
  { status: 400, code: 'WINDOW_INVALID', says: /couldn’t read the window/ },
  { status: 400, code: 'WINDOW_TOO_LONG', says: /longer than the 400 days/ },
  { status: 400, code: 'PAGINATION_INVALID', says: /has no such page/ },
  { status: 400, code: 'RECIPIENT_INVALID', says: /couldn’t read the recipient’s ID/ },
  { status: 400, code: 'SUBSCRIPTION_ID_INVALID', says: /couldn’t read the subscription ID in the filter/ },
  { status: 400, code: 'STATUS_INVALID', says: /doesn’t know one of the statuses/ },
  { status: 400, code: 'INVALID_FIELD_VALUE', says: /couldn’t read an ID or a value/ },
  { status: 404, code: 'SUBSCRIPTION_NOT_FOUND', says: /doesn’t know this subscription/ },
  { status: 500, code: 'INTERNAL_ERROR', says: /Invo failed on its side/ },
  {
    status: 400,
    code: 'WINDOW_TOO_LARGE',
    facts: { settled_renewals: 20_001, max_renewals: 20_000 },
    says: /More than 20,000 renewals or refunds share the instant/,
  },
];
