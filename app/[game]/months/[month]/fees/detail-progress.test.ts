import { expect, test } from 'vitest';
import { formatDetailProgress } from './detail-progress.tsx';

const JOB = {
  state: 'running',
  readCount: 1_596,
  plannedCount: 2_776,
  activity: 'reading the reports of periods',
  waitingUntil: null,
} as const;

test('a running job states its step and how many reports are read', () => {
  expect(formatDetailProgress(JOB)).toEqual({
    title: 'Reading the reports of periods',
    sentence: '1,596 of 2,776 reports read · continues when you close this tab',
    done: 1_596 / 2_776,
    waiting: null,
  });
});

test('a job that isn’t planned yet has no share done, and a queued one says so', () => {
  expect(formatDetailProgress({ ...JOB, state: 'queued', readCount: 0, plannedCount: null, activity: null })).toMatchObject({
    title: 'Queued',
    sentence: '0 reports read · continues when you close this tab',
    done: null,
  });
});

test('a wait for the rate limit is stated', () => {
  expect(formatDetailProgress({ ...JOB, waitingUntil: '2026-11-21T12:00:30Z' }).waiting).toBe(
    'Waiting for the rate limit until 12:00:30 UTC.',
  );
});
