import { expect, test } from 'vitest';
import { GUARDIAN_STATES, isInFilter, TRANSFER_FILTERS, VERIFICATION_STATES } from './rules/transfer-state.ts';
import { type GuardianRequest, guardianText, transferStateText, wordOfTransfer } from './text.ts';

test('each state of a transfer and of a guardian has its own words', () => {
  const labels = [...VERIFICATION_STATES.map((state) => transferStateText(state, null)), ...GUARDIAN_STATES.map(guardianText)].map(
    ({ label }) => label,
  );
  expect(new Set(labels).size).toBe(9);
});

test('an approved transfer waits to be collected only where Invo says so', () => {
  expect(transferStateText('approved', 'pending_claim').label).toBe('Waiting to be collected');
  expect(transferStateText('approved', 'settling').label).toBe('Approved');
  expect(transferStateText('completed', 'pending_claim').label).toBe('Collected');
});

test('the coins of a transfer without a guardian are reserved; with one the wallet says so, and the guardian comes first', () => {
  const says = (guardian: GuardianRequest): string => transferStateText('awaiting', 'pending_approval', [], guardian).sentence;
  expect(says('none')).toBe('The coins are reserved, and nothing has moved. The sender has to approve.');
  for (const guardian of [...GUARDIAN_STATES, 'unknown'] as const) {
    expect(says(guardian)).toContain('The sender’s wallet shows whether the coins are reserved.');
    expect(says(guardian)).toContain('uardian');
  }
  expect(says('pending')).toMatch(/^Nothing has moved\. A guardian has to agree before the sender can approve\./);
});

test('a transfer that a guardian ended says so, and a collected one doesn’t', () => {
  expect(transferStateText('failed', 'failed', [], 'rejected').sentence).toBe('The guardian declined it. The coins go back to the sender.');
  expect(transferStateText('expired', null, [], 'expired').sentence).toMatch(/^The guardian didn’t answer in time\./);
  expect(transferStateText('failed', 'refunded', [], 'rejected').sentence).toBe(
    'The guardian declined it. The coins are back with the sender.',
  );
  expect(transferStateText('failed', 'failed', [], 'approved').sentence).not.toContain('uardian');
  expect(transferStateText('completed', null, [], 'rejected').sentence).not.toContain('uardian');
});

test('the coins of an expired or failed transfer go back, and aren’t said to be back', () => {
  for (const state of ['expired', 'failed']) expect(transferStateText(state, null).sentence).toContain('go back to the sender');
});

test.each<[string, string | null, { eventType: string; state: string }[], string]>([
  ['its claim window ended', null, [{ eventType: 'transfer.claim_expired', state: 'processed' }], 'Expired'],
  ['it was refunded, as a webhook reports', null, [{ eventType: 'transfer.refunded', state: 'received' }], 'Returned'],
  ['it was refunded, as its status reports', 'refunded', [], 'Returned'],
  ['two webhooks contradict each other about it', null, [{ eventType: 'transfer.refunded', state: 'conflict' }], 'Expired'],
  ['the webhook came too late', null, [{ eventType: 'transfer.refunded', state: 'stale' }], 'Expired'],
])('the coins of an expired transfer are back only when it was refunded: %s', (_, status, events, label) => {
  expect(transferStateText('expired', status, events).label).toBe(label);
});

test('a webhook returns no transfer that Invo reports as collected or as still to be approved', () => {
  const refunded = [{ eventType: 'transfer.refunded', state: 'processed' }];
  expect(transferStateText('completed', null, refunded).label).toBe('Collected');
  expect(transferStateText('awaiting', 'pending_approval', refunded).label).toBe('Awaiting approval');
});

test('words nobody documents are shown as they came', () => {
  expect(transferStateText('paused_by_operator', 'x')).toMatchObject({ label: 'paused_by_operator', tone: 'quiet' });
  expect(guardianText('escalated')).toMatchObject({ label: 'escalated', tone: 'quiet' });
  expect([transferStateText(null, null).label, guardianText(null).label]).toEqual(['Not reported', 'Not reported']);
});

test('words of the documents are the product’s, and any other is shown as it came', () => {
  expect(['pending_claim', 'awaiting', 'completed', 'settling'].map(wordOfTransfer)).toEqual([
    'Waiting to be collected',
    'Awaiting approval',
    'Collected',
    null,
  ]);
});

test.each<[string, string | null, string | null, string[]]>([
  ['that waits for the sender', 'awaiting', null, ['reserved']],
  ['that waits for the sender and ends today', 'awaiting', '2026-11-22T11:59:59Z', ['reserved', 'ends_soon']],
  ['whose claim window ends in exactly a day', 'approved', '2026-11-22T12:00:00Z', ['ends_soon']],
  ['whose claim window ends later', 'approved', '2026-11-22T12:00:01Z', []],
  ['whose claim window is over', 'approved', '2026-11-21T12:00:00Z', []],
  ['that was collected', 'completed', '2026-11-21T13:00:00Z', []],
  ['in a state nobody documents', 'paused_by_operator', '2026-11-21T13:00:00Z', ['needs_person', 'ends_soon']],
  ['without a state', null, null, ['needs_person']],
])('a transfer %s is in its filters and no other', (_, verification_state, claimExpiresAt, filters) => {
  const now_ms = Date.parse('2026-11-21T12:00:00Z');
  expect(TRANSFER_FILTERS.filter((each) => isInFilter(each, { verification_state, claimExpiresAt }, now_ms)).toSorted()).toEqual(
    filters.toSorted(),
  );
});

test('a transfer that only a webhook names needs a person, and is in no other filter', () => {
  expect(TRANSFER_FILTERS.filter((each) => isInFilter(each, 'unread', 0))).toEqual(['needs_person']);
});

test('a transfer of which Invo reports no status needs nobody, and is in no filter', () => {
  expect(TRANSFER_FILTERS.filter((each) => isInFilter(each, 'no_status', 0))).toEqual([]);
});
