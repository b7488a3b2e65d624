import { compareInstants } from '#lib/core/instant.ts';
import { monthOfWindow } from '#lib/core/month.ts';
import { containsInstant, type Window } from '#lib/core/window.ts';
import { mapLimit } from '#lib/evidence/pull/read-pages.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import type { Invo } from '#lib/invo/invo.ts';
import { InvoError } from '#lib/invo/invo-error.ts';
import type { SubscriptionAttribution } from '#lib/invo/routes/subscription-report.ts';
import { type DetailRoute, findStoredAnswer, storeDetail } from '#lib/subscriptions/read-detail.ts';
import { PERIODS_PER_PAGE, periodsRoute } from '#lib/subscriptions/read-subscription-detail.ts';
import { listCovered, listReadSince, sumBySubscription } from './reads/list-detail-work.ts';
import { compareLifetime, type DetailFigures } from './rules/detail-figures.ts';
import { windowKey } from './rules/locate-unattributed.ts';
import type { DetailProgress } from './writes/detail-queue.ts';
import { type NamedRenewal, recordNamed } from './writes/record-unattributed.ts';

/** Subscriptions whose stored sums are read with one statement. */
const BATCH = 200;
/** Maximum number of differences stored with a month; sound data has none. */
const DIFFERENCES_MAX = 50;
/** Ten thousand cycles: a bound for false page counts. */
const PAGES_MAX = 100;

/**
 * Reads the reports of subscriptions: names the renewals of the window that settled without attribution, and compares the totals of each
 * subscription's life with our lines. Reports read since the job was requested are taken from the store.
 */
export async function readSubscriptions(work: DetailWork, window: Window, subscriptionIds: string[]): Promise<DetailFigures['lifetime']> {
  const { game } = work;
  const lifetime: DetailFigures['lifetime'] = { matching: 0, differing: 0, notComparable: 0, differences: [] };
  const span = await findSpan(work, window);
  for (const batch of chunksOf(subscriptionIds, BATCH)) {
    const read = await listReadSince(game.db, game.gameId, 'cycles', batch.map(firstPageOf), work.since);
    const own = await sumBySubscription(game.db, game.gameId, span.snapshotIds, batch);
    await forEachAtOnce(batch, work.signal, async (subscriptionId) => {
      const report = await readCycles(work, window, subscriptionId, read.has(firstPageOf(subscriptionId)));
      work.progress.reads += 1;
      const sums = own.get(subscriptionId);
      if (report === null || sums === undefined) return;
      const compared = compareLifetime(lifetimeReportOf(report), { span: span.window, ...sums });
      if (compared.kind === 'matches') lifetime.matching += 1;
      if (compared.kind === 'not_comparable') lifetime.notComparable += 1;
      if (compared.kind !== 'differs') return;
      lifetime.differing += 1;
      const { kind: _, ...difference } = compared;
      if (lifetime.differences.length < DIFFERENCES_MAX) lifetime.differences.push(difference);
    });
  }
  lifetime.differences.sort((a, b) => (a.subscription_id < b.subscription_id ? -1 : 1));
  return lifetime;
}

/** The subject of the first page of a subscription's cycles. */
function firstPageOf(subscriptionId: string): string {
  return periodsRoute(subscriptionId, 0).subject;
}

/** Reads the cycles of a subscription back to the window, and stores those that settled in it without attribution. Returns the newest page. */
async function readCycles(
  work: DetailWork,
  window: Window,
  subscriptionId: string,
  isRead: boolean,
): Promise<SubscriptionAttribution | null> {
  const first = await findOrReadReport(work, periodsRoute(subscriptionId, 0), isRead);
  let page = first;
  for (let number = 1; page !== null; number += 1) {
    const named = listUnattributed(page, window);
    if (named.length > 0) await recordNamed(work.game.db, work.game.gameId, window, named);
    if (number === PAGES_MAX || !reachesBack(page, window)) break;
    page = await findOrReadReport(work, periodsRoute(subscriptionId, number * PERIODS_PER_PAGE), isRead);
  }
  return first;
}

/** Whether the next page can hold cycles that settled in the window: cycles are newest first. */
function reachesBack({ periods, pagination }: SubscriptionAttribution, window: Window): boolean {
  const oldest = periods.findLast(({ paid_at }) => paid_at !== null)?.paid_at ?? null;
  return pagination.has_more && (oldest === null || compareInstants(oldest, window.start) >= 0);
}

/** The cycles of a report that settled in a window without attribution. */
function listUnattributed({ periods }: SubscriptionAttribution, window: Window): NamedRenewal[] {
  return periods.flatMap((period) => {
    const { paid_at, attribution, period_id, subscription_id, attribution_unavailable_reason: reason } = period;
    if (attribution !== null || paid_at === null || !containsInstant(window, paid_at)) return [];
    const { amount_usd, invo_fee_usd, partner_revenue_settled_usd } = period;
    return [{ period_id, subscription_id, reason, paid_at, amount_usd, invo_fee_usd, partner_revenue_settled_usd }];
  });
}

function lifetimeReportOf({ subscription, lifetime_totals: totals, periods, pagination }: SubscriptionAttribution) {
  return {
    subscription_id: subscription.subscription_id,
    totals: totals === 'unreadable' ? null : totals,
    isWhole: pagination.total_count <= periods.length,
    cycles: periods.map(({ paid_at, attribution, refund }) => ({
      paid_at,
      attributed_amount_usd: attribution?.attributed_amount_usd ?? null,
      refunded_amount_usd: refund?.refunded_amount_usd ?? null,
      refunded_at: refund?.refunded_at ?? null,
    })),
  };
}

/** The pulled months that adjoin a window without a gap, and how far they reach. */
async function findSpan({ game }: DetailWork, window: Window): Promise<{ window: Window; snapshotIds: number[] }> {
  const covered = (await listCovered(game.db, game.gameId)).map((row) => ({
    ...row,
    window: { start: row.window_start, end: row.window_end },
  }));
  const isOwn = (each: Window): boolean => windowKey(each) === windowKey(window);
  const months = covered.filter(
    (each) => isOwn(each.window) || (each.status !== 'inconsistent' && monthOfWindow(each.window, game.timeZone) !== null),
  );
  const own = months.findIndex((each) => isOwn(each.window));
  let [first, last] = [own, own];
  const adjoin = (index: number): boolean => {
    const [before, after] = [months[index], months[index + 1]];
    return before?.status === 'complete' && after !== undefined && compareInstants(before.window_end, after.window_start) === 0;
  };
  while (first > 0 && adjoin(first - 1)) first -= 1;
  while (adjoin(last)) last += 1;
  const span = months.slice(first, last + 1);
  return {
    window: { start: span[0]?.window_start ?? window.start, end: span.at(-1)?.covered_until ?? window.end },
    snapshotIds: span.map(({ snapshot_id }) => snapshot_id),
  };
}

/** One running job: the game, the client that leaves calls to people, and its progress. */
export interface DetailWork {
  game: OpenGame;
  invo: Invo;
  signal: AbortSignal;
  /** A report read from then on isn't read again. */
  since: string;
  /** Shown to people. */
  progress: DetailProgress;
}

/** Reports read at once; a report takes Invo some tenths of a second, and 500 are read in a minute. */
const AT_ONCE = 4;

/**
 * Reads a report and stores the answer. null: Invo has no such record or its answer breaks the contract, so the report counts as not read.
 * Throws InvoError when Invo can't be reached.
 */
export async function readReport<T>({ game, invo, signal }: DetailWork, route: DetailRoute<T>): Promise<T | null> {
  try {
    const exchange = await route.ask(invo, signal);
    await storeDetail({ game }, route, exchange);
    return exchange.value;
  } catch (error) {
    if (error instanceof InvoError && (error.code === 'malformed' || route.isNotFound(error))) return null;
    throw error;
  }
}

/** The stored answer of a report that was read since, else Invo's. */
async function findOrReadReport<T>(work: DetailWork, route: DetailRoute<T>, isRead: boolean): Promise<T | null> {
  const stored = isRead ? await findStoredAnswer(work, route) : null;
  return stored === null ? await readReport(work, route) : stored.value;
}

/** Does work on each item, several at once, in their order. After the first error no further item is started, and running ones are awaited. */
export async function forEachAtOnce<Item>(items: readonly Item[], signal: AbortSignal, run: (item: Item) => Promise<void>): Promise<void> {
  await mapLimit(items, AT_ONCE, async (item) => {
    signal.throwIfAborted();
    await run(item);
  });
}

/** Cuts a list into parts of at most so many. */
export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}
