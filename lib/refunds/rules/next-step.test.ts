import { describe, expect, test } from 'vitest';
import type { AttemptClass } from './attempt.ts';
import { RETRY_FOR_MS, retryAfter, type SendingStatus, stepAfterAttempt, stepBeforeAttempt } from './next-step.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 3_600_000;
const STATUS: SendingStatus = {
  attempt_count: 1,
  unanswered_count: 0,
  firstSentAt: NOW,
  approvedAt: NOW - 60 * HOUR,
  hasExtraCall: false,
};

const after = (
  kind: AttemptClass,
  status: Partial<SendingStatus> = {},
  retryAfterMs: number | null = null,
): ReturnType<typeof stepAfterAttempt> => stepAfterAttempt({ ...STATUS, ...status }, { class: kind, retryAfterMs, now: NOW, jitter: 1 });

describe('after an attempt', () => {
  test.each<[AttemptClass, number, string, number]>([
    ['landed', 0, 'landed', 0],
    ['landed', 3, 'landed', 0],
    ['replayed', 2, 'landed', 0],
    ['reduced', 0, 'verifying', 1],
    ['reduced', 1, 'verifying', 2],
    ['refused', 0, 'refused', 0],
    ['refused', 1, 'verifying', 1],
    ['wait', 0, 'waiting', 0],
    ['wait', 1, 'unknown', 1],
    ['no_access', 0, 'waiting', 0],
    ['not_sent', 0, 'waiting', 0],
    ['not_sent', 2, 'unknown', 2],
    ['retry', 0, 'unknown', 1],
    ['paused', 0, 'unknown', 1],
    ['no_answer', 4, 'unknown', 5],
    ['attention', 0, 'attention', 1],
    ['contradiction', 0, 'attention', 1],
  ])('an attempt of class %s after %i unanswered ones leads to %s', (kind, unanswered_count, state, counted) => {
    expect(after(kind, { unanswered_count })).toMatchObject({ state, unanswered_count: counted });
  });

  test('a refusal of a later call is never final, even when no call is unanswered', () => {
    expect(after('refused', { attempt_count: 2 })).toMatchObject({ state: 'verifying', checkAt: NOW });
  });

  test('no worker looks at refunds that need attention or have ended', () => {
    for (const kind of ['attention', 'contradiction', 'landed', 'refused'] as const) expect(after(kind).checkAt).toBeNull();
  });

  test('the period is read at once after an answer without amounts', () => {
    expect(after('reduced').checkAt).toBe(NOW);
  });

  test('Invo is never called sooner than it allows, and not within five minutes of a pause', () => {
    expect(after('wait', {}, 40_000).checkAt).toBe(NOW + 40_000);
    expect(after('wait', {}, 100).checkAt).toBe(NOW + 3_000);
    expect(after('paused').checkAt).toBe(NOW + 300_000);
    expect(after('no_access').checkAt).toBe(NOW + 300_000);
  });

  test('the next call is never later than the end of the day', () => {
    const late = { attempt_count: 12, firstSentAt: NOW - RETRY_FOR_MS + 60_000 };
    expect(after('retry', late).checkAt).toBe(NOW + 60_000);
  });
});

describe('before an attempt', () => {
  test.each<[string, Partial<SendingStatus>, string]>([
    ['within the day', { unanswered_count: 3, firstSentAt: NOW - 23 * HOUR, approvedAt: NOW - 23 * HOUR }, 'send'],
    ['after it, with an unanswered call', { unanswered_count: 1, firstSentAt: NOW - 24 * HOUR }, 'verify'],
    ['after it, with none', { firstSentAt: NOW - 24 * HOUR }, 'ask_again'],
    ['approved a day ago and never sent', { attempt_count: 0, firstSentAt: null, approvedAt: NOW - 24 * HOUR }, 'ask_again'],
    ['approved just now', { attempt_count: 0, firstSentAt: null, approvedAt: NOW }, 'send'],
    ['approved again after it', { firstSentAt: NOW - 24 * HOUR, approvedAt: NOW - HOUR }, 'send'],
    ['ordered by two people after it', { unanswered_count: 1, firstSentAt: NOW - 50 * HOUR, hasExtraCall: true }, 'send'],
  ])('a refund %s: %s', (_, status, step) => {
    expect(stepBeforeAttempt({ ...STATUS, ...status }, NOW)).toBe(step);
  });
});

test('retries follow the schedule, with the longest and the shortest jitter', () => {
  const wait = (attempt_count: number, jitter: number): number =>
    retryAfter({ attempt_count, isPaused: false, retryAfterMs: null, jitter });
  const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 40].map((attempt) => wait(attempt, 1) / 60_000);
  expect(minutes).toEqual([2 / 60, 10 / 60, 0.5, 2, 5, 15, 30, 60, 120, 180, 180]);
  expect(wait(1, 0)).toBe(1_000);
  expect(wait(10, 0)).toBe(1.5 * HOUR);
});
