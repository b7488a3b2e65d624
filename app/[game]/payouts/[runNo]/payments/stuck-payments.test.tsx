import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { isStuck, StuckPayments } from './stuck-payments.tsx';

const rate = { usd_per_eur: '1.08', source: 'The bank' };

describe('payments that can enter no file', () => {
  test.each([
    ['without payment details', null, rate, true],
    ['in euros, of a run that was approved without a rate', 'sepa', null, true],
    ['in euros, at the rate of their run', 'sepa', rate, false],
    ['in dollars', 'wire_usd', null, false],
  ] as const)('%s', (_, method, eurRate, expected) => {
    expect(isStuck({ eurRate }, { method })).toBe(expected);
  });

  test('the notice says why, leads to the list and to the payment details of each recipient', () => {
    const recipients = [{ recipientId: 71, name: 'Mira Vale' }];
    const group = { method: 'sepa', count: 2, total_usd: '1080.00', recipients } as const;
    const markup = renderToStaticMarkup(<StuckPayments slug="demo" group={group} mayPrepare listId="payments" />);
    expect(markup).toContain('2 payments by SEPA transfer, $1,080.00, can’t enter a file');
    expect(markup).toContain(
      'Record these payments as paid elsewhere, or have payment details by another method confirmed and re-issue them.',
    );
    expect(markup).toContain('href="#payments"');
    expect(markup).toContain('href="/demo/payouts/payees/71">Mira Vale');
    expect(markup).toContain('and 1 more');
  });
});
