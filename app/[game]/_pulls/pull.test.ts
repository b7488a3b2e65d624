import { expect, test } from 'vitest';
import type { PullFacts } from '#lib/evidence/reads/pulls.ts';
import { formatProgress } from './pull.tsx';

const RUNNING: PullFacts = {
  pullId: 1,
  state: 'running',
  requestedBy: 'fin@studio.example',
  requestedAt: '2026-11-21T12:00:00Z',
  callCount: 12,
  plannedCallCount: 31,
  lineCount: 4180,
  waitingUntil: null,
  activity: 'reading 4 Oct to 9 Oct',
  endedAt: null,
  failure: null,
};

test('the progress of a running pull has its calls, its lines and its current step', () => {
  expect(formatProgress(RUNNING)).toEqual({
    title: 'Reading 4 Oct to 9 Oct',
    sentence: '12 of 31 calls made · 4,180 lines so far · continues when you close this tab',
    done: 12 / 31,
    waiting: null,
  });
});

test('a pull that waits for the rate limit shows until when', () => {
  expect(formatProgress({ ...RUNNING, waitingUntil: '2026-11-21T14:03:20Z' }).waiting).toBe(
    'Waiting for the rate limit until 14:03:20 UTC.',
  );
});

test('a pull with a long wait requested by Invo shows its end with the day', () => {
  expect(formatProgress({ ...RUNNING, state: 'queued', waitingUntil: '2026-11-22T14:00:00Z' })).toMatchObject({
    title: 'Invo asked to wait',
    waiting: 'No call before 22 Nov 2026 14:00 UTC, except one every 15 minutes to find out whether Invo answers again.',
  });
});

test('a pull with more calls than planned shows no share', () => {
  expect(formatProgress({ ...RUNNING, callCount: 32 })).toMatchObject({
    done: null,
    sentence: expect.stringMatching(/^32 calls made/),
  });
});

test('a queued pull is shown as queued', () => {
  expect(formatProgress({ ...RUNNING, state: 'queued', activity: null, plannedCallCount: null })).toMatchObject({
    title: 'Queued',
    done: null,
  });
});
