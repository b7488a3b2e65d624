import { expect, test } from 'vitest';
import { badReports } from '#e2e/support/payments/bad-reports.ts';
import { formatReportRefusal } from '../report-text.ts';
import { formatPaymentReference } from '../rules/payment-reference.ts';
import type { ReportRow } from '../rules/report-row.ts';
import { readReport } from './read-report.ts';

const REFERENCE = formatPaymentReference({ gameId: 2, runNo: 7, itemNo: 1 });

/** Reads a report that isn't refused. */
function rowsOf(text: string): ReportRow[] {
  const reading = readReport(Buffer.from(text));
  if (!reading.ok) throw new Error(formatReportRefusal(reading.refusal));
  return reading.report.rows;
}

test.each(await badReports(REFERENCE))(
  'a report with %s is refused in a sentence that names the row or the reason',
  (_, bytes, sentence) => {
    const reading = readReport(bytes);
    expect(reading.ok ? 'was read' : formatReportRefusal(reading.refusal)).toMatch(sentence);
  },
);

test('what PayPal converts or holds for a payment neither pays nor returns it', () => {
  const heads = 'Date,Type,Status,Currency,Gross,Transaction ID,Reference Txn ID,Custom Number';
  const rows = [
    `2026-11-05,Mass payment,Completed,USD,-120.35,5TX,,${REFERENCE}`,
    '2026-11-05,General Currency Conversion,Completed,EUR,-104.10,6TX,5TX,',
    '2026-11-05,General Currency Conversion,Completed,USD,120.35,7TX,5TX,',
    '2026-11-06,Account Hold for Open Authorization,Completed,USD,-120.35,8TX,5TX,',
    '2026-11-07,Reversal of General Account Hold,Completed,USD,120.35,9TX,5TX,',
  ];
  const reading = readReport(Buffer.from([heads, ...rows, ''].join('\n')));
  const report = reading.ok ? reading.report : null;
  expect(report?.rows.map(({ rowNo, state }) => [rowNo, state])).toEqual([
    [2, 'paid'],
    [5, null],
    [6, null],
  ]);
  expect(report?.feeRows).toBe(2);
});

test.each([
  'cannot be paid',
  'will be paid',
  'paid back',
  'paid if approved',
  'partly returned',
  'unable to confirm that it was paid',
  'wird nicht bezahlt paid',
  'non paid',
  'paiement sans suite paid',
])('a pasted line “%s” says nothing of the payment', (words) =>
  expect(rowsOf(`${REFERENCE} 120.35 USD ${words} 2026-11-05`).map(({ state }) => state)).toEqual([null]),
);

test.each(['11-05-26', '31/11/2026', '2026-11-05, ordered 2026-11-01', '2026-11-1', '2026-11-'])(
  'the date of a pasted line with “%s” can’t be read, instead of being left out',
  (day) => {
    const rows = rowsOf(`${REFERENCE} 120.35 USD paid ${day}`);
    expect(rows.map(({ unreadable, occurredOn }) => [unreadable, occurredOn])).toEqual([['date', null]]);
  },
);

test.each(['EUR 1 080,00', 'USD 12 013.50', 'USD 1 013.50', "CHF 1'080.00 fee 1.50", '1\u00a0013.50 USD', 'USD 5 120.35', '€1 080,00 EUR'])(
  'the amount of a pasted line with “%s” is left open, instead of being read in part',
  (written) => expect(rowsOf(`2026-11-05 ${REFERENCE} ${written} paid`).map(({ amounts }) => amounts)).toEqual([[]]),
);

test.each([
  ['1\u00a0080,00 EUR', '1080.00'],
  ['2026-11-05 113.50 USD', '113.50'],
  ['12\t120.35 USD', '120.35'],
  ['12,013.50 USD', '12013.50'],
])('the amount of a pasted line with “%s” is %s', (written, amount) => {
  expect(rowsOf(`${REFERENCE} ${written} paid`).map(({ amounts }) => amounts[0]?.amount)).toEqual([amount]);
});

test.each(['25.11.2026', '11/25/2026'])('a pasted line with %s has the one date that it can be', (day) => {
  expect(rowsOf(`${REFERENCE} 120.35 USD paid ${day}`).map(({ occurredOn }) => occurredOn)).toEqual(['2026-11-25']);
});

test.each(['05/11/2026', '5.11.2026'])('a pasted line with %s is refused until a person chooses which number is the day', (day) => {
  const line = (date: string): string => `${REFERENCE} 120.35 USD paid ${date}`;
  const reading = readReport(Buffer.from(line(day)));
  expect(reading.ok ? null : reading.refusal).toMatchObject({ reason: 'date_order', rowNo: 1, detail: day });
  const chosen = readReport(Buffer.from(line(day)), { dateOrder: 'dmy' });
  expect(chosen.ok && chosen.report.rows.map(({ occurredOn }) => occurredOn)).toEqual(['2026-11-05']);
  // Another line shows it, or two lines contradict each other.
  expect(rowsOf(`${line(day)}\n${line('25.11.2026')}`).map(({ occurredOn }) => occurredOn)).toEqual(['2026-11-05', '2026-11-25']);
  expect(rowsOf(`${line(day)}\n${line('25.11.2026')}\n${line('11/25/2026')}`).map(({ unreadable }) => unreadable)).toEqual([
    'date',
    null,
    null,
  ]);
});

test('a date whose day is the number of its month, and those of a statement of Wise, are read without a question', () => {
  expect(rowsOf(`${REFERENCE} 120.35 USD paid 11/11/2026`).map(({ occurredOn }) => occurredOn)).toEqual(['2026-11-11']);
  const generic = `reference,status,amount,currency,provider_id,date\n${REFERENCE},paid,120.35,USD,T1,11-11-2026\n`;
  expect(rowsOf(generic).map(({ occurredOn }) => occurredOn)).toEqual(['2026-11-11']);
  const wise = `TransferWise ID,Date,Amount,Currency,Payment Reference\nTRANSFER-1,05-11-2026,-120.35,USD,${REFERENCE}\n`;
  expect(rowsOf(wise).map(({ occurredOn }) => occurredOn)).toEqual(['2026-11-05']);
});

test.each(['2026-11-05', '2026/11/05', '2026-11-05T10:00:00Z'])('a pasted line has the date %s', (day) => {
  expect(rowsOf(`${REFERENCE} 1234.50 USD paid ${day}`).map(({ occurredOn }) => occurredOn)).toEqual(['2026-11-05']);
});

test.each([
  ['2026-11-15', 'reference,status,amount,currency,provider_id,date', `${REFERENCE},paid,120.35,USD,T1,`],
  ['11/15/2026', 'Transaction ID,Gross,Status,Currency,Custom Number,Date', `T1,-120.35,Completed,USD,${REFERENCE},`],
  ['15-11-2026', 'TransferWise ID,Amount,Currency,Payment Reference,Date', `TRANSFER-1,-120.35,USD,${REFERENCE},`],
])('a CSV that ends within its last date, %s, never has another one', (day, header, row) => {
  for (let length = 1; length <= day.length; length++) {
    const reading = readReport(Buffer.from(`${header}\n${row}${day}\n${row}${day.slice(0, length)}`));
    if (!reading.ok) expect(reading.refusal).toMatchObject({ reason: 'date_cut', rowNo: 3, detail: day.slice(0, length) });
    else expect([null, '2026-11-15']).toContain(reading.report.rows[1]?.occurredOn);
    expect(reading.ok && reading.report.rows.every(({ unreadable }) => unreadable === null)).toBe(length === day.length);
  }
});

test('an ID that is longer than an index takes, or has a character that no text has, is none or is replaced', () => {
  const row = (id: string): string => `reference,status,amount,currency,provider_id,date\n${REFERENCE},paid,120.35,USD,${id},2026-11-05\n`;
  const item = { sender_item_id: REFERENCE, amount: { currency: 'USD', value: '120.35' } };
  const batch = (id: string): string =>
    JSON.stringify({ batch_header: {}, items: [{ transaction_id: id, transaction_status: 'SUCCESS', payout_item: item }] });
  const texts = [row('T'.repeat(200)), row('T'.repeat(201)), batch('T\u0000'), batch('T\ud800')];
  expect(texts.map((text) => rowsOf(text)[0]?.providerId)).toEqual(['T'.repeat(200), null, 'T\ufffd', 'T\ufffd']);
});
