import { expect, test } from 'vitest';
import { sampleCycles } from '#e2e/support/invo/sample-answers.ts';
import type { PeriodRow } from './billing-periods.tsx';
import { refundButtonOf } from './subscription-toolbar.tsx';

const [UNPAID, PAID] = (sampleCycles() as { periods: [PeriodRow, PeriodRow] }).periods;

test('the refund button names its period, the newest on the page with an amount left', () => {
  expect(refundButtonOf([UNPAID, { ...PAID, period_seq: 11 }, PAID])).toEqual({ word: 'Refund period 11…', periodId: 7001, reason: null });
  expect(refundButtonOf([{ ...PAID, period_seq: null }]).word).toBe('Refund period ID 7001…');
});

test('without such a period the refund button says why, and so it does when the periods could not be read', () => {
  expect(refundButtonOf([UNPAID])).toMatchObject({
    word: 'Refund…',
    periodId: null,
    reason: expect.stringContaining('no period on this page') as string,
  });
  expect(refundButtonOf(null)).toMatchObject({ periodId: null, reason: expect.stringContaining('couldn’t be read') as string });
});
