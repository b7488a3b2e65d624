import { expect, test } from 'vitest';
import { judgeRecheck, type RecheckFacts } from './close-input.ts';

// October is over on 1 November; a re-check counts from 00:45, for 24 hours.
const recheckedAt = (checkedAt: string, isEqual = true): Pick<RecheckFacts, 'recheck'> => ({ recheck: { checkedAt, isEqual } });
const failed = { pull: { pullId: 7, state: 'failed' as const } };
const active = { pull: { pullId: 8, state: 'active' as const } };
const judge = (given: Partial<RecheckFacts>): string =>
  judgeRecheck({
    window: { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' },
    recheckFrom_minutes: 45,
    now: '2026-11-05T12:00:00Z',
    policy: { recheckHours: 24 },
    recheck: null,
    pull: null,
    ...given,
  });

test.each([
  ['no re-check', {}, 'needed'],
  ['an equal one exactly 24 hours old', recheckedAt('2026-11-04T12:00:00Z'), 'current'],
  ['an equal one a microsecond older', recheckedAt('2026-11-04T11:59:59.999999Z'), 'needed'],
  ['an equal one before it counts', { ...recheckedAt('2026-11-01T00:44:59.999999Z'), now: '2026-11-01T02:00:00Z' }, 'needed'],
  ['an equal one as soon as it counts', { ...recheckedAt('2026-11-01T00:45:00Z'), now: '2026-11-01T02:00:00Z' }, 'current'],
  ['other totals a moment ago', recheckedAt('2026-11-05T11:59:00Z', false), 'differs'],
  ['other totals long ago', recheckedAt('2026-11-01T00:00:00Z', false), 'differs'],
  ['a failed pull since an equal one', { ...recheckedAt('2026-11-05T11:00:00Z'), ...failed }, 'pull_failed'],
  ['a failed pull and no re-check', failed, 'pull_failed'],
  ['a failed pull since other totals', { ...recheckedAt('2026-11-05T11:00:00Z', false), ...failed }, 'differs'],
  ['a pull beside an equal one', { ...recheckedAt('2026-11-05T11:00:00Z'), ...active }, 'pulling'],
  ['a pull beside other totals', { ...recheckedAt('2026-11-05T11:00:00Z', false), ...active }, 'pulling'],
])('Invo’s newest answer is judged with %s', (_, given, state) => {
  expect(judge(given)).toBe(state);
});
