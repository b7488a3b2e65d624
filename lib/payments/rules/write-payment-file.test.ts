import { describe, expect, test } from 'vitest';
import {
  ACH_SENDER,
  achAccount,
  BANK_SENDER,
  PAYPAL_SENDER,
  paypalEmail,
  sampleBatch,
  sampleItem,
  sepaAccount,
  wireAccount,
} from '#e2e/support/payments/sample-payments.ts';
import {
  METHOD_FORMATS,
  PAYMENT_FORMATS,
  PAYMENT_METHODS,
  type PaymentAccount,
  type PaymentBatch,
  type PaymentFormat,
  type PaymentItem,
  type PaymentMethod,
  type PaymentSender,
} from './payment.ts';
import { BLOCKER_REASONS, type BlockerReason } from './payment-blocker.ts';
import { listPaymentBlockers, writePaymentFile } from './write-payment-file.ts';
import { WISE_HEADER } from './write-wise.ts';

const ADDRESS = { postCode: null, town: 'Bern', country: 'CH' };
const WISE_SENDER = { family: 'wise', templateHeader: WISE_HEADER } as const;
const WISE_ACCOUNT = { method: 'wise', wiseRecipientId: '40000001', email: null, detail: null, payeeCurrency: 'USD' } as const;
const US_SENDER = { ...BANK_SENDER, account: { accountNumber: '9876543210' } };
const GENERIC_SENDER = { family: 'generic' } as const;
const OTHER_ACCOUNT = { method: 'other', paymentAddress: 'Cash', country: null } as const;

/** What a file has where a case changes nothing: one payment to Mira that nothing blocks. */
const SOUND: Record<PaymentFormat, { method: PaymentMethod; sender: PaymentSender; account: PaymentAccount; kind?: 'company' }> = {
  paypal_web: { method: 'paypal', sender: PAYPAL_SENDER, account: paypalEmail('mira@mail.example') },
  paypal_api: { method: 'paypal', sender: PAYPAL_SENDER, account: paypalEmail('mira@mail.example') },
  wise: { method: 'wise', sender: WISE_SENDER, account: WISE_ACCOUNT },
  pain_001_09: { method: 'sepa', sender: BANK_SENDER, account: sepaAccount('AT611904300234573201') },
  pain_001_03: { method: 'wire_usd', sender: BANK_SENDER, account: wireAccount() },
  nacha_ppd: { method: 'ach', sender: ACH_SENDER, account: achAccount() },
  nacha_ccd: { method: 'ach', sender: ACH_SENDER, account: achAccount(), kind: 'company' },
  generic: { method: 'other', sender: GENERIC_SENDER, account: OTHER_ACCOUNT },
};

interface Changes {
  batch?: Partial<PaymentBatch>;
  sender?: PaymentSender | null;
  item?: Partial<PaymentItem>;
  /** More payments beside the first; null: not even that one. */
  items?: ((batch: PaymentBatch) => PaymentItem[]) | null;
}

function file(format: PaymentFormat, { batch: changes = {}, sender, item = {}, items }: Changes = {}) {
  const { kind = 'person', ...sound } = SOUND[format];
  const batch = sampleBatch({ format, method: sound.method, ...changes });
  const first = sampleItem(batch, 1, sound.account, { holderKind: kind, ...item });
  return { batch, sender: sender === undefined ? sound.sender : sender, items: items === null ? [] : [first, ...(items?.(batch) ?? [])] };
}

const paypal = (receiver: string, receiverKind: 'email' | 'payer_id' = 'email'): Changes => ({
  item: { account: { method: 'paypal', receiverKind, receiver } },
});
const sepa = (iban: string, changes: Parameters<typeof sepaAccount>[1] = {}): Changes => ({
  item: { account: sepaAccount(iban, changes) },
});
const wire = (changes: Parameters<typeof wireAccount>[0]): Changes => ({ item: { account: wireAccount(changes) } });
const bank = (changes: Partial<typeof BANK_SENDER>): Changes => ({ sender: { ...BANK_SENDER, ...changes } });
const ach = (changes: Partial<typeof ACH_SENDER>): Changes => ({ sender: { ...ACH_SENDER, ...changes } });
const wise = (
  changes: Partial<Omit<typeof WISE_ACCOUNT, 'method'> | Record<'email' | 'detail' | 'wiseRecipientId' | 'payeeCurrency', string>>,
): Changes => ({
  item: { account: { ...WISE_ACCOUNT, ...changes } as PaymentAccount },
});
const named = (holderName: string): Changes => ({ item: { holderName } });
const many = (count: number): Changes => ({
  items: (batch) => Array.from({ length: count - 1 }, (_, index) => sampleItem(batch, index + 2, SOUND[batch.format].account)),
});

// Each reason with what its sentence names.
const CASES: [what: string, reason: BlockerReason, format: PaymentFormat, changes: Changes, detail?: string][] = [
  ['a sandbox game', 'sandbox', 'generic', { batch: { environment: 'sandbox' } }],
  ['no payments', 'no_payments', 'wise', { items: null }],
  ['SEPA in a PayPal file', 'method_in_other_layout', 'paypal_web', { batch: { method: 'sepa' } }],
  ['no sender', 'sender_missing', 'nacha_ppd', { sender: null }],
  ['a sender of another layout', 'sender_missing', 'nacha_ppd', { sender: BANK_SENDER }],
  ['a sender without a name', 'sender_setting', 'pain_001_09', bank({ name: ' ' }), 'name'],
  ['a sender’s name that can’t be written', 'sender_setting', 'pain_001_09', bank({ name: '株式会社' }), 'name'],
  ['SEPA from a number without IBAN', 'sender_setting', 'pain_001_09', { sender: US_SENDER }, 'iban'],
  ['a wire from a wrong number', 'sender_setting', 'pain_001_03', bank({ account: { iban: 'DE00' } }), 'account'],
  ['a wire without the sender’s BIC', 'sender_setting', 'pain_001_03', bank({ bic: null as never }), 'bic'],
  ['a wrong BIC of the sender', 'sender_setting', 'pain_001_09', bank({ bic: 'COBA' }), 'bic'],
  ['a wire without the sender’s address', 'sender_setting', 'pain_001_03', bank({ address: null as never }), 'address'],
  ['no number of payments', 'sender_setting', 'pain_001_09', bank({ itemsMax: 0 }), 'items_max'],
  [
    'a long email subject',
    'sender_setting',
    'paypal_api',
    { sender: { ...PAYPAL_SENDER, emailSubject: 'x'.repeat(256) } },
    'email_subject',
  ],
  ['a long company name', 'sender_setting', 'nacha_ppd', ach({ companyName: 'Drachen Spiele GmbH' }), 'company_name'],
  ['a short company ID', 'sender_setting', 'nacha_ppd', ach({ companyId: '123456789' }), 'company_id'],
  ['no entry description', 'sender_setting', 'nacha_ppd', ach({ entryDescription: '' }), 'entry_description'],
  ['a short origin', 'sender_setting', 'nacha_ppd', ach({ immediateOrigin: '12345678' }), 'immediate_origin'],
  ['no bank name', 'sender_setting', 'nacha_ppd', ach({ bankName: '' }), 'bank_name'],
  ['a wrong routing number', 'sender_setting', 'nacha_ppd', ach({ bankRoutingNumber: '021000022' }), 'bank_routing_number'],
  [
    'a wrong account to debit',
    'sender_setting',
    'nacha_ppd',
    { sender: { ...ACH_SENDER, offset: { routingNumber: '021000021', accountNumber: '', accountKind: 'checking' } } },
    'offset_account',
  ],
  ['one entry a file', 'sender_setting', 'nacha_ppd', ach({ entriesMax: 1 }), 'entries_max'],
  ['no execution date', 'execution_date_missing', 'pain_001_09', { batch: { executionDate: null } }],
  ['a day that no month has', 'execution_date_missing', 'nacha_ppd', { batch: { executionDate: '2026-02-30' } }],
  ['a day before the file', 'execution_date_past', 'pain_001_09', { batch: { executionDate: '2020-11-03' } }],
  ['no modifier', 'modifier_missing', 'nacha_ppd', { batch: { fileIdModifier: null } }],
  ['a modifier of two letters', 'modifier_missing', 'nacha_ccd', { batch: { fileIdModifier: 'AA' } }],
  ['SEPA without a rate', 'rate_missing', 'pain_001_09', { batch: { rate: null } }],
  ['a rate of zero', 'rate_missing', 'pain_001_09', { batch: { rate: { usd_per_eur: '0.000', source: 'ECB' } } }],
  ['an emoji in a bank’s note', 'note_not_writable', 'pain_001_09', { batch: { note: 'Thanks 😀' } }, '😀 (U+1F600)'],
  ['a line break in PayPal’s note', 'note_not_writable', 'paypal_web', { batch: { note: 'a\nb' } }, 'U+000A'],
  ['a long note for a bank', 'note_too_long', 'pain_001_09', { batch: { note: 'x'.repeat(130) } }, '129'],
  ['a long note for PayPal', 'note_too_long', 'paypal_api', { batch: { note: 'x'.repeat(401) } }, '400'],
  ['a note that is a formula', 'note_is_formula', 'paypal_web', { batch: { note: '=1+1' } }],
  ['an unknown column', 'column_unknown', 'wise', { sender: { family: 'wise', templateHeader: `${WISE_HEADER},taxId` } }, 'taxId'],
  [
    'a missing column',
    'column_missing',
    'wise',
    { sender: { ...WISE_SENDER, templateHeader: WISE_HEADER.replace('amount,', '') } },
    'amount',
  ],
  ['a column twice', 'column_twice', 'wise', { sender: { family: 'wise', templateHeader: `${WISE_HEADER},name` } }, 'name'],
  [
    'emails beside payer IDs',
    'mixed_recipient_types',
    'paypal_web',
    { items: (batch) => [sampleItem(batch, 2, { method: 'paypal', receiverKind: 'payer_id', receiver: 'ODEGARD000002' })] },
  ],
  ['1,001 payments by Wise', 'too_many_payments', 'wise', many(1_001), '1000'],
  [
    'a balanced file above ten digits',
    'total_above_limit',
    'nacha_ppd',
    {
      sender: { ...ACH_SENDER, offset: { routingNumber: '021000021', accountNumber: '1', accountKind: 'checking' } },
      item: { amount_usd: '99999999.99' },
      items: (batch) => [sampleItem(batch, 2, achAccount(), { amount_usd: '0.01', holderKind: 'person' })],
    },
    '99999999.99',
  ],
  ['a payment twice', 'not_in_order', 'paypal_web', { items: (batch) => [sampleItem(batch, 1, paypalEmail('a@mail.example'))] }],
  ['another run’s reference', 'reference_differs', 'paypal_web', { item: { reference: 'A200701TC8' } }],
  ['a reference in lower case', 'reference_differs', 'paypal_web', { item: { reference: 'a20070001t' } }],
  ['another game’s reference', 'reference_differs', 'paypal_web', { batch: { gameId: 3 }, item: { reference: 'A20070001T' } }],
  ['a reference without check letter', 'reference_differs', 'paypal_web', { item: { reference: 'A20070001S' } }],
  ['an account of another method', 'other_method', 'wise', { item: { account: paypalEmail('mira@mail.example') } }],
  ['a company in PPD', 'other_holder_kind', 'nacha_ppd', { item: { holderKind: 'company' } }],
  ['a person in CCD', 'other_holder_kind', 'nacha_ccd', { item: { holderKind: 'person' } }],
  ['a fraction of a cent', 'amount_not_payable', 'paypal_web', { item: { amount_usd: '1.005' } }],
  ['zero', 'amount_not_payable', 'paypal_web', { item: { amount_usd: '0.00' } }],
  ['a negative amount', 'amount_not_payable', 'paypal_web', { item: { amount_usd: '-1.00' } }],
  ['an amount that isn’t the conversion', 'amount_differs', 'pain_001_09', { item: { amount: '104.66' } }, '104.65 EUR'],
  ['another currency', 'amount_differs', 'wise', { item: { currency: 'EUR' } }, '120.35 USD'],
  [
    'a cent at two USD per EUR',
    'rounds_to_zero',
    'pain_001_09',
    { batch: { rate: { usd_per_eur: '2', source: 'ECB' } }, item: { amount_usd: '0.01' } },
  ],
  ['more than ten digits by ACH', 'amount_above_limit', 'nacha_ppd', { item: { amount_usd: '100000000.00' } }, '99999999.99 USD'],
  ['a billion by SEPA', 'amount_above_limit', 'pain_001_09', { item: { amount_usd: '1150000000.00' } }, '999999999.99 EUR'],
  ['a name of spaces', 'name_empty', 'pain_001_09', named('   ')],
  ['a name of signs', 'name_empty', 'nacha_ppd', named('---')],
  ['a name in Japanese', 'name_not_writable', 'pain_001_09', named('Mira 株'), '株 (U+682A)'],
  ['an emoji in a name', 'name_not_writable', 'nacha_ppd', named('Mira 😀'), '😀 (U+1F600)'],
  ['a name that runs from right to left', 'name_not_writable', 'pain_001_03', named('של'), 'ש (U+05E9), ל (U+05DC)'],
  ['a control character in a name', 'name_not_writable', 'wise', named('Mira\u0007'), 'U+0007'],
  ['a turn of direction in a name', 'name_not_writable', 'generic', named('Mira\u202eelaV'), 'U+202E'],
  ['a name of 71 letters', 'name_too_long', 'pain_001_09', named('x'.repeat(71)), '70'],
  ['a name that 36 letters make too long', 'name_too_long', 'pain_001_09', named('ß'.repeat(36)), '70'],
  ['a name that is a formula', 'name_is_formula', 'wise', named('=HYPERLINK("x")')],
  ['no email address', 'account_not_valid', 'paypal_web', paypal('mira')],
  ['an email address with a line break', 'account_not_valid', 'paypal_web', paypal('mira@mail.example\n')],
  ['an email address with a comma', 'account_not_valid', 'paypal_web', paypal('a,b@mail.example')],
  ['an email address that is a formula', 'account_not_valid', 'paypal_web', paypal('=cmd|x@mail.example')],
  ['an email address with 128 letters', 'account_not_valid', 'paypal_api', paypal(`mira@${'a'.repeat(60)}.${'b'.repeat(59)}.co`)],
  ['an email address with two points', 'account_not_valid', 'paypal_web', paypal('mira..vale@mail.example')],
  ['a short payer ID', 'account_not_valid', 'paypal_api', paypal('MIRAVALE0001', 'payer_id')],
  ['an ID of Wise with a comma', 'account_not_valid', 'wise', wise({ wiseRecipientId: '1,2' })],
  ['an ID of Wise that is a formula', 'account_not_valid', 'wise', wise({ wiseRecipientId: '-1' })],
  ['no currency of Wise', 'account_not_valid', 'wise', wise({ payeeCurrency: '' })],
  ['a wrong email of Wise', 'account_not_valid', 'wise', wise({ email: 'mira' })],
  ['a detail of Wise that is a formula', 'account_not_valid', 'wise', wise({ detail: '@SUM(A1)' })],
  ['a wrong IBAN', 'account_not_valid', 'pain_001_09', sepa('AT611904300234573202')],
  ['a wire to a wrong number', 'account_not_valid', 'pain_001_03', wire({ account: { accountNumber: '12 34' } })],
  ['a wire to a wrong IBAN', 'account_not_valid', 'pain_001_03', wire({ account: { iban: 'GB29' } })],
  ['a wrong routing number of a recipient', 'account_not_valid', 'nacha_ppd', { item: { account: achAccount({ routingNumber: '1' }) } }],
  ['an account of 18 digits', 'account_not_valid', 'nacha_ppd', { item: { account: achAccount({ accountNumber: '1'.repeat(18) }) } }],
  ['no payment address', 'account_not_valid', 'generic', { item: { account: { ...OTHER_ACCOUNT, paymentAddress: ' ' } } }],
  ['Turkey', 'country_outside_sepa', 'pain_001_09', sepa('TR330006100519786457841326', { bic: 'TGBATRIS', address: ADDRESS }), 'TR'],
  ['SEPA to Switzerland without BIC', 'bic_missing', 'pain_001_09', sepa('CH9300762011623852957', { address: ADDRESS })],
  ['a wire to the US without BIC', 'bic_missing', 'pain_001_03', wire({ bic: null })],
  ['a wrong BIC', 'bic_not_valid', 'pain_001_03', wire({ bic: 'BOFAUS' })],
  ['a wrong BIC by SEPA', 'bic_not_valid', 'pain_001_09', sepa('AT611904300234573201', { bic: 'x' })],
  ['a wire without an address', 'address_missing', 'pain_001_03', wire({ address: null })],
  ['a wire without a town', 'address_not_valid', 'pain_001_03', wire({ address: { postCode: null, town: '', country: 'US' } })],
  ['a country in words', 'address_not_valid', 'pain_001_09', sepa('AT611904300234573201', { address: { ...ADDRESS, country: 'Austria' } })],
];

describe('a payment file', () => {
  test.each(PAYMENT_FORMATS)('by %s is written where nothing blocks it, twice with the same bytes', (format) => {
    const result = writePaymentFile(file(format));
    expect(result.ok).toBe(true);
    expect(writePaymentFile(file(format))).toEqual(result);
  });

  test.each(CASES)('with %s is blocked: %s (%s)', (_, reason, format, changes, detail = '') => {
    const found = listPaymentBlockers(file(format, changes));
    expect(found).toMatchObject([{ reason, detail }]);
    expect(writePaymentFile(file(format, changes))).toEqual({ ok: false, blockers: found });
  });

  test('has a case for each reason', () => {
    const elsewhere = ['details_changed', 'details_unreadable', 'reported_paid', 'note_names_account'];
    elsewhere.push('execution_date_weekend', 'execution_date_closed');
    expect([...new Set(CASES.map(([, reason]) => reason)), ...elsewhere].toSorted()).toEqual(BLOCKER_REASONS.toSorted());
  });

  test('names every payment that blocks it, in their order', () => {
    const batch = sampleBatch({ format: 'pain_001_09', method: 'sepa' });
    const items = [
      sampleItem(batch, 1, sepaAccount('AT611904300234573202')),
      sampleItem(batch, 2, sepaAccount('AT611904300234573201')),
      sampleItem(batch, 3, sepaAccount('CH9300762011623852957'), { holderName: '株' }),
    ];
    const found = listPaymentBlockers({ batch, sender: { ...BANK_SENDER, bic: null }, items });
    expect(found.map(({ reason, item, detail }) => [reason, item?.itemNo ?? null, item?.recipientId ?? null, detail])).toEqual([
      ['sender_setting', null, null, 'bic'],
      ['account_not_valid', 1, 71, ''],
      ['name_not_writable', 3, 79, '株 (U+682A)'],
      ['bic_missing', 3, 79, ''],
    ]);
  });

  const EDGES: [string, PaymentFormat, Changes][] = [
    ['a note of 129 letters', 'pain_001_09', { batch: { note: 'x'.repeat(129) } }],
    ['a note of 400 letters', 'paypal_web', { batch: { note: 'x'.repeat(400) } }],
    ['no note', 'pain_001_09', { batch: { note: '' } }],
    ['a name of 70 letters', 'pain_001_09', named('x'.repeat(70))],
    ['a name of 100 letters by ACH', 'nacha_ppd', named('x'.repeat(100))],
    ['an email address of 127 letters', 'paypal_web', paypal(`mir@${'a'.repeat(60)}.${'b'.repeat(59)}.co`)],
    ['ten digits by ACH', 'nacha_ppd', { item: { amount_usd: '99999999.99' } }],
    [
      'a balanced file of exactly ten digits',
      'nacha_ppd',
      {
        sender: { ...ACH_SENDER, offset: { routingNumber: '021000021', accountNumber: '1', accountKind: 'checking' } },
        item: { amount_usd: '99999999.98' },
        items: (batch) => [sampleItem(batch, 2, achAccount(), { amount_usd: '0.01', holderKind: 'person' })],
      },
    ],
    ['1,000 payments by Wise', 'wise', many(1_000)],
  ];

  test.each(EDGES)('with %s is just written (%s)', (_, format, changes) => {
    expect(listPaymentBlockers(file(format, changes))).toEqual([]);
    expect(writePaymentFile(file(format, changes)).ok).toBe(true);
  });

  test('within the EEA needs neither BIC nor address, not even of its sender', () => {
    expect(listPaymentBlockers(file('pain_001_09', { sender: { ...BANK_SENDER, bic: null, address: null } }))).toEqual([]);
  });

  test('by SEPA from outside the EEA needs the sender’s BIC and address', () => {
    const sender = { ...BANK_SENDER, account: { iban: 'CH9300762011623852957' }, bic: null, address: null };
    expect(listPaymentBlockers(file('pain_001_09', { sender })).map(({ detail }) => detail)).toEqual(['bic', 'address']);
  });

  test.each(['', 'x'.repeat(36), 'a/b', 'é', '-a'])('with the batch ID %j is a bug', (batchId) => {
    expect(() => writePaymentFile(file('generic', { batch: { batchId } }))).toThrow('no ID of a batch');
  });

  test.each(['2026-11-04', '2026-11-04T09:30:00Z', ''])('made at %j is a bug', (createdAt) => {
    expect(() => writePaymentFile(file('generic', { batch: { createdAt } }))).toThrow('no wall-clock time');
  });

  test('has a layout for each method, and every layout has a method', () => {
    expect(PAYMENT_METHODS.filter((method) => METHOD_FORMATS[method].length === 0)).toEqual([]);
    expect(new Set(Object.values(METHOD_FORMATS).flat())).toEqual(new Set(PAYMENT_FORMATS));
  });
});
