import { expect, test } from 'vitest';
import { writeDemoReport } from './find-demo-report.ts';
import { readReport } from './reports/read-report.ts';
import { formatPaymentReference } from './rules/payment-reference.ts';

const items = [1, 2, 3, 4].map((itemNo) => ({
  reference: formatPaymentReference({ gameId: 1, runNo: 12, itemNo }),
  amount: `${itemNo}0.50`,
  currency: 'USD',
}));
const [first, second, third, fourth] = items.map(({ reference }) => reference);

/** The report as Sharebook reads it: reference, state, amount and day of each row. */
function readRows(text: string): unknown[][] {
  const reading = readReport(Buffer.from(text));
  if (!reading.ok) throw new Error(reading.refusal.reason);
  return reading.report.rows.map(({ references, state, amounts, occurredOn }) => [
    references.join(),
    state,
    amounts[0]?.amount,
    occurredOn,
  ]);
}

test('the demo bank reports each payment as paid', () => {
  const text = writeDemoReport(items, { paidOn: '2026-11-25', isOdd: false });
  expect(readRows(text)).toEqual([
    [first, 'paid', '10.50', '2026-11-25'],
    [second, 'paid', '20.50', '2026-11-25'],
    [third, 'paid', '30.50', '2026-11-25'],
    [fourth, 'paid', '40.50', '2026-11-25'],
  ]);
});

test('the demo bank returns one payment of the last month and reports another one 0.35 smaller', () => {
  const text = writeDemoReport(items, { paidOn: '2026-11-25', isOdd: true });
  expect(readRows(text)).toEqual([
    [first, 'paid', '10.50', '2026-11-25'],
    [second, 'paid', '20.50', '2026-11-25'],
    [second, 'returned', '20.50', '2026-11-25'],
    [third, 'paid', '30.15', '2026-11-25'],
    [fourth, 'paid', '40.50', '2026-11-25'],
  ]);
});
