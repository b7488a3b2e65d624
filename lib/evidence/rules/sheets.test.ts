import { describe, expect, test } from 'vitest';
import { ATTRIBUTION_NOTICE, parseSheet, SHEETS } from './sheets.ts';

describe.each(SHEETS)('the sheet %s', (sheet) => {
  test('can be looked up by its name', () => {
    expect(parseSheet(sheet)).toBe(sheet);
  });
});

test.each(['', 'Recipients', 'recipients ', 'lines', '__proto__', 'constructor', 'recipients.csv'])('%j is no sheet', (text) => {
  expect(parseSheet(text)).toBeNull();
});

test('the attribution notice says that Invo has paid no recipient and that this is not a remittance advice', () => {
  expect(ATTRIBUTION_NOTICE).toMatchObject({
    settled_by_invo: false,
    invo_has_paid_no_recipient: true,
    document_type: 'attribution_report',
    not_a_remittance_advice: true,
    payer: 'partner',
  });
});
