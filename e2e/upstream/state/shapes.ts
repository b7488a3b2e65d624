/**
 * How a route answers where the contract shows no shape: the variants of each route. Several may be joined with `+`, such as `flat+numbers`; the
 * first of each route is the default.
 */
export const SHAPES = {
  'order-details': [
    'nested',
    'flat',
    'data',
    'list',
    'numbers',
    'other',
    'by_transaction_id',
    'by_purchase_reference',
    'by_id_kind',
    'number_money',
  ],
  'item-order-details': [
    'nested',
    'flat',
    'data',
    'list',
    'numbers',
    'other',
    'by_transaction_id',
    'by_purchase_reference',
    'by_id_kind',
    'number_money',
  ],
  'item-history': [
    'items',
    'bare',
    'purchases',
    'pages',
    'more',
    'more_flat',
    'cursor',
    'total',
    'empty',
    'none',
    'missing_404',
    'missing_empty',
  ],
  loyalty: ['cards', 'not_set_up', 'version_2', 'full_code', 'renamed'],
  'transfer-status': ['plain', 'fees_object', 'fees_text', 'new_status', 'number_money', 'other', 'test_code', 'no_identity'],
  'approval-status': ['plain', 'extra', 'new_state', 'not_found'],
  'balance-batch': ['list', 'by_email', 'results', 'flat', 'errors', 'missing', 'player_emails'],
  'balance-stream': ['list', 'results', 'ndjson', 'sse', 'trailer', 'wrong_count', 'heartbeat', 'twice', 'flat', 'gzip', 'unmarked'],
  withdrawals: ['object', 'list', 'empty', '405', '404', '400'],
  'inbound-pending': [
    'array',
    'transfers',
    'items',
    'pages',
    'more',
    'more_flat',
    'cursor',
    'total',
    'renamed',
    'empty',
    'none',
    'identity',
  ],
} as const;

/** What a claim can be shaped to want beside its two documented fields: all that are missing are named at once. */
export const CLAIM_WANTS = ['player_email', 'player_phone', 'player_region', 'sms_code', 'otp'] as const;

/** The same for routes that desk actions call. */
export const DESK_SHAPES = {
  'confirm-payment': ['400', '402', '404', '409', 'failed'],
  'item-sale': ['nested', 'flat', 'numbers', 'no_id', 'codes', 'forgets'],
  'server-events': ['status', 'empty', 'ok', 'old_422'],
  'player-token': ['plain', 'not_migrated', 'no_identity', 'disabled'],
  destinations: ['plain', 'codes', 'empty', 'without_own'],
  /** Of sends and transfers alike. */
  starts: [
    'plain',
    'codes',
    'no_ids',
    'duplicate_code',
    'forgets',
    'spent',
    'epoch',
    'guardian_required',
    'repeat_409',
    'short_window',
    'late_window',
    'sms',
    'unreserved',
    'held_reserved',
  ],
  'device-begin': ['send', 'currency_send', 'no_flow', '400'],
  'device-poll': ['loose', 'strict', 'verified', 'replaced_expired'],
  'initiate-transfer': ['fees_object', 'fees_text'],
  'transfer-approve': ['claim_72h', 'claim_5h'],
  'claim-transfer': ['two_fields', 'wants_player', 'codes', 'bare', ...CLAIM_WANTS.map((field) => `wants_${field}`)],
  'send-approve': ['approved', 'success', 'empty', 'no_status', 'no_events'],
  /** A missing or invalid token at a player's loyalty routes. */
  'me-token': ['code', 'error', 'words', 'nothing'],
  redeem: ['named', '404', '409', '410', '422', 'no_code'],
  'phone-share-initiate': ['plain', 'not_texted', 'already_approved', 'renamed', 'empty'],
  checkout: ['plain', 'codes', 'cap_429'],
} as const;
type ShapedRoute = keyof typeof SHAPES | keyof typeof DESK_SHAPES;

const ALL: Record<ShapedRoute, readonly string[]> = { ...SHAPES, ...DESK_SHAPES };

export interface Shapes {
  set(route: string, variant: string | null): void;
  /** Whether a variant of the route is chosen, or is its default and no other of its kind is. */
  has(route: ShapedRoute, variant: string): boolean;
  all(): Record<string, string>;
  clear(): void;
}

/** The chosen variants; none at first. */
export function createShapes(): Shapes {
  let chosen = new Map<string, string[]>();
  return {
    set(route, variant): void {
      const known: readonly string[] | undefined = ALL[route as ShapedRoute];
      if (known === undefined) throw new Error(`no such route: ${route}`);
      if (variant === null) return void chosen.delete(route);
      const variants = variant.split('+');
      const wrong = variants.find((each) => !known.includes(each));
      if (wrong !== undefined) throw new Error(`${route} has no variant ${wrong}`);
      chosen.set(route, variants);
    },
    has: (route, variant) => (chosen.get(route) ?? ALL[route].slice(0, 1)).includes(variant),
    all: () => Object.fromEntries([...chosen].map(([route, variants]) => [route, variants.join('+')])),
    clear(): void {
      chosen = new Map();
    },
  };
}
