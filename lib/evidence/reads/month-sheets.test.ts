import { describe, expect, test } from 'vitest';
import { SHEETS } from '../rules/sheets.ts';
import { MONTH_SHEETS } from './month-sheets.ts';

describe.each(SHEETS)('the sheet %s', (sheet) => {
  const { columns } = MONTH_SHEETS[sheet];

  test('writes USD as money and coins as coins, by the name of the column', () => {
    for (const { key, kind } of columns) {
      expect([key, kind === 'money']).toEqual([key, key.endsWith('_usd')]);
      expect([key, kind === 'coins']).toEqual([key, key.endsWith('_coins')]);
    }
  });

  test('guards every column that players or partners can fill with text', () => {
    const typed = [
      'game',
      'environment',
      'recipient_email',
      'recipient_name',
      'recipient_identity_id',
      'subscription_id',
      'item_id',
      'item_name',
      'status',
      'rail',
      'transaction_id',
      'mint_order_id',
      'reversal_basis',
      'partner_revenue_reversal_basis',
    ];
    for (const { key, kind } of columns) expect([key, kind === 'text']).toEqual([key, typed.includes(key)]);
  });

  test('sums amounts and counts of lines only; a base or an original amount comes once a refund and adds up to nothing', () => {
    const summed = columns.filter((column) => column.isSummed).map((column) => column.key);
    expect(summed).toEqual(
      {
        recipients: ['renewal_count', 'gross_attributed_usd', 'reversed_attributed_usd', 'net_attributed_usd'],
        renewals: ['amount_usd', 'invo_fee_usd', 'partner_revenue_settled_usd', 'attributed_amount_usd'],
        reversals: ['refunded_amount_usd', 'reversed_attributed_usd', 'partner_revenue_reversed_usd'],
      }[sheet],
    );
  });
});
