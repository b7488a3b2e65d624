import { describe, expect, test } from 'vitest';
import { openDoor } from '../test-door.ts';

describe('windows', () => {
  test.each([
    ['2026-10-01T00:00:00.000Z', '2026-10-01T00:00:00.001Z', [2026100001]],
    ['2026-10-01T00:00:00.001Z', '2026-10-01T01:00:00.000Z', []],
    ['2026-09-30T23:59:59.999Z', '2026-10-01T00:00:00Z', [2026090003]],
    ['2026-10-01T23:59:59.999Z', '2026-10-02T00:00:00Z', [2026100002]],
    ['2026-10-01T23:59:59.9991Z', '2026-10-02T00:00:00Z', []],
    ['2026-10-01T02:00:00%2B02:00', '2026-10-01T02:00:00.001%2B02:00', [2026100001]],
    ['2026-10-01T00:00:00', '2026-10-01T00:00:00.001', [2026100001]],
  ])('from %s to %s settle %j', async (start, end, ids) => {
    const door = await openDoor();
    const body = await door.report(start, end);
    const settled = body.recipients.flatMap((each: { periods: { period_id: number }[] }) => each.periods.map((line) => line.period_id));
    expect(settled).toEqual(ids);
  });

  test('echo what was asked, in UTC', async () => {
    const door = await openDoor();
    const { report } = await door.report('2026-10-01T02:00:00.5%2B02:00', '2026-11-01');
    expect(report.window).toEqual({ start: '2026-10-01T00:00:00.5Z', end: '2026-11-01T00:00:00Z', end_exclusive: true });
  });

  test('a refund at the end is outside; one in the last millisecond is inside', async () => {
    const door = await openDoor();
    const dayOne = await door.report('2026-10-01', '2026-10-02');
    const reversed = dayOne.recipients
      .flatMap((each: { reversals: { period_id: number }[] }) => each.reversals.map((line) => line.period_id))
      .sort();
    expect(reversed).toEqual([2026090004, 2026090006, 2026100004, 2026100005, 2026100007, 2026100015, 2026100016, 2026100018]);
    const next = await door.report('2026-10-02', '2026-10-02T00:00:00.001Z');
    expect(next.recipients[0].reversals[0]).toMatchObject({
      period_id: 2026100013,
      settled_in_this_window: false,
      reversed_attributed_usd: '0.95',
    });
  });

  test('nothing later than the clock is seen, and nothing seen leaves its window', async () => {
    const door = await openDoor({ now: '2026-10-01T08:00:00Z' });
    expect((await door.report('2026-10-01', '2026-11-01')).totals).toMatchObject({ renewals_settled: 14, refund_events_in_window: 2 });
  });
});
