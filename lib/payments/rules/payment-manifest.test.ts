import { describe, expect, test } from 'vitest';
import { sampleBatch, sampleItem, sepaAccount } from '#e2e/support/payments/sample-payments.ts';
import { describePaymentFile, formatPaymentFileName } from './payment-manifest.ts';

describe('the name of a payment file', () => {
  test.each([
    [{ format: 'paypal_web', method: 'paypal', partNo: 1, partCount: 2 }, 'demo-2026-10-run7-paypal-1of2.csv'],
    [{ format: 'paypal_web', method: 'paypal', reissueNo: 1 }, 'demo-2026-10-run7-reissue1-paypal.csv'],
    [{ format: 'paypal_api', method: 'paypal', reissueNo: 2, partNo: 2, partCount: 3 }, 'demo-2026-10-run7-reissue2-paypal-2of3.json'],
    [{ format: 'wise', method: 'wise' }, 'demo-2026-10-run7-wise.csv'],
    [{ format: 'pain_001_09', method: 'sepa' }, 'demo-2026-10-run7-sepa.xml'],
    [{ format: 'pain_001_03', method: 'wire_usd' }, 'demo-2026-10-run7-wire-usd.xml'],
    [{ format: 'nacha_ppd', method: 'ach' }, 'demo-2026-10-run7-ach-ppd.txt'],
    [{ format: 'nacha_ccd', method: 'ach' }, 'demo-2026-10-run7-ach-ccd.txt'],
    [{ format: 'generic', method: 'other' }, 'demo-2026-10-run7-other.csv'],
  ] as const)('of %j is %s', (changes, name) => {
    expect(formatPaymentFileName(sampleBatch(changes))).toBe(name);
  });
});

describe('the manifest of a payment file', () => {
  const batch = sampleBatch({ format: 'pain_001_09', method: 'sepa', partNo: 1, partCount: 2 });
  const items = [1, 2, 3].map((itemNo) => sampleItem(batch, itemNo, sepaAccount('AT611904300234573201')));
  const [runDigest, sha256] = ['3f9a12c4'.repeat(8), '00ff'.repeat(16)];

  test('states its run, its totals, its rate and its bytes', () => {
    expect(describePaymentFile({ batch, items }, { runDigest, sha256, fileName: formatPaymentFileName(batch) })).toEqual({
      game: 'demo',
      environment: 'production',
      run_id: 42,
      run_no: 7,
      run_digest: runDigest,
      window: { start: '2026-09-30T22:00:00Z', end: '2026-10-31T23:00:00Z' },
      batch_id: 'SB7K2DEMO000042',
      method: 'sepa',
      format: 'pain_001_09',
      file_name: 'demo-2026-10-run7-sepa-1of2.xml',
      part: 1,
      parts: 2,
      reissue: null,
      created_at: '2026-11-04T09:30:00',
      execution_date: '2026-11-05',
      file_id_modifier: 'A',
      payments: 3,
      total_usd: '185.35',
      currency: 'EUR',
      total_file: '161.17',
      usd_per_eur: '1.15',
      usd_per_eur_source: 'ECB, 3 Nov 2026',
      first_reference: 'A20070001T',
      last_reference: 'A20070003P',
      sha256,
    });
  });

  test('names no recipient and no account', () => {
    const text = JSON.stringify(describePaymentFile({ batch, items }, { runDigest, sha256, fileName: formatPaymentFileName(batch) }));
    for (const secret of ['Mira', 'Vale', 'AT6119']) expect(text).not.toContain(secret);
  });

  test('of no payments is a bug', () => {
    expect(() => describePaymentFile({ batch, items: [] }, { runDigest, sha256, fileName: formatPaymentFileName(batch) })).toThrow(
      'has no payments',
    );
  });
});
