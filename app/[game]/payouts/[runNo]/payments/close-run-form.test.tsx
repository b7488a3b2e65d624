import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { StateSum } from '#lib/payments/rules/payment-sums.ts';
import { CloseRunForm } from './close-run-form.tsx';

const draw = (parts: StateSum[], hasOpenRows = false): string =>
  renderToStaticMarkup(
    <CloseRunForm slug="demo" run={{ runId: 7, runNo: 3 }} month="October 2026" parts={parts} hasOpenRows={hasOpenRows} />,
  );
const paid: StateSum = { state: 'paid', count: 4, total_usd: '52.00' };

test('a run whose payments are all paid is closed by one press', () => {
  const html = draw([paid]);
  expect(html).toContain('>Close run 3</button>');
  expect(html).toContain('A closed run can’t be reopened.');
  expect(html).not.toContain('aria-haspopup');
});

test('a run with a payment that came back opens a dialog first, which states what moves to the next run', () => {
  const html = draw([paid, { state: 'returned', count: 1, total_usd: '13.50' }]);
  expect(html).toContain('aria-haspopup="dialog"');
  expect(html).not.toContain('<form');
});

test('a run about which bank rows wait names them in place of the button, which would be refused', () => {
  const html = draw([paid], true);
  expect(html).toContain('Bank rows wait for a decision');
  expect(html).toContain('href="/demo/payouts/reports"');
  expect(html).not.toContain('Close run');
});
