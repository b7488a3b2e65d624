import { expect, test } from 'vitest';
import { formatProgress } from './text.ts';

const REFUND = {
  state: 'unknown',
  attemptCount: 2,
  firstSentAt: '2026-11-21T12:00:00.000000Z',
  approvedAt: '2026-11-21T11:59:59.000000Z',
  nextCheckAt: '2026-11-21T12:00:40.000000Z',
  attentionReason: null,
  lastErrorCode: 'timeout',
  lastErrorId: null,
  lastFacts: {},
  isPaused: false,
  isProcessed: false,
  hasRisen: false,
} as const;

test('a refund that is retried shows the last error, the attempts so far, the next one and the last one', () => {
  expect(formatProgress(REFUND)).toEqual([
    'Invo didn’t respond in time.',
    'Sent 2 times so far. Next attempt: 21 Nov 2026 12:00:40 UTC. Retries end on 22 Nov 2026 11:30:00 UTC; after that Sharebook reads the period to check the outcome.',
  ]);
});

test('a refund that was approved again is retried for another day', () => {
  expect(formatProgress({ ...REFUND, approvedAt: '2026-11-23T08:00:00.000000Z' }).join(' ')).toContain('end on 24 Nov 2026 07:30:00 UTC');
});

test('while refunds are paused no next attempt is promised', () => {
  expect(formatProgress({ ...REFUND, isPaused: true }).join(' ')).not.toContain('Next attempt');
});

test('a refund that Invo confirms without amounts shows what its period shows, and what follows', () => {
  const checked = { ...REFUND, state: 'verifying', lastErrorCode: null } as const;
  const later = 'If the period doesn’t show the outcome within 45 minutes, two people must record it.';
  expect(formatProgress({ ...checked, isProcessed: true, hasRisen: true })).toEqual([
    'The refunded amount of the period rose by exactly the amount of this refund.',
    later,
  ]);
  expect(formatProgress({ ...checked, isProcessed: true })).toEqual([later]);
  expect(formatProgress({ ...checked, hasRisen: true }), 'a sum that rose proves nothing alone').toEqual([later]);
});

test('a refused refund shows what Invo said, a completed one shows no earlier error', () => {
  const facts = { refunded_amount_usd: '20.00', amount_usd: '20.00' };
  expect(formatProgress({ ...REFUND, state: 'refused', lastErrorCode: 'ALREADY_REFUNDED', lastFacts: facts })[0]).toMatch(/20\.00.*20\.00/);
  expect(formatProgress({ ...REFUND, state: 'landed' })).toEqual([]);
});

test('a refund that needs attention shows the reason before what Invo said', () => {
  const lines = formatProgress({
    ...REFUND,
    state: 'attention',
    attentionReason: 'invo_asks_for_a_person',
    lastErrorCode: 'REFUND_MISMATCH',
    lastErrorId: 'err_1',
  });
  expect(lines[0]).toContain('leaves the outcome open');
  expect(lines[1]).toContain('Quote err_1');
});
