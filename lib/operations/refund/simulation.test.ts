import { expect, test } from 'vitest';
import { compareMoney, sumMoney } from '../../domain/money.ts';
import { RESTS, runHistory } from './testing/run-history.ts';
import type { History } from './testing/world.ts';

const SEEDS = Number(process.env['SIMULATED_SEEDS'] ?? 20_000);
const DAY_MS = 24 * 60 * 60_000;

test(`${SEEDS} histories: executed exactly once or not at all, never twice, never lost`, { timeout: 900_000 }, async () => {
  const broken: string[] = [];
  const ends = new Map<string, number>();
  let mishaps = 0;
  for (let seed = 1; seed <= SEEDS && broken.length < 5; seed++) {
    const history = await runHistory(seed);
    mishaps += history.mishaps;
    for (const refund of history.refunds) ends.set(refund.state, (ends.get(refund.state) ?? 0) + 1);
    broken.push(...violations(history).map((violation) => `seed ${seed}: ${violation}`));
  }
  expect(broken).toEqual([]);
  // The histories are rough enough to mean something: every way a refund can end was seen, and many things went wrong on the way.
  expect([...ends.keys()].toSorted()).toEqual(expect.arrayContaining(['landed', 'not_landed', 'refused', 'rejected', 'withdrawn']));
  expect(mishaps).toBeGreaterThan(SEEDS / 2);
});

test('the same seed gives the same history', async () => {
  const [first, second] = [await runHistory(7), await runHistory(7)];
  expect([first.trace, first.steps]).toEqual([second.trace, second.steps]);
  expect(first.trace).not.toBe((await runHistory(8)).trace);
});

function violations({ refunds, invo }: History): string[] {
  const found: string[] = [];
  for (const refund of refunds) {
    const executed = invo.executed.filter((each) => each.key === refund.client_request_id);
    const sent = invo.calls.filter((each) => each.key === refund.client_request_id);
    const name = `refund ${refund.refundId} (${refund.state}, ${refund.amount_usd})`;
    if (executed.length > 1) found.push(`${name} was executed ${executed.length} times`);
    if (refund.state === 'landed' && executed.length !== 1) found.push(`${name} is told as landed and was not executed`);
    if (['refused', 'not_landed', 'rejected', 'withdrawn'].includes(refund.state) && executed.length > 0)
      found.push(`${name} was executed`);
    if (refund.state === 'awaiting_approval' && executed.length > 0) found.push(`${name} was executed and waits for approval`);
    if (executed.some((each) => each.amount_usd !== refund.amount_usd || each.period_seq !== refund.period_seq))
      found.push(`${name} was executed otherwise`);
    if (!RESTS.includes(refund.state)) found.push(`${name} rests nowhere`);
    if (new Set([...sent.map((each) => each.bytes), ...refund.attempts.map((each) => each.bytes)]).size > 1)
      found.push(`${name} sent other bytes`);
    if (sent.length > 0 && refund.attempts.length === 0) found.push(`${name} left us without a committed attempt`);
    const first = refund.attempts[0]?.at ?? 0;
    const late = refund.attempts.filter((each) => each.at > Math.max(first, ...refund.approvals.filter((at) => at <= each.at)) + DAY_MS);
    if (late.length > 0 && !refund.wasOrdered) found.push(`${name} was sent ${late.length} times after a day`);
  }
  for (const period_seq of [1, 2]) {
    const { amount_usd, refunded_to_date_usd } = invo.period(period_seq);
    if (compareMoney(sumMoney([refunded_to_date_usd]), amount_usd ?? '0') > 0)
      found.push(`period ${period_seq} was refunded for more than it cost`);
  }
  return found;
}
