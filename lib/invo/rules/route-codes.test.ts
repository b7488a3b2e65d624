import { describe, expect, it, test } from 'vitest';
import { codesOfAnswer, decidingCode, errorOfStatus } from './error-codes.ts';
import {
  type CodeMeaning,
  decidingRouteCode,
  isPlayerLimit,
  ROUTE_CODES,
  ROUTE_FAMILIES,
  type RouteFamily,
  routeCode,
} from './route-codes.ts';
import { formatRouteCode } from './route-text.ts';

// Written from the tables of documents 1 to 3, not from the code: the routes, the status, and the codes each comes with. "*" is any status.
type Row = [family: RouteFamily, status: number, meaning: CodeMeaning, codes: string];
const SECRET_FAMILIES: readonly RouteFamily[] = [
  'order',
  'item',
  'balance',
  'checkout',
  'payment_confirm',
  'purchase',
  'card_setup',
  'transfer_start',
  'send_start',
  'transfer_read',
  'destinations',
  'claim',
  'pin',
  'phone_share',
];
const TOKEN_FAMILIES: readonly RouteFamily[] = ['loyalty_player', 'redeem', 'passkey', 'grant'];
const DOCUMENTS: Row[] = [
  // Document 1, Errors.
  ['loyalty_event', 401, 'no_access', 'INVALID_GAME_SECRET'],
  [
    'loyalty_event',
    400,
    'refused',
    'INVALID_BODY MISSING_PLAYER_EMAIL MISSING_EVENT_TYPE EVENT_TYPE_NOT_ALLOWED INVALID_EVENT_ID INVALID_OCCURRED_AT INVALID_PAYLOAD INVALID_SURFACE_ID RESERVED_EVENT_TYPE',
  ],
  ['loyalty_event', 404, 'absent', 'PLAYER_NOT_FOUND'],
  ['loyalty_event', 422, 'refused', 'validation_failed'],
  ['loyalty_read', 400, 'refused', 'INVALID_PLAYER_EMAIL'],
  ['loyalty_read', 401, 'no_access', 'INVALID_GAME_SECRET'],
  ['loyalty_read', 404, 'absent', 'PLAYER_NOT_FOUND'],
  ['redeem', 409, 'ended', 'already_redeemed vault_entry_expired'],
  ['redeem', 404, 'absent', 'vault_entry_not_found'],
  ['player_token', 401, 'no_access', 'INVALID_GAME_SECRET'],
  ['player_token', 403, 'not_enabled', 'TENANT_NOT_MIGRATED'],
  ['player_token', 404, 'absent', 'player_not_found'],
  ['player_token', 422, 'refused', 'identity_unavailable'],
  ['player_token', 503, 'not_enabled', 'sdk_verification_disabled'],
  // Document 2, Purchase and card errors, error_code_public, PAYMENT_OUTCOME_UNKNOWN, Purchase result bodies, Setup intent.
  ['purchase', 400, 'refused', 'MISSING_PURCHASE_REFERENCE INVALID_PURCHASE_REFERENCE CLIENT_REQUEST_ID_RESERVED INVALID_SAVE_CARD'],
  ['purchase', 429, 'player_limit', 'spending_limit_exceeded'],
  ['purchase', 503, 'refused', 'service_unavailable PROCESSOR_UNAVAILABLE'],
  ['purchase', 502, 'ended', 'PROCESSOR_ERROR'],
  ['purchase', 503, 'not_enabled', 'PROCESSOR_NOT_CONFIGURED'],
  ['purchase', 503, 'retry', 'PAYMENT_OUTCOME_UNKNOWN'],
  ['purchase', 502, 'retry', 'PAYMENT_OUTCOME_UNKNOWN'],
  ['purchase', 200, 'waiting', 'requires_action'],
  ['purchase', 409, 'waiting', 'pending'],
  ['purchase', 409, 'ended', 'failed'],
  ['purchase', 400, 'refused', 'RAIL_DISABLED RAIL_CHANNEL_MISMATCH'],
  ['purchase', 403, 'refused', 'PCSTORE_RAIL_NOT_ENTITLED'],
  ['purchase', 409, 'refused', 'PCSTORE_PURCHASE_LAYER_REQUIRED'],
  ['purchase', 403, 'no_access', 'RAIL_NOT_AVAILABLE_TO_PLATFORM'],
  ['checkout', 409, 'ended', 'SESSION_ALREADY_CONSUMED'],
  ...(['checkout', 'card_setup'] as const).flatMap((family): Row[] => [
    [family, 429, 'player_limit', 'spending_limit_exceeded'],
    [family, 503, 'refused', 'service_unavailable PROCESSOR_UNAVAILABLE'],
    [family, 502, 'ended', 'PROCESSOR_ERROR'],
    [family, 503, 'not_enabled', 'PROCESSOR_NOT_CONFIGURED'],
  ]),
  ['payment_confirm', 503, 'refused', 'PROCESSOR_UNAVAILABLE'],
  ['payment_confirm', 502, 'ended', 'PROCESSOR_ERROR'],
  ['payment_confirm', 503, 'not_enabled', 'PROCESSOR_NOT_CONFIGURED'],
  ['card_setup', 400, 'refused', 'RAW_CARD_NOT_SUPPORTED'],
  ['card_setup', 404, 'absent', 'PLAYER_NOT_FOUND'],
  ['card_setup', 400, 'waiting', 'still_requires_action'],
  ['card_setup', 200, 'waiting', 'requires_action requires_confirmation requires_payment_method'],
  // Document 3, Errors, Device grant, Legacy PIN, Phone-share.
  ['transfer_start', 403, 'refused', 'SOURCE_GAME_NOT_LIVE TARGET_GAME_NOT_LIVE TRANSFER_POLICY_VIOLATION GUARDIAN_REQUIRED'],
  ['transfer_start', 403, 'player_limit', 'PASSKEY_RECOVERY_COOLDOWN'],
  ['transfer_start', 409, 'waiting', 'PHONE_SHARE_APPROVAL_REQUIRED'],
  ['transfer_start', 409, 'refused', 'PCSTORE_VALUE_NON_TRANSFERABLE NON_PCSTORE_VALUE_INTO_PCSTORE_BLOCKED'],
  ['transfer_start', 503, 'paused', 'flow_paused'],
  ['transfer_start', 202, 'waiting', 'pending_guardian_approval'],
  ['send_start', 409, 'waiting', 'PHONE_SHARE_APPROVAL_REQUIRED'],
  ['send_start', 403, 'refused', 'CURRENCY_SEND_POLICY_VIOLATION'],
  [
    'send_start',
    409,
    'refused',
    'PCSTORE_VALUE_NON_TRANSFERABLE NON_PCSTORE_VALUE_INTO_PCSTORE_BLOCKED GAME_TO_PLATFORM_BLOCKED PLATFORM_TO_GAME_BLOCKED',
  ],
  ['send_start', 429, 'player_limit', 'velocity_limit_exceeded'],
  ['approve', 400, 'done', 'TRANSACTION_NOT_PENDING'],
  ['approve', 400, 'refused', 'DEVICE_APPROVAL_NOT_APPROVED INVALID_INPUT'],
  ['approve', 400, 'unknown', 'TRANSFER_APPROVE_FAILED'],
  ['approve', 401, 'no_access', 'SDK_TOKEN_MALFORMED'],
  ['approve', 403, 'refused', 'not_transfer_sender'],
  ['approve', 403, 'player_limit', 'PASSKEY_RECOVERY_COOLDOWN'],
  ['approve', 202, 'waiting', 'GUARDIAN_APPROVAL_PENDING'],
  ['approve', 410, 'ended', 'GUARDIAN_APPROVAL_REJECTED GUARDIAN_APPROVAL_EXPIRED'],
  ['approve', 503, 'retry', 'GUARDIAN_APPROVAL_CHECK_UNAVAILABLE'],
  ['approve', 503, 'not_enabled', 'sdk_verification_disabled'],
  ['receipt', 401, 'no_access', 'SDK_TOKEN_MALFORMED'],
  ['claim', 409, 'waiting', 'PHONE_SHARE_APPROVAL_REQUIRED'],
  ['passkey', 400, 'refused', 'WEBAUTHN_NO_CREDENTIAL'],
  ['passkey', 403, 'not_enabled', 'WEBAUTHN_NOT_ENABLED_FOR_TENANT'],
  ['passkey', 403, 'refused', 'WEBAUTHN_TENANT_MISMATCH'],
  ['grant', 400, 'waiting', 'authorization_pending slow_down'],
  ['grant', 400, 'ended', 'expired_token access_denied invalid_grant'],
  ['grant', 409, 'done', 'DEVICE_APPROVAL_ALREADY_PENDING'],
  ['pin', 403, 'refused', 'HIGH_VALUE_REQUIRES_APP'],
  ['pin', 403, 'player_limit', 'PASSKEY_RECOVERY_COOLDOWN'],
  ['pin', 202, 'waiting', 'GUARDIAN_APPROVAL_PENDING'],
  ['pin', 410, 'ended', 'GUARDIAN_APPROVAL_REJECTED GUARDIAN_APPROVAL_EXPIRED'],
  ['pin', 429, 'player_limit', 'resend_cooldown'],
  ['pin', 400, 'ended', 'pin_expired'],
  ['phone_share', 409, 'waiting', 'PHONE_SHARE_APPROVAL_REQUIRED'],
  // Codes of the credential, of any server route and of any payment route.
  ...SECRET_FAMILIES.map((family): Row => [family, 401, 'no_access', 'INVALID_GAME_SECRET']),
  ...TOKEN_FAMILIES.map((family): Row => [family, 401, 'no_access', 'SDK_TOKEN_MALFORMED']),
  ...(['order', 'item', 'balance', 'checkout', 'payment_confirm'] as const).flatMap((family): Row[] => [
    [family, 429, 'wait', 'rate_limit_exceeded'],
    [family, 500, 'retry', 'INTERNAL_ERROR'],
  ]),
  ...(['checkout', 'card_setup'] as const).flatMap((family): Row[] => [
    [family, 400, 'refused', 'RAIL_DISABLED RAIL_CHANNEL_MISMATCH'],
    [family, 403, 'refused', 'PCSTORE_RAIL_NOT_ENTITLED'],
    [family, 409, 'refused', 'PCSTORE_PURCHASE_LAYER_REQUIRED'],
    [family, 403, 'no_access', 'RAIL_NOT_AVAILABLE_TO_PLATFORM'],
  ]),
  ['card_setup', 400, 'refused', 'CLIENT_REQUEST_ID_RESERVED'],
];

const FIELDS = ['error_code_public', 'error_code', 'code', 'error', 'status', 'reason'] as const;
const rows = DOCUMENTS.flatMap(([family, status, meaning, codes]) =>
  codes.split(' ').map((code): [RouteFamily, number, string, CodeMeaning] => [family, status, code, meaning]),
);

function meaningOf(family: RouteFamily, status: number, body: Record<string, unknown>): CodeMeaning | null {
  const code = decidingRouteCode(family, codesOfAnswer(status, body, family));
  return code === null ? null : (routeCode(family, code)?.meaning ?? null);
}

describe('every code of the documents, in every field that may hold it, has its meaning and its sentence on its route', () => {
  test.each(rows)('on %s under HTTP %i, %s means %s', (family, status, code, meaning) => {
    for (const field of FIELDS) {
      // Outside a 202 a 2xx may have a reward or a claim code there.
      const isPrize = field === 'code' && status < 300 && status !== 202;
      const expected = isPrize ? null : meaning;
      expect([field, meaningOf(family, status, { [field]: code })]).toEqual([field, expected]);
      expect([field, meaningOf(family, status, { error_code_public: 'BRAND_NEW_CODE', [field]: code })]).toEqual(
        field === 'error_code_public' || !isPrize ? [field, expected] : [field, null],
      );
      expect([field, meaningOf(family, status, { [field]: code.toUpperCase() })]).toEqual([field, expected]);
    }
    expect(formatRouteCode(family, code)).toMatch(/^[A-Z].+\.$/);
  });

  it('has no code of its own beside those of the documents', () => {
    const documented = new Set(rows.map(([family, , code]) => `${family} ${code}`));
    const listed = ROUTE_FAMILIES.flatMap((family) => Object.keys(ROUTE_CODES[family]).map((code) => `${family} ${code}`));
    const own = listed.filter((entry) => !documented.has(entry));
    expect(own).toEqual([
      'order service_unavailable',
      'item service_unavailable',
      'balance service_unavailable',
      'payment_confirm service_unavailable',
      'send_start pending_guardian_approval',
    ]);
  });
});

test('the same code says something else on another route', () => {
  const meanings = (code: string, ...families: RouteFamily[]): unknown[] =>
    families.map((family) => routeCode(family, code)?.meaning ?? null);
  expect(meanings('service_unavailable', 'purchase', 'order')).toEqual(['refused', 'retry']);
  expect(meanings('PLAYER_NOT_FOUND', 'loyalty_read', 'card_setup', 'purchase')).toEqual(['absent', 'absent', null]);
  expect(formatRouteCode('purchase', 'service_unavailable')).toContain('Nothing was charged');
});

test.each<[string, RouteFamily, Record<string, unknown>]>([
  ['TRANSFER_APPROVE_FAILED', 'approve', { error_code: 'TRANSACTION_NOT_PENDING', error: 'TRANSFER_APPROVE_FAILED' }],
  ['TRANSFER_APPROVE_FAILED', 'approve', { error_code_public: 'INVALID_INPUT', reason: 'TRANSFER_APPROVE_FAILED' }],
  ['PAYMENT_OUTCOME_UNKNOWN', 'purchase', { error_code_public: 'PROCESSOR_UNAVAILABLE', error_code: 'PAYMENT_OUTCOME_UNKNOWN' }],
  ['pending', 'purchase', { status: 'pending', error: 'failed' }],
  ['GUARDIAN_APPROVAL_REJECTED', 'approve', { error_code: 'NEVER_HEARD_OF', code: 'GUARDIAN_APPROVAL_REJECTED' }],
])('of several codes %s decides on %s, which promises least: %j', (code, family, body) => {
  expect(decidingRouteCode(family, codesOfAnswer(400, body, family))).toBe(code);
});

test('of three codes of a read the careful one decides, whichever field has it', () => {
  const [errorCode = null, older = '', ...others] = codesOfAnswer(503, { error_code: 'A_B', code: 'C_D', status: 'service_unavailable' });
  expect(decidingCode({ errorCode, facts: { error_code: older, other_codes: others.join(' ') } }, 'read')).toBe('service_unavailable');
});

test('words are no codes, and neither is the prize of a 2xx', () => {
  expect(codesOfAnswer(400, { status: 'error', error: 'Conflict', reason: 'no_verified domain' })).toEqual([]);
  expect(codesOfAnswer(200, { code: 'GOLD_2026_XK' })).toEqual([]);
  expect(codesOfAnswer(404, { code: 'GOLD_2026_XK' })).toEqual(['GOLD_2026_XK']);
  expect(codesOfAnswer(202, { code: 'GOLD_2026_XK' }, 'approve'), 'a claim code').toEqual([]);
  expect(codesOfAnswer(409, { code: 'GOLD_2026_XK', error: 'already_redeemed' }, 'redeem'), 'the reward').toEqual(['already_redeemed']);
  expect(codesOfAnswer(202, { code: 'already_redeemed' }, 'redeem')).toEqual([]);
  expect(codesOfAnswer(409, { error: 'Approval needed', code: '482913' }), 'a code that is texted to a player').toEqual([]);
});

test('a limit of one player is a refusal, and does not pause the game', () => {
  for (const code of ['spending_limit_exceeded', 'velocity_limit_exceeded', 'resend_cooldown', 'PASSKEY_RECOVERY_COOLDOWN']) {
    expect(isPlayerLimit(code)).toBe(true);
    expect(errorOfStatus(429, { errorCode: code, facts: {} })).toBe('rejected');
  }
  expect([isPlayerLimit('rate_limit_exceeded'), isPlayerLimit('RATE_LIMITED'), isPlayerLimit(null)]).toEqual([false, false, false]);
});
