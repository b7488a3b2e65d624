import { expect, test } from 'vitest';
import { mayReadMetrics } from './instruments.ts';

test.each([
  [null, null, true, true],
  [null, null, false, false],
  ['Bearer of nothing', null, false, false],
  [null, 'a-token', true, false],
  ['Bearer another', 'a-token', true, false],
  ['Bearer a-token', 'a-token', false, true],
])('a request with %s and a token of %s, on its own machine alone: %s, may read the metrics: %s', (sent, metricsToken, isLocal, may) => {
  expect(mayReadMetrics(sent, { metricsToken, isLocal })).toBe(may);
});
