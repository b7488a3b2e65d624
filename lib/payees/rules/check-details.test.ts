import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ANY_CHARACTER } from '#e2e/support/any-character.ts';
import { listNameBlockers } from '#lib/payments/rules/list-item-blockers.ts';
import { METHOD_FORMATS } from '#lib/payments/rules/payment.ts';
import { formatProblem } from '../text.ts';
import { COUNTRIES, checkDetails } from './check-details.ts';
import { canPay, type Method, type TypedDetails } from './details.ts';

const IBAN = 'DE89370400440532013000';
const HOLDER = { holder_name: 'Mira Vale' };
const ACH = { ...HOLDER, routing_number: '021000021', account_number: '1234567890', account_type: 'checking' };
const WIRE = { ...HOLDER, account_number: '1234567890', bic: 'CHASUS33', city: 'New York', country: 'us' };

describe('details that are right, with the mask and the account that the fingerprint covers', () => {
  test.each<[Method, TypedDetails, string, string | null]>([
    ['paypal', { email: ' Mira@Example.com ' }, 'M•••@E•••.com', 'paypal mira@example.com'],
    ['paypal', { email: 'AB12CD34EF56G' }, '•••• F56G', 'paypal AB12CD34EF56G'],
    ['wise', { ...HOLDER, wise_recipient_id: '148563324' }, '•••• 324', 'wise 148563324'],
    ['wise', { ...HOLDER, email: 'mira@example.com', currency: 'eur' }, 'm•••@e•••.com', 'wise mira@example.com'],
    ['sepa', { ...HOLDER, iban: 'de89 3704 0044 0532 0130 00' }, 'DE •••• 3000', `iban ${IBAN}`],
    ['sepa', { ...HOLDER, iban: IBAN, bic: 'COBADEFFXXX', country: 'AT' }, 'DE •••• 3000', `iban ${IBAN}`],
    ['sepa', { ...HOLDER, iban: 'GB29NWBK60161331926819', bic: 'NWBKGB2L', city: 'Leeds' }, 'GB •••• 6819', 'iban GB29NWBK60161331926819'],
    ['sepa', { ...HOLDER, iban: 'RS35260005601001611379', bic: 'DBDBRSBG', city: 'Niš' }, 'RS •••• 1379', 'iban RS35260005601001611379'],
    ['wire_usd', WIRE, '•••• 890', 'bic CHASUS33 1234567890'],
    ['wire_usd', { ...WIRE, account_number: IBAN, bic: 'COBADEFF' }, 'DE •••• 3000', `iban ${IBAN}`],
    ['ach', ACH, '•••• 890', 'aba 021000021 1234567890'],
    ['sepa', { holder_name: 'Жечка Йорданова', iban: IBAN }, 'DE •••• 3000', `iban ${IBAN}`],
    ['sepa', { holder_name: 'Óðinn & Søn', iban: IBAN }, 'DE •••• 3000', `iban ${IBAN}`],
    ['wise', { holder_name: '山田太郎', wise_recipient_id: '148563324' }, '•••• 324', 'wise 148563324'],
    ['other', { ...HOLDER, address: 'Wallet  of Mira' }, 'As entered', 'other wallet of mira'],
    ['none', {}, 'Not paid', null],
  ])('%s %j', (method, typed, mask, account) => {
    expect(checkDetails(method, typed)).toMatchObject({ ok: true, details: { method, mask, account } });
  });

  test('the same account under two methods has one form, and a mask shows at most four characters of it', () => {
    const [sepa, wire] = [checkDetails('sepa', { ...HOLDER, iban: IBAN }), checkDetails('wire_usd', { ...WIRE, account_number: IBAN })];
    expect(sepa.ok && wire.ok && sepa.details.account === wire.details.account).toBe(true);
    expect(checkDetails('ach', { ...ACH, account_number: '1234' })).toMatchObject({ ok: true, details: { mask: '•••• 4' } });
  });

  test('the country of an IBAN counts where none is entered, and that of ACH is the US', () => {
    expect(checkDetails('sepa', { ...HOLDER, iban: IBAN })).toMatchObject({ details: { country: 'DE', entries: { country: 'DE' } } });
    expect(checkDetails('ach', ACH)).toMatchObject({ details: { country: 'US' } });
    const abroad = checkDetails('ach', { ...ACH, country: 'FR' });
    expect(abroad, 'the country is the holder’s: a routing number is of a bank in the US').toMatchObject({
      details: { country: 'FR', account: 'aba 021000021 1234567890' },
    });
    expect(checkDetails('paypal', { email: 'a@b.example' })).toMatchObject({ details: { country: null, holderKind: 'person' } });
  });
});

describe('details that are refused, with the entry and what is wrong with it', () => {
  test.each<[Method, TypedDetails, string]>([
    ['paypal', {}, 'email missing'],
    ['paypal', { email: '  \t ' }, 'email missing'],
    ['paypal', { email: '\u2800' }, 'email missing'],
    ['paypal', { email: 'Mira Vale <mira@example.com>' }, 'email display_name'],
    ['paypal', { email: 'mira@example.com, noor@example.com' }, 'email display_name'],
    ['paypal', { email: 'mira@example' }, 'email not_an_email'],
    ['paypal', { email: 'mira..vale@example.com' }, 'email not_an_email'],
    ['paypal', { email: `${'m'.repeat(65)}@example.com` }, 'email not_an_email'],
    ['paypal', { email: 'mіra@example.com' }, 'email mixed_scripts'],
    ['paypal', { email: 'mira\u200B@example.com' }, 'email control_characters'],
    ['paypal', { email: '=mira@example.com' }, 'email formula'],
    ['paypal', { email: 'mira@example.com', iban: IBAN }, 'iban not_for_method'],
    ['paypal', { email: 'mira@example.com', country: 'XQ' }, 'country country'],
    ...['EU', 'SU', 'AN', 'XK', 'DEU', 'D1'].map((country): [Method, TypedDetails, string] => [
      'paypal',
      { email: 'mira@example.com', country },
      'country country',
    ]),
    ['paypal', { email: 'mira@example.com', country: 'uk' }, 'country united_kingdom'],
    ['wise', HOLDER, 'wise_recipient_id one_of_two'],
    ['wise', { ...HOLDER, wise_recipient_id: '1', email: 'a@b.example' }, 'wise_recipient_id one_of_two'],
    ['wise', { ...HOLDER, wise_recipient_id: '12a' }, 'wise_recipient_id not_digits'],
    ['wise', { email: 'a@b.example' }, 'holder_name missing'],
    ...['ZZZ', 'XXX', 'DEM', 'US', 'EURO'].map((currency): [Method, TypedDetails, string] => [
      'wise',
      { ...HOLDER, wise_recipient_id: '1', currency },
      'currency unknown',
    ]),
    ['sepa', { ...HOLDER, iban: 'DE88370400440532013000' }, 'iban check_digits'],
    ['sepa', { ...HOLDER, iban: IBAN.slice(0, -1) }, 'iban length'],
    ['sepa', { ...HOLDER, iban: 'BR1500000000000010932840814P2' }, 'iban not_sepa'],
    ['sepa', { ...HOLDER, iban: 'CH4431999123000889012' }, 'iban qr_iban'],
    ['sepa', { ...HOLDER, iban: 'ZZ89370400440532013000' }, 'iban no_iban'],
    ['sepa', { ...HOLDER, iban: 'US64SVBKUS6S3300958879' }, 'iban no_iban'],
    ['sepa', { ...HOLDER, iban: 'GB29NWBK60161331926819' }, 'bic outside_eea'],
    ['sepa', { ...HOLDER, iban: 'GB29NWBK60161331926819', bic: 'NWBKGB2L' }, 'city outside_eea'],
    ['sepa', { ...HOLDER, iban: 'CH9300762011623852957' }, 'bic outside_eea'],
    ['sepa', { ...HOLDER, iban: IBAN, bic: 'COBA' }, 'bic account'],
    ['sepa', { holder_name: 'Mirа Vale', iban: IBAN }, 'holder_name mixed_scripts'],
    ['sepa', { holder_name: 'Mira\u0007', iban: IBAN }, 'holder_name control_characters'],
    ['sepa', { holder_name: '+Mira', iban: IBAN }, 'holder_name formula'],
    ['sepa', { holder_name: 'M'.repeat(71), iban: IBAN }, 'holder_name too_long'],
    ['sepa', { holder_name: 'Щ'.repeat(18), iban: IBAN }, 'holder_name too_long'],
    ['sepa', { holder_name: '山田太郎', iban: IBAN }, 'holder_name not_writable'],
    ['sepa', { holder_name: '🎮 Nova', iban: IBAN }, 'holder_name not_writable'],
    ['sepa', { holder_name: '...', iban: IBAN }, 'holder_name no_letters'],
    ['sepa', { ...HOLDER, iban: IBAN, city: '東京' }, 'city not_writable'],
    ['sepa', { ...HOLDER, iban: IBAN, city: 'M'.repeat(36) }, 'city too_long'],
    ['wire_usd', { ...WIRE, holder_name: '山田太郎' }, 'holder_name not_writable'],
    ['wire_usd', { ...WIRE, postal_code: '〒1000001' }, 'postal_code not_writable'],
    ['wire_usd', { ...WIRE, postal_code: '1'.repeat(17) }, 'postal_code too_long'],
    ['ach', { ...ACH, holder_name: 'Mira 株式会社' }, 'holder_name not_writable'],
    ['ach', { ...ACH, holder_name: 'Mira? Vale' }, 'holder_name not_writable'],
    ['other', { holder_name: '(-)', address: 'Cheque by post' }, 'holder_name no_letters'],
    ['sepa', { ...HOLDER, holder_kind: 'robot', iban: IBAN }, 'holder_kind unknown'],
    ['wire_usd', { ...WIRE, bic: '' }, 'bic missing'],
    ['wire_usd', { ...WIRE, city: '' }, 'city missing'],
    ['wire_usd', { ...WIRE, account_number: '12 / 3' }, 'account_number account'],
    ['wire_usd', { ...WIRE, account_number: 'DE88370400440532013000' }, 'account_number check_digits'],
    ['wire_usd', { ...WIRE, account_number: 'US64SVBKUS6S3300958879' }, 'account_number no_iban'],
    ['ach', { ...ACH, routing_number: '02100002A' }, 'routing_number not_digits'],
    ['ach', { ...ACH, routing_number: '021000022' }, 'routing_number check_digits'],
    ['ach', { ...ACH, routing_number: '000000000' }, 'routing_number check_digits'],
    ['ach', { ...ACH, routing_number: '12345' }, 'routing_number length'],
    ['ach', { ...ACH, account_number: '123' }, 'account_number account'],
    ['ach', { ...ACH, account_type: 'gold' }, 'account_type unknown'],
    ['other', { ...HOLDER, address: '@SUM(A1)' }, 'address formula'],
    ['other', { ...HOLDER, address: 'x'.repeat(201) }, 'address too_long'],
    ['none', { email: 'a@b.example' }, 'email not_for_method'],
  ])('%s %j: %s', (method, typed, problem) => {
    const checked = checkDetails(method, typed);
    expect(checked.ok ? 'ok' : `${checked.field} ${checked.problem}`).toBe(problem);
  });
});

test('a name that is entered blocks no file, whatever letters it has', () => {
  const methods = [
    ['sepa', { iban: IBAN }],
    ['wire_usd', WIRE],
    ['ach', ACH],
    ['wise', { wise_recipient_id: '1' }],
    ['other', { address: 'Cheque by post' }],
  ] as const;
  const letters = fc.oneof(ANY_CHARACTER, fc.constantFrom(...'Mira Щαß-.,/()&’_'));
  fc.assert(
    fc.property(fc.constantFrom(...methods), fc.string({ unit: letters, maxLength: 70 }), ([method, typed], holder_name) => {
      const checked = checkDetails(method, { ...typed, holder_name });
      if (checked.ok)
        for (const format of METHOD_FORMATS[method])
          expect(listNameBlockers(checked.details.entries.holder_name ?? '', format)).toEqual([]);
    }),
  );
});

test('the sentence about what can’t be written names signs that every bank file can carry', () => {
  const sentence = formatProblem('holder_name', 'not_writable');
  const signs = /signs (.*) and apostrophes/.exec(sentence)?.[1] ?? '';
  for (const sign of [...signs.split(' '), "'", '’'])
    for (const method of ['sepa', 'ach'] as const)
      expect(checkDetails(method, { ...(method === 'ach' ? ACH : { iban: IBAN }), holder_name: `Mira ${sign} Vale` }).ok, sign).toBe(true);
});

test('the list of countries has the 249 assigned codes', () => {
  expect(COUNTRIES.size).toBe(249);
});

test('details pay the identity they were made for and no other, and method none pays nobody', () => {
  const made = { detailNo: 1, method: 'paypal' as const };
  expect(canPay({ ...made, identityId: 'idn_1', reportedIdentityId: 'idn_1' })).toBe(true);
  expect(canPay({ ...made, identityId: null, reportedIdentityId: null })).toBe(true);
  expect(canPay({ ...made, identityId: 'idn_1', reportedIdentityId: 'idn_2' })).toBe(false);
  expect(canPay({ ...made, identityId: null, reportedIdentityId: 'idn_1' })).toBe(false);
  expect(canPay({ ...made, identityId: 'idn_1', reportedIdentityId: null })).toBe(false);
  expect(canPay({ ...made, method: 'none', identityId: 'idn_1', reportedIdentityId: 'idn_1' })).toBe(false);
  expect(canPay(null)).toBe(false);
});
