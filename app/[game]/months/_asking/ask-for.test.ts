import { expect, test } from 'vitest';
import type { WindowFacts } from '#db/evidence/reads/months.ts';
import { askFor } from './ask-for.ts';

const FAILED = { state: 'failed', failure: { code: 'not_live', sentence: '', errorId: null } } as WindowFacts['pull'];
const REFUSED = { state: 'failed', failure: { code: 'unauthorized', sentence: '', errorId: null } } as WindowFacts['pull'];

test('a month that does not tie is pulled afresh, all others from what is stored', () => {
  expect(askFor({ state: 'does_not_tie', pull: null })).toEqual({ word: 'Pull again', isFresh: true });
  expect(askFor({ state: 'proven', pull: null })).toEqual({ word: 'Re-check', isFresh: false });
});

test('a wrong secret offers no retry, a game that is not live does', () => {
  expect(askFor({ state: 'failed', pull: REFUSED })).toBeNull();
  expect(askFor({ state: 'failed', pull: FAILED })).not.toBeNull();
});

test('nothing is asked while a pull is under way or before the month began', () => {
  expect([askFor({ state: 'pulling', pull: null }), askFor({ state: 'not_begun', pull: null })]).toEqual([null, null]);
});
