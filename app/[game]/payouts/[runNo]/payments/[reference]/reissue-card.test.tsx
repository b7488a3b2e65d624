import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Reissue } from '#lib/payments/reads/reissues.ts';
import { ReissueCard } from './reissue-card.tsx';

const proposal: NonNullable<Reissue['proposal']> = {
  itemNo: 9,
  reference: 'A100D004P0',
  proposedById: 'fiona',
  proposedBy: 'Fiona Hale',
  proposedAt: '2026-11-28T10:00:00Z',
  reason: 'The account was closed',
  confirmedBy: null,
};
const failed: Reissue = {
  runId: 7,
  runNo: 3,
  itemNo: 4,
  reference: 'A100D00354',
  state: 'failed',
  recipientId: 500_004,
  name: null,
  amount_usd: '38.17',
  isClosed: false,
  hasOtherDetails: false,
  returnedInRunNo: null,
  details: { detailNo: 2, account: 'PayPal f…@example.com' },
  proposal,
};
const drawn = (reissue: Partial<Reissue>, personId: string): string =>
  renderToStaticMarkup(<ReissueCard slug="demo" reissue={{ ...failed, ...reissue }} may={{ personId, prepare: true, approve: true }} />);
const textOf = (reissue: Partial<Reissue>, personId: string): string =>
  drawn(reissue, personId).replaceAll(/<script.*?<\/script>|<[^>]*>/gs, ' ');

test('a withdrawal names the proposal that the page shows', () => {
  expect(drawn({}, 'fiona').match(/name="reissueNo" value="\d+"/g)).toEqual(['name="reissueNo" value="9"']);
});

test('who proposed a re-issue waits for someone else, or withdraws it', () => {
  expect(textOf({}, 'fiona')).toMatch(/Someone else must confirm it\. +Withdraw *$/);
});

test.each([
  [{ state: 'paid' }, 'Since then, payment A100D00354 was reported as paid. A re-issue would pay the amount twice.'],
  [{ state: 'to_balance', returnedInRunNo: 4 }, 'Run 4 pays this amount again.'],
  [{ state: 'pending' }, 'Payment A100D00354 has changed since then and can’t be re-issued.'],
] as const)('a proposed re-issue whose payment is %j states why, and either person can only withdraw it', (reissue, reason) => {
  for (const personId of ['fiona', 'ada']) {
    const text = textOf(reissue, personId);
    expect(text).toContain(`${reason} Withdraw the re-issue: the run can’t be closed while it waits.`);
    expect(text).not.toMatch(/Confirm re-issue|must confirm/);
    expect(text).toMatch(/ Withdraw *$/);
  }
});
