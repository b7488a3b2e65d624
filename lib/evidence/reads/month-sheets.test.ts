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
});
