import { sql } from 'kysely';
import type { OpenDb } from '#db/kit/open.ts';
import { bisectionCalls, type CountedLines, lowerBound } from '#e2e/support/evidence/call-bounds.ts';
import { listMonths, monthWindow } from '#lib/core/month.ts';
import type { Window } from '#lib/core/window.ts';
import { createUpstream } from '../upstream/server.ts';
import type { Bench, Goal, Measurement, Round } from './goal.ts';
import { timeOfPull } from './month-end.ts';
import { NOW, OCTOBER, openPullBench, type PullBench, pullOnce } from './pull-bench.ts';

const WINDOWS: Record<string, Window> = {
  small: OCTOBER,
  maximal: OCTOBER,
  'one-large': OCTOBER,
  'renewals-39': OCTOBER,
  'renewals-and-reversals-39': OCTOBER,
  singles: OCTOBER,
  crowded: OCTOBER,
  'first-pull': { start: '2025-09-27T00:00:00Z', end: OCTOBER.end },
};
const USEFUL_ORDERS = ['newest', 'oldest', 'latest_refund'] as const;
type LineOrder = (typeof USEFUL_ORDERS)[number] | 'shuffled';

/** G1: calls beside the fewest any plan needs, on every distribution and every useful order of lines. */
export const pullCalls: Goal = {
  id: 'G1',
  title: 'calls of a pull beside the fewest any plan needs',
  rounds: 1,
  works: {
    // The goal is 1.25 × the bound and 3 more: the 3 are part of the limit here, in proportion.
    ...Object.fromEntries(
      listCases().map(([name, order]) => [
        `${name} ${order}`,
        { work: `${name}, lines listed ${order} first`, unit: 'calls' as const, beside: 'lower bound + 2.4', goal: { most: 1.25 } },
      ]),
    ),
    lost: { work: 'lines lost in all distributions', unit: 'lines', beside: null, goal: { most: 0 } },
  },
  open: (bench) => openWith(bench, measureBound),
};

/** G2: calls where lines are listed in no useful order. */
export const unorderedCalls: Goal = {
  id: 'G2',
  title: 'calls of a pull whose lines are in no order',
  rounds: 1,
  works: Object.fromEntries(
    Object.keys(WINDOWS).map((name) => [
      name,
      { work: `${name}, lines shuffled`, unit: 'calls' as const, beside: 'halving every list', goal: { most: 1 } },
    ]),
  ),
  open: (bench) => openWith(bench, measureUnordered),
};

/** Calls a game may make in any minute while nobody else uses its budget: two less than Invo allows. */
const CALLS_A_MINUTE = 58;

/** G3: time under the rate limit, nobody else using it, and calls refused by Invo. */
export const pullTime: Goal = {
  id: 'G3',
  title: 'time of a long pull under the rate limit',
  rounds: 1,
  works: {
    wall: {
      work: '20,000 recipients of one line each',
      unit: 's',
      beside: `least time with ${CALLS_A_MINUTE} calls in any minute`,
      goal: { most: 1.05 },
    },
    refused: { work: 'calls refused for the rate limit', unit: 'calls', beside: null, goal: { most: 0 } },
  },
  open: (bench) => openWith(bench, measureTime),
};

/** G15: calls that keep evidence fresh. */
export const recheckCalls: Goal = {
  id: 'G15',
  title: 'calls that check closed months again',
  rounds: 1,
  works: {
    month: { work: 'a closed month re-checked', unit: 'calls', beside: null, goal: { most: 1 } },
    months: { work: '12 closed months re-checked, a month', unit: 'calls', beside: null, goal: { most: 1 } },
    daily: { work: 'a maximal month refreshed each day', unit: 'calls', beside: null, goal: { most: 300 } },
  },
  open: (bench) => openWith(bench, measureRechecks),
};

async function openWith(bench: Bench, measure: (pulls: PullBench, bench: Bench) => Promise<Round>): Promise<Measurement> {
  const pulls = await openPullBench(false);
  return { round: () => measure(pulls, bench), close: () => pulls.close() };
}

function listCases(): [string, LineOrder][] {
  return Object.keys(WINDOWS).flatMap((name) => USEFUL_ORDERS.map((order): [string, LineOrder] => [name, order]));
}

async function measureBound(pulls: PullBench, bench: Bench): Promise<Round> {
  const round: Round = {};
  let lost = 0;
  for (const [name, order] of listCases()) {
    const { calls, lines, window, lost: lostHere } = await pullWorld(pulls, name, order);
    const bound = lowerBound(lines, (Date.parse(window.end) - Date.parse(window.start)) / 86_400_000);
    bench.say(`G1: ${name} ${order}: ${calls} calls, bound ${bound}`);
    round[`${name} ${order}`] = { figure: calls, limit: bound + 3 / 1.25 };
    lost += lostHere;
  }
  return { ...round, lost: { figure: lost } };
}

async function measureUnordered(pulls: PullBench, bench: Bench): Promise<Round> {
  const round: Round = {};
  for (const name of Object.keys(WINDOWS)) {
    const { calls, lines, window } = await pullWorld(pulls, name, 'shuffled');
    const bisection = bisectionCalls(lines, Date.parse(window.start), Date.parse(window.end));
    bench.say(`G2: ${name}: ${calls} calls, halving ${bisection}`);
    round[name] = { figure: calls, limit: bisection };
  }
  return round;
}

async function measureTime(pulls: PullBench): Promise<Round> {
  const upstream = await createUpstream({ now: NOW, world: 'distribution:singles' });
  const open = await pulls.openDatabase('bench_time', true);
  try {
    const { job, took_ms } = await pullOnce(open, upstream.url, OCTOBER);
    const nothing = { pull_s: 0, render_s: 0 };
    const rules = { callsPerMinute: CALLS_A_MINUTE, callsAtOnce: Number.POSITIVE_INFINITY, call_s: 0 };
    const answer = (await (await fetch(`${upstream.controlUrl}/calls`)).json()) as { calls: { status: number }[] };
    return {
      wall: { figure: took_ms / 1000, limit: timeOfPull({ calls: job.calls, ...nothing }, rules) },
      refused: { figure: answer.calls.filter((call) => call.status === 429).length },
    };
  } finally {
    await open.close();
    await upstream.close();
  }
}

async function measureRechecks(pulls: PullBench): Promise<Round> {
  const upstream = await openUnmetered('demo');
  const open = await pulls.openDatabase('bench_rechecks');
  const months = listMonths('2025-11', '2026-10').map((month) => monthWindow(month, 'UTC'));
  for (const window of months) await pullOnce(open, upstream.url, window);
  const calls: number[] = [];
  for (const window of months) calls.push((await pullOnce(open, upstream.url, window)).job.calls);
  await open.close();
  await upstream.close();
  const daily = await keepFresh(pulls);
  return {
    month: { figure: Math.max(...calls) },
    months: { figure: calls.reduce((sum, count) => sum + count, 0) / months.length },
    daily: { figure: daily },
  };
}

/** Each day of a maximal month pulled once when it is over, and the month itself at its end. */
async function keepFresh(pulls: PullBench): Promise<number> {
  const upstream = await openUnmetered('distribution:maximal');
  const open = await pulls.openDatabase('bench_daily');
  let calls = 0;
  for (let day = 1; day <= 31; day += 1) {
    const start = `2026-10-${String(day).padStart(2, '0')}T00:00:00Z`;
    const end = day === 31 ? OCTOBER.end : `2026-10-${String(day + 1).padStart(2, '0')}T00:00:00Z`;
    calls += (await pullOnce(open, upstream.url, { start, end })).job.calls;
  }
  calls += (await pullOnce(open, upstream.url, OCTOBER)).job.calls;
  await open.close();
  await upstream.close();
  return calls;
}

async function openUnmetered(world: string, lineOrder: LineOrder = 'newest'): ReturnType<typeof createUpstream> {
  const upstream = await createUpstream({ now: NOW, world });
  await fetch(`${upstream.controlUrl}/game`, { method: 'POST', body: JSON.stringify({ lineOrder, rateLimit: false }) });
  return upstream;
}

async function pullWorld(
  pulls: PullBench,
  name: string,
  order: LineOrder,
): Promise<{ calls: number; lost: number; lines: CountedLines; window: Window }> {
  const window = WINDOWS[name] ?? OCTOBER;
  const upstream = await openUnmetered(`distribution:${name}`, order);
  const open = await pulls.openDatabase(`bench_${name}_${order}`.replaceAll('-', '_'));
  try {
    const { job, snapshot } = await pullOnce(open, upstream.url, window);
    const lost = snapshot.totals.renewals_with_attribution - snapshot.renewalLineCount;
    return { calls: job.calls, lost, lines: await readLines(open), window };
  } finally {
    await open.close();
    await upstream.close();
  }
}

async function readLines({ db }: OpenDb): Promise<CountedLines> {
  const read = async (text: string): Promise<CountedLines['renewals']> =>
    (await sql.raw<{ recipient: number; at: string }>(text).execute(db)).rows.map(({ recipient, at }) => ({
      recipient,
      atMs: Date.parse(at),
    }));
  return {
    renewals: await read('select recipient_player_id as recipient, paid_at as at from renewal_line'),
    reversals: await read(
      'select recipient_player_id as recipient, max(refunded_at) as at from refund_event group by slice_id, recipient_player_id, period_id',
    ),
  };
}
