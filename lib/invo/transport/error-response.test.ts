import { describe, expect, test } from 'vitest';
import type { Evidence } from '../invo-error.ts';
import { isAbsent } from '../invo-error.ts';
import { ROUTE_CODES, ROUTE_FAMILIES, type RouteFamily } from '../rules/route-codes.ts';
import { formatInvoError } from '../text.ts';
import { errorOfResponse, readActionAnswer, scrubText } from './error-response.ts';
import type { Answer } from './exchange.ts';

function isGone(status: number, contentType: string, body: string): boolean {
  const answer = { status, contentType, retryAfter: null } as Answer;
  return isAbsent(errorOfResponse(answer, Buffer.from(body), {} as Evidence, { secrets: ['secret'], receivedAtMs: 0 }));
}

test.each([
  { error: 'No such period.', error_code: 'PERIOD_NOT_FOUND', error_id: 'err_1' },
  { error_code: 'PERIOD_NOT_FOUND', error_code_public: 'RESOURCE_NOT_FOUND' },
  { error_code_public: 'RESOURCE_NOT_FOUND' },
  { error: 'No such period.' },
  { status: 'not_found' },
])('a 404 with %j is Invo’s own statement that the record doesn’t exist', (body) => {
  expect(isGone(404, 'application/json; charset=utf-8', JSON.stringify(body))).toBe(true);
});

test.each([
  [404, 'text/html', '<h1>Not Found</h1>'],
  [404, 'text/plain', '{"error":"No such period."}'],
  [404, 'application/json', '{"status":404,"error":"Not Found","path":"/api"}'],
  [404, 'application/json', '{"message":"no route"}'],
  [404, 'application/json', '{"error":""}'],
  [404, 'application/json', '["error"]'],
  [404, 'application/json', '"error"'],
  [404, 'application/json', '{"error":'],
  [400, 'application/json', '{"error_code":"PERIOD_NOT_FOUND"}'],
  [500, 'application/json', '{"error_code":"PERIOD_NOT_FOUND"}'],
])('a %i of type %s with %s is no statement that the record doesn’t exist', (status, contentType, body) => {
  expect(isGone(status, contentType, body)).toBe(false);
});

describe('the evidence of a refused read', () => {
  const read = (status: number, body: unknown, family?: RouteFamily): ReturnType<typeof errorOfResponse> => {
    const answer = { status, contentType: 'application/json', retryAfter: null } as Answer;
    return errorOfResponse(answer, Buffer.from(JSON.stringify(body)), {} as Evidence, {
      secrets: ['canary-game'],
      receivedAtMs: 0,
      family,
    });
  };

  test('a phone, the email beside it, hints and secrets are left out', () => {
    const { facts, errorCode } = read(409, {
      status: 'error',
      error_code: 'PHONE_SHARE_APPROVAL_REQUIRED',
      phone: '+4915112345678',
      requesting_email: 'a@players.example',
      requesting_mail: 'a%40players.example',
      caller: '+49 151 1234-5678',
      existing_account_hints: 'a•••@p•••',
      device_code: 'canary-device',
      claim_code: 'canary-claim',
      token: 'canary-token',
      client_secret: 'canary-invo',
      checkout_url: 'https://pay.example/?token=canary',
      approval_id: 'AP_1',
      code_sent: true,
      expires_at: '2026-11-20T09:00:00Z',
    });
    expect(errorCode).toBe('PHONE_SHARE_APPROVAL_REQUIRED');
    expect(facts).toEqual({ status: 'error', approval_id: 'AP_1', code_sent: true, expires_at: '2026-11-20T09:00:00Z' });
  });

  test.each([
    ['Call +49 (151) 1234-5678 now', 'Call • now'],
    ['Number 15112345678 is taken by a@players.example since 2026-11-20', 'Number • is taken by • since 2026-11-20'],
    ['At most 1000000 units', 'At most 1000000 units'],
    ['Sent to tel-15551234567, 0312-34-5678 or +1/555/123/4567', 'Sent to •, • or •'],
    ['Sent to +1\u00a0555\u00a0123\u00a04567 or 555\u2011123\u20114567', 'Sent to • or •'],
    ['Try again after 2026-11-20T09:00:00Z, 600 s', 'Try again after 2026-11-20T09:00:00Z, 600 s'],
    ['TXN_2026110004', 'TXN_2026110004'],
  ])('prose %j is shown as %j', (text, shown) => {
    expect(scrubText(text)).toBe(shown);
    if (text.includes(' ')) expect(read(400, { error: text }, 'order').prose).toBe(shown);
  });

  test('an email that begins before the end of the stored text is left out whole', () => {
    const prose = read(400, { error: `${'x'.repeat(185)} player asa.venn@players.example is new` }, 'order').prose;
    expect(prose).toBe(`${'x'.repeat(185)} player • is ne`);
  });

  test('error_ref is the reference to quote where there is no error_id', () => {
    expect(read(400, { error_code: 'TRANSFER_APPROVE_FAILED', error_ref: 'ref_1' }).errorId).toBe('ref_1');
    expect(read(400, { error_id: 'err_1', error_ref: 'ref_1' })).toMatchObject({ errorId: 'err_1', facts: { error_ref: 'ref_1' } });
  });

  test('an error without a code says Invo’s own words, and one with a code of the route its sentence', () => {
    expect(formatInvoError(read(400, { error: 'order_id is required by this title' }, 'order'))).toBe(
      'Invo refused the request: “order_id is required by this title” Stored data is unchanged.',
    );
    expect(formatInvoError(read(404, { code: 'PLAYER_NOT_FOUND' }, 'loyalty_read'))).toContain('no loyalty card');
    expect(isAbsent(read(404, { code: 'PLAYER_NOT_FOUND' }, 'loyalty_read'))).toBe(true);
    expect(isAbsent(read(404, { code: 'NotFoundException' }, 'loyalty_read'))).toBe(false);
  });
});

describe('the answer to a desk action', () => {
  const read = (family: RouteFamily, status: number, body: Record<string, unknown>): ReturnType<typeof readActionAnswer> =>
    readActionAnswer({ status, retryAfter: null }, body, { isSafe: true, family, nowMs: 0 });
  const FIELDS = ['error_code_public', 'error_code', 'code', 'error', 'status', 'reason'];

  test.each(ROUTE_FAMILIES)('has each code of %s, in whichever field, before a code that the documents don’t name', (family) => {
    for (const code of Object.keys(ROUTE_CODES[family])) {
      for (const field of FIELDS) {
        const others = Object.fromEntries(FIELDS.map((name) => [name, 'NEVER_HEARD_OF']));
        expect([field, read(family, 400, { [field]: code }).codes]).toEqual([field, [code]]);
        expect([field, read(family, 400, { ...others, [field]: code }).errorCode]).toEqual([field, code]);
      }
    }
  });
  test.each(ROUTE_FAMILIES)('on %s never reads a prize as a code, nor a code of another family in a 202', (family) => {
    for (const status of [200, 201, 202]) expect(read(family, status, { code: 'GOLD_2026_XK' }).codes).toEqual([]);
    const pending = read(family, 202, { code: 'GUARDIAN_APPROVAL_PENDING' }).codes;
    expect(pending).toEqual('GUARDIAN_APPROVAL_PENDING' in ROUTE_CODES[family] ? ['GUARDIAN_APPROVAL_PENDING'] : []);
    expect(read(family, 200, { code: 'GUARDIAN_APPROVAL_PENDING' }).codes).toEqual([]);
  });
  test('of a shared phone has neither the number nor an email', () => {
    const { codes, facts, retryAfterMs } = read('send_start', 409, {
      status: 'error',
      error_code: 'PHONE_SHARE_APPROVAL_REQUIRED',
      phone: '+4915112345678',
      requesting_email: 'ana@players.example',
      existing_account_hints: ['a•••'],
      next_endpoint: '/api/wallet/phone-share/initiate',
      approval_id: 'PSA_1',
      code_sent: false,
      already_approved: false,
      rate_limited: true,
      retry_after_seconds: 600,
    });
    expect(codes).toEqual(['PHONE_SHARE_APPROVAL_REQUIRED']);
    expect(retryAfterMs).toBe(600_000);
    expect(facts).toEqual({
      status: 'error',
      next_endpoint: '/api/wallet/phone-share/initiate',
      approval_id: 'PSA_1',
      code_sent: false,
      already_approved: false,
      rate_limited: true,
      retry_after_seconds: 600,
    });
  });
  test('of a cooldown waits as its countdown says, whatever the absolute time', () => {
    const body = { code: 'PASSKEY_RECOVERY_COOLDOWN', retry_after: 1_795_165_200, retry_after_seconds: 600 };
    expect(read('approve', 403, body)).toMatchObject({ codes: ['PASSKEY_RECOVERY_COOLDOWN'], retryAfterMs: 600_000 });
  });
});
