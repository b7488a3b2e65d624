import { expect, test } from 'vitest';
import { GUARDIAN_STATES, VERIFICATION_STATES } from './rules/transfer-state.ts';
import { guardianText, transferStateText } from './text.ts';

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

test('the coins of an expired or failed transfer go back, and aren’t said to be back', () => {
  for (const state of ['expired', 'failed']) expect(transferStateText(state, null).sentence).toContain('go back to the sender');
});

test('words nobody documents are shown as they came', () => {
  expect(transferStateText('paused_by_operator', 'x')).toMatchObject({ label: 'paused_by_operator', tone: 'quiet' });
  expect(guardianText('escalated')).toMatchObject({ label: 'escalated', tone: 'quiet' });
  expect([transferStateText(null, null).label, guardianText(null).label]).toEqual(['Not reported', 'Not reported']);
});
