import { expect, test } from 'vitest';
import { formatReplica } from './text.ts';

test.each([
  [null, 0, 'The read replica is up to date.'],
  [null, 2.2, 'The read replica lags 3 s behind.'],
  ['lagging', 45, 'The read replica lags too far behind. Lag: 45 s. Complete months are read from the primary.'],
  ['lagging', 600, 'The read replica lags too far behind. Lag: 10 min. Complete months are read from the primary.'],
  ['lagging', 90_000, 'The read replica lags too far behind. Lag: 25 h. Complete months are read from the primary.'],
  ['lagging', null, 'The read replica lags too far behind. Complete months are read from the primary.'],
  ['unreachable', null, 'The read replica can’t be reached. Complete months are read from the primary.'],
] as const)('a replica with the problem %s and a lag of %s s: %s', (problem, lag_seconds, sentence) => {
  expect(formatReplica({ problem, lag_seconds })).toBe(sentence);
});
