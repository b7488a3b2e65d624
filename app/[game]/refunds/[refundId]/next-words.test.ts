import { expect, test } from 'vitest';
import { sayNext } from './next-words.ts';

const REFUND = {
  state: 'unknown',
  attemptCount: 2,
  firstSentAt: '2026-11-21T12:00:00.000000Z',
  approvedAt: '2026-11-21T11:59:59.000000Z',
  nextLookAt: '2026-11-21T12:00:40.000000Z',
  attentionReason: null,
  lastErrorCode: 'timeout',
  lastErrorId: null,
  lastFacts: {},
  isStopped: false,
} as const;

test('what is repeated by itself says what was met, how often it was sent, when next and until when', () => {
  expect(sayNext(REFUND)).toEqual([
    'Invo did not answer in time.',
    'Sent 2 times so far. Next try at 21 Nov 2026 12:00:40 UTC. It is tried until 22 Nov 2026 11:30:00 UTC; then the period is read, and people look.',
  ]);
});

test('approved anew, it is tried for another day from then', () => {
  expect(sayNext({ ...REFUND, approvedAt: '2026-11-23T08:00:00.000000Z' }).join(' ')).toContain('until 24 Nov 2026 07:30:00 UTC');
});

test('while refunds are stopped no time of a next try is promised', () => {
  expect(sayNext({ ...REFUND, isStopped: true }).join(' ')).not.toContain('Next try');
});

test('a refusal carries what Invo said, a landed one nothing that was met before', () => {
  const facts = { refunded_amount_usd: '20.00', amount_usd: '20.00' };
  expect(sayNext({ ...REFUND, state: 'refused', lastErrorCode: 'ALREADY_REFUNDED', lastFacts: facts })[0]).toContain('20.00 USD of 20.00');
  expect(sayNext({ ...REFUND, state: 'landed' })).toEqual([]);
});

test('two people are told why they are needed before what Invo said', () => {
  const said = sayNext({
    ...REFUND,
    state: 'attention',
    attentionReason: 'invo_asks_for_a_person',
    lastErrorCode: 'REFUND_MISMATCH',
    lastErrorId: 'err_1',
  });
  expect(said[0]).toContain('leaves open what became of it');
  expect(said[1]).toContain('Quote err_1');
});
