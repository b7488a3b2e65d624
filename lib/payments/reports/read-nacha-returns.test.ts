import { describe, expect, test } from 'vitest';
import { formatPaymentReference } from '../rules/payment-reference.ts';
import type { ReportRow } from '../rules/report-row.ts';
import { readReport } from './read-report.ts';

const A = formatPaymentReference({ gameId: 2, runNo: 7, itemNo: 1 });

const readText = (text: string) => readReport(new TextEncoder().encode(text));

function read(text: string) {
  const reading = readText(text);
  if (!reading.ok) throw new Error(JSON.stringify(reading.refusal));
  return reading.report;
}

const refusal = (text: string): unknown => {
  const reading = readText(text);
  return reading.ok ? 'was read' : [reading.refusal.reason, reading.refusal.rowNo, reading.refusal.detail];
};

/** A row as one line. */
const line = ({ state, references, amounts, providerId, occurredOn }: ReportRow): string =>
  [state, references.join('+'), amounts.map(({ amount, currency }) => `${amount} ${currency}`).join('|'), providerId, occurredOn].join(' ');

describe('returns of an ACH file', () => {
  const record = (text: string): string => text.padEnd(94);
  const control = (count: number): string => record(`9000001000001${String(count).padStart(8, '0')}`);
  const returned = (code: string, type = '799'): string[] => [
    record(`6210610000512345678          0000012035${A.padEnd(15)}SABLE QUILL           0 1061000050000001`),
    record(`${type}${code}061000010000007      06100001REASON`.padEnd(79)).slice(0, 79) + '061000050000001',
  ];
  const file = (...entries: string[][]): string =>
    [
      record('101 061000010 1234567890'),
      record(`5220STARFALL${''.padEnd(57)}261105`),
      ...entries.flat(),
      control(entries.flat().length),
      '9'.repeat(94),
    ].join('\r\n');

  test('name the payment by its reference and the trace of the file', () => {
    const { kind, rows } = read(file(returned('R01'), returned('R61'), returned('C01', '798')));
    expect(kind).toBe('nacha_returns');
    expect(rows.map(line)).toEqual([
      `returned ${A} 120.35 USD 061000050000001 2026-11-05`,
      ` ${A} 120.35 USD 061000050000001 2026-11-05`,
      ` ${A}  061000050000001 2026-11-05`,
    ]);
    expect(rows.map(({ trace, reasonCode }) => [trace, reasonCode])).toEqual([
      ['061000010000007', 'R01'],
      ['061000010000007', 'R61'],
      ['061000010000007', 'C01'],
    ]);
  });

  test('are found behind another addenda, and an entry without one is listed', () => {
    const [entry = '', back = ''] = returned('R01');
    expect(read(file([entry, record('705PAYMENT OF NOVEMBER'), back], [entry])).rows.map(line)).toEqual([
      `returned ${A} 120.35 USD 061000050000001 2026-11-05`,
      ` ${A}   2026-11-05`,
    ]);
  });

  test('are read without the spaces at the end of a record', () => {
    expect(read(file(returned('R01')).replaceAll(/ +(?=\r\n)/g, '')).rows.map(line)).toEqual([
      `returned ${A} 120.35 USD 061000050000001 2026-11-05`,
    ]);
  });

  test('are refused when a record is too long, the count differs or the end is missing', () => {
    const whole = file(returned('R01'));
    expect(refusal(whole.replace('REASON', 'REASON more'))).toEqual(['truncated', 4, '']);
    expect(refusal(whole.replace('00000002', '00000003'))).toEqual(['count_differs', null, '2 of 3']);
    expect(refusal(whole.split('\r\n').slice(0, 4).join('\r\n'))).toContain('truncated');
  });
});
