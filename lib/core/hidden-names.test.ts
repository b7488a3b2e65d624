import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSecretName, maskPhonesIn } from './hidden-names.ts';

const mask = (text: string, name?: string): string => maskPhonesIn(text, () => '•', name);

describe('a phone number is masked', () => {
  test.each([
    '+15551234567',
    '+49 (151) 1234-5678',
    '+1/555/123/4567',
    '+1.555.123.4567',
    '+1\u00a0555\u00a0123\u00a04567',
    '+1\u2011555\u2011123\u20114567',
    '%2B15551234567',
    'tel-15551234567',
    'tel:+1-555-123-4567',
    '0312-34-5678',
    '0312/345678',
    '(555) 123-4567',
    '555-123-4567',
    '06 12 34 56 78',
    '15551234567',
    '0049 151 12345678',
  ])('as %j, alone and within a sentence', (phone) => {
    expect(mask(phone)).toBe('•');
    expect(mask(phone, 'number')).toBe('•');
    expect(mask(`Code sent to ${phone}, again in 30 s.`)).toBe('Code sent to •, again in 30 s.');
    expect(mask(`(${phone.replace(/^\(/, '')}).`)).toContain('•');
  });

  test('with a plus under any name, and beside a date', () => {
    expect(mask('+15551234567', 'order_id')).toBe('•');
    expect(mask('since 2026-11-20 15551234567')).toBe('since 2026-11-20 •');
    expect(mask('15551234567, 15557654321')).toBe('•, •');
  });

  test('from any digits that it was written with', () => {
    const separator = fc.constantFrom('', ' ', '-', '\u00a0', '\u2011', '/', '.', ' (', ') ');
    fc.assert(
      fc.property(fc.array(fc.tuple(separator, fc.integer({ min: 0, max: 9 })), { minLength: 10, maxLength: 15 }), (digits) => {
        const phone = `+${digits.map(([mark, digit], index) => `${index === 0 ? '' : mark}${digit}`).join('')}`;
        expect(mask(`Code sent to ${phone}, thanks`)).toBe('Code sent to •, thanks');
      }),
    );
  });
});

test.each([
  'ORD-2026-0001234567',
  'ORD_15551234567',
  'TXN_2026110004',
  '2026-000123-4567-AB',
  '550e8400-e29b-41d4-a716-446655440000',
  '12345678-1234-1234-1234-123456789012',
  '1234567.50',
  '12345678901.00',
  '1,234,567,890.50',
  '1 234 567 890.50',
  '$15551234567',
  'At most 1000000 units',
  '1000/5000 coins',
  '2026-11-20T09:00:00Z',
  '2026-11-20T09:00:03.123456789+00:00',
  '2026-11-20 09:00:00, 600 s',
  '20.11.2026 1200 coins',
  '1795420163',
  '1795420163000',
  'Season 2025/2026',
  'Order 4100000000001 is done',
  'transaction #4100000000001',
  'from 192.168.100.200',
  'SUB_9f86d081884c7d659a2feaa0c55ad015',
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
])('%j is no phone number', (text) => {
  expect(mask(text)).toBe(text);
});

test.each([
  'order_id',
  'orderId',
  'transaction_ids',
  'purchase_reference',
  'net_amount',
  'new_balance',
  'id',
  'order_number',
  'amount_usd',
])('digits under %s are no phone number', (name) => {
  expect(mask('15551234567', name)).toBe('15551234567');
});

describe('a name of a secret', () => {
  // Whatever a call or an answer has that opens or moves something (documents 1 to 3), and what tells a new phone apart.
  test.each(
    `token device_code user_code verification_uri verification_uri_complete device_label match_code claim_code code checkout_url url
     client_secret client_side_key otp sms_pin pin test_code verification_codes payment_method_id verificationUriComplete claimCode`.split(
      /\s+/,
    ),
  )('%s is one', (name) => {
    expect(isSecretName(name)).toBe(true);
  });
  test.each(
    'error_code reason_code logo_url art_url code_masked code_sent claim_code_expires_at session_id setup_intent_id payment_method expires_at'.split(
      ' ',
    ),
  )('%s is none', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});
