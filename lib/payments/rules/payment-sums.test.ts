import { expect, test } from 'vitest';
import { formatPaymentSums, listStateSums, type StateSums } from './payment-sums.ts';

const sum = (count: number, total_usd: string) => ({ count, total_usd });

test.each<[StateSums, string, string]>([
  [{ waiting: sum(1, '13.5000') }, '1 payment, $13.50.', 'It isn’t in a file yet.'],
  [{ waiting: sum(39, '1374.27') }, '39 payments, $1,374.27.', 'None is in a file yet.'],
  [{ paid: sum(3, '185.35') }, '3 payments, $185.35.', 'All are paid.'],
  [
    { waiting: sum(2, '20.00'), sent: sum(4, '165.00'), paid: sum(1860, '185165.00') },
    '1,866 payments, $185,350.00.',
    '1,860 paid, 4 handed over, 2 not in a file.',
  ],
  [{ cancelled: sum(5, '50.00'), in_file: sum(5, '50.00'), returned: sum(1, '7.00') }, '6 payments, $57.00.', '5 in a file, 1 returned.'],
])('payments that are %j are summed up as %s %s', (sums, total, states) => {
  expect(formatPaymentSums(listStateSums(sums))).toEqual({ total, states });
});
