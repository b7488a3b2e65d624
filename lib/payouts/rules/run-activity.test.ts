import { expect, test } from 'vitest';
import { POSTED_ACT } from '#lib/accounting/reads.ts';
import { formatCheckTitle } from '../text.ts';
import { formatRunActivity } from './run-activity.ts';

test.each([
  ['started payout run', {}, 'started the run'],
  ['submitted payout run', { payable_usd: '1374.27' }, 'submitted $1,374.27 for approval'],
  ['submitted payout run', {}, 'submitted for approval'],
  ['noted a check of payout run', { check: 'coarse' }, 'wrote a note: reversals without receipts'],
  ['noted a check of payout run', { check: 'warnings' }, 'wrote a note: reconciliation warnings'],
  ['recorded a finding for payout run', { reason: 'spend_order_not_found' }, 'recorded a finding: renewals without a settlement record'],
  [POSTED_ACT, { journal_no: '202609-A' }, 'posted journal 202609-A'],
  ['rejected payout run', { reason: 'For the studio only' }, 'sent the run back'],
  ['toString', {}, 'toString'],
])('"%s" with %j is listed as "%s"', (act, detail, text) => {
  expect(formatRunActivity({ act, detail }, formatCheckTitle)).toBe(text);
});
