import { compareMoney, sumMoney } from '#lib/core/money.ts';
import { RESTS, runHistory } from './run-history.ts';
import type { History } from './world.ts';

const DAY_MS = 24 * 60 * 60_000;
const BROKEN_MAX = 5;

/** The results of many histories. */
export interface Histories {
  /** Broken rules, each with the seed that shows it; playing ends after the first few. */
  broken: string[];
  /** The final states reached, each once, sorted. */
  ends: string[];
  mishaps: number;
}

/** Plays the histories of seeds 1 to `count` and checks that every refund was executed exactly once or not at all. */
export async function playHistories(count: number): Promise<Histories> {
  const broken: string[] = [];
  const ends = new Set<string>();
  let mishaps = 0;
  for (let seed = 1; seed <= count && broken.length < BROKEN_MAX; seed++) {
    const history = await runHistory(seed);
    mishaps += history.mishaps;
    for (const refund of history.refunds) ends.add(refund.state);
    broken.push(...violations(history).map((violation) => `seed ${seed}: ${violation}`));
  }
  return { broken, ends: [...ends].toSorted(), mishaps };
}

function violations({ refunds, invo }: History): string[] {
  const found: string[] = [];
  for (const refund of refunds) {
    const executed = invo.executed.filter((each) => each.key === refund.client_request_id);
    const sent = invo.calls.filter((each) => each.key === refund.client_request_id);
    const name = `refund ${refund.refundId} (${refund.state}, ${refund.amount_usd})`;
    if (executed.length > 1) found.push(`${name} was executed ${executed.length} times`);
    if (refund.state === 'landed' && executed.length !== 1) found.push(`${name} landed and was not executed`);
    if (['refused', 'not_landed', 'rejected', 'withdrawn'].includes(refund.state) && executed.length > 0)
      found.push(`${name} was executed`);
    if (refund.state === 'awaiting_approval' && executed.length > 0) found.push(`${name} was executed and waits for approval`);
    if (executed.some((each) => each.amount_usd !== refund.amount_usd || each.period_seq !== refund.period_seq))
      found.push(`${name} was executed differently`);
    if (!RESTS.includes(refund.state)) found.push(`${name} is not at rest`);
    if (new Set([...sent.map((each) => each.bytes), ...refund.attempts.map((each) => each.bytes)]).size > 1)
      found.push(`${name} sent different bytes`);
    if (sent.length > 0 && refund.attempts.length === 0) found.push(`${name} was sent without a committed attempt`);
    const first = refund.attempts[0]?.at ?? 0;
    const late = refund.attempts.filter(
      (each) => each.at > Math.max(first, ...refund.approvals.filter((approvedAt) => approvedAt <= each.at)) + DAY_MS,
    );
    if (late.length > 0 && !refund.wasOrdered) found.push(`${name} was sent ${late.length} times after a day`);
  }
  for (const period_seq of [1, 2]) {
    const { amount_usd, refunded_to_date_usd } = invo.period(period_seq);
    if (compareMoney(sumMoney([refunded_to_date_usd]), amount_usd ?? '0') > 0)
      found.push(`period ${period_seq} was refunded for more than it cost`);
  }
  return found;
}
