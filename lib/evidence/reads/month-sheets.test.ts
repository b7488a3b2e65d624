import { describe, expect, test } from 'vitest';
import { writeHeader } from '#lib/core/csv.ts';
import { SHEETS } from '../rules/sheets.ts';
import { MONTH_SHEETS } from './month-sheets.ts';

// The header rows accountants import by; typed out here, so that a change of the columns cannot pass unseen.
const HEADERS = {
  recipients:
    'game,environment,window_start,window_end,snapshot_id,recipient_player_id,recipient_email,recipient_name,recipient_identity_id,resolved,renewal_count,subscription_count,gross_attributed_usd,reversed_attributed_usd,net_attributed_usd,first_paid_at,last_paid_at\r\n',
  renewals:
    'game,environment,window_start,window_end,snapshot_id,recipient_player_id,period_id,subscription_id,period_seq,item_id,item_name,status,period_start,period_end,paid_at,amount_usd,invo_fee_usd,partner_revenue_settled_usd,percent_at_renewal,base_usd,attributed_amount_usd,base_matches_settled_fee,rail,amount_coins,balance_applied_coins,card_charged_usd,pcstore_charged_usd,transaction_id,mint_order_id\r\n',
  reversals:
    'game,environment,window_start,window_end,snapshot_id,recipient_player_id,period_id,subscription_id,period_seq,paid_at,settled_in_this_window,reversal_basis,refunded_at,refunded_amount_usd,is_full_refund,originally_attributed_usd,reversed_attributed_usd,partner_revenue_reversed_usd,partner_revenue_reversal_basis,nets_to_zero_in_window\r\n',
};

describe.each(SHEETS)('the sheet %s', (sheet) => {
  const { columns } = MONTH_SHEETS[sheet];

  test('has the header row of the contract', () => {
    expect(writeHeader(columns)).toBe(HEADERS[sheet]);
  });

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
