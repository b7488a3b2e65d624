import { expect, test } from 'vitest';
import type { PullFacts } from '#db/evidence/reads/pulls.ts';
import { tellPull } from './tell-pull.ts';

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

test('calls done of planned, lines so far and what it is at', () => {
  expect(tellPull(RUNNING, false)).toEqual({
    title: 'Reading 4 Oct to 9 Oct',
    sentence: '12 of 31 calls done · 4,180 lines so far · it goes on when this tab is closed',
    done: 12 / 31,
    waiting: null,
  });
});

test('waiting for the rate limit says until when', () => {
  expect(tellPull({ ...RUNNING, waitingUntil: '2026-11-21T14:03:20Z' }, false).waiting).toBe(
    'Waiting for the rate limit until 14:03:20 UTC.',
  );
});

test('a plan that was passed is not shown as a share', () => {
  expect(tellPull({ ...RUNNING, callCount: 32 }, false)).toMatchObject({ done: null, sentence: expect.stringMatching(/^32 calls done/) });
});

test('a queued pull waits for its turn, and silence of our own is told', () => {
  expect(tellPull({ ...RUNNING, state: 'queued', activity: null, plannedCallCount: null }, true)).toMatchObject({
    title: 'Waiting for its turn',
    done: null,
    waiting: 'No answer from Sharebook; asking again.',
  });
});
