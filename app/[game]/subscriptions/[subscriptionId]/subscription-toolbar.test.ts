import { expect, test } from 'vitest';
import { sampleCycles } from '#lib/invo/testing/sample-answers.ts';
import type { PeriodRow } from './billing-periods.tsx';
import { refundButtonOf } from './subscription-toolbar.tsx';

const [UNPAID, PAID] = (sampleCycles() as { periods: [PeriodRow, PeriodRow] }).periods;

test('the button names the period it leads to, the newest on the page with something left', () => {
  expect(refundButtonOf([UNPAID, { ...PAID, period_seq: 11 }, PAID])).toEqual({ word: 'Refund number 11…', periodId: 7001, reason: null });
  expect(refundButtonOf([{ ...PAID, period_seq: null }]).word).toBe('Refund period 7001…');
});

test('a page without such a period says so, and cycles that were not read are no such page', () => {
  expect(refundButtonOf([UNPAID])).toMatchObject({
    word: 'Refund…',
    periodId: null,
    reason: expect.stringContaining('no period on this page') as string,
  });
  expect(refundButtonOf(null)).toMatchObject({ periodId: null, reason: expect.stringContaining('could not be read') as string });
});
