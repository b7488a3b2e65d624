import { LeaseLost } from '#db/kit/lease.ts';
import type { Db } from '#db/kit/open.ts';
import type { GameConfig } from '#lib/config.ts';
import type { Window } from '#lib/core/window.ts';
import { BENIGN_REASON } from '#lib/evidence/rules/evidence.ts';
import { sumCounts } from '#lib/evidence/rules/totals.ts';
import { connectInvo, type InvoFailure, toInvoFailure } from '#lib/games/game-context.ts';
import { type OpenGame } from '#lib/games/open-game.ts';
import { InvoError } from '#lib/invo/invo-error.ts';
import { periodRoute } from '#lib/subscriptions/read-subscription-detail.ts';
import { fixReadings } from '#lib/subscriptions/writes.ts';
import { chunksOf, type DetailWork, forEachAtOnce, readReport } from './detail-work.ts';
import { readSubscriptions } from './read-subscriptions.ts';
import { type ReadFigures, sumDetailFigures } from './reads/detail-figures.ts';
import { findDetailSetting, findDetailTask } from './reads/detail-jobs.ts';
import {
  countDetails,
  type DetailScope,
  findDetailScope,
  listDetailPeriods,
  listDetailSubscriptions,
  listOtherSubscriptions,
  listReadSince,
} from './reads/list-detail-work.ts';
import { listNamed } from './reads/unattributed.ts';
import { chooseDetails, type DetailFigures, SUBSCRIPTIONS_BY_SIZE } from './rules/detail-figures.ts';
import { countToFind } from './rules/locate-unattributed.ts';
import { type SearchEnd, searchUnattributed } from './search-unattributed.ts';
import { type DetailLease, endDetailJob, recordDetailMonth, recordDetailProgress, releaseDetailJob } from './writes/detail-queue.ts';

/** How often progress is written and the lease renewed. */
const HEARTBEAT_MS = 1_000;
/** Periods looked up in the store with one statement. */
const BATCH = 500;
/** Subscriptions that may have settled without attribution; read even if those of the month aren't. Takes half a minute. */
const OTHERS_ALWAYS = 200;
/** Starts of one job after which it is ended: a bug that occurs each time must not use up the rate limit. */
const ATTEMPTS_MAX = 20;

export type DetailRun = { ended: 'done' } | { ended: 'lost' } | ({ ended: 'failed' } & Failure);

type Failure = InvoFailure | { code: string; sentence: string; errorId: null };

/**
 * Runs a claimed job to its end: reads the detail reports of a month, adds them up, and searches for the renewals without attribution. Readings
 * are stored whatever happens, and the next attempt doesn't repeat them. A stop by the signal releases the job.
 */
export async function runDetailJob(
  game: OpenGame,
  config: GameConfig,
  lease: DetailLease,
  { signal }: { signal?: AbortSignal } = {},
): Promise<DetailRun> {
  const task = await findDetailTask(game.db, lease.gameId, lease.detailJobId);
  const heart = startHeart(game, lease, signal);
  const invo = connectInvo(game, config, { caller: 'pull', onWait: heart.waits });
  const work: DetailWork = { game, invo, since: task.since, signal: heart.signal, setActivity: heart.setActivity, count: heart.count };
  try {
    if (task.attemptCount > ATTEMPTS_MAX) return await fail(game, lease, GAVE_UP);
    await readMonth(work, lease, task.window, heart.plan);
    await endDetailJob(game.db, lease, 'done');
    return { ended: 'done' };
  } catch (thrown) {
    const error = heart.lost() ?? thrown;
    if (error instanceof LeaseLost) return { ended: 'lost' };
    if (signal?.aborted) await releaseDetailJob(game.db, lease);
    if (!(error instanceof InvoError) || signal?.aborted) throw error;
    return await fail(game, lease, toInvoFailure(error));
  } finally {
    heart.stop();
  }
}

const GAVE_UP: Failure = {
  code: 'gave_up',
  sentence: 'The detail reports were started 20 times and never finished. See the worker’s log, fix the cause, then read them again.',
  errorId: null,
};

async function fail(game: OpenGame, lease: DetailLease, failure: Failure): Promise<DetailRun> {
  await endDetailJob(game.db, lease, failure);
  return { ended: 'failed', ...failure };
}

const NOTHING_COMPARED: DetailFigures['lifetime'] = { matching: 0, differing: 0, notComparable: 0, differences: [] };

async function readMonth(work: DetailWork, lease: DetailLease, window: Window, plan: (reads: number) => void): Promise<void> {
  const { game } = work;
  const found = await findDetailScope(game.db, game.gameId, window);
  // The month is no longer complete: its next complete snapshot makes its reports due again.
  if (found === null) return;
  const { snapshotId } = found;
  const chosen = chooseDetails(await findDetailSetting(game.db, game.gameId), await countDetails(game.db, game.gameId, snapshotId));
  const scope = { snapshotId, window, hasCardPeriods: chosen.cardPeriods };
  const subscriptions = chosen.subscriptions ? await listDetailSubscriptions(game.db, game.gameId, snapshotId) : [];
  const expected = await listDetailPeriods(game.db, game.gameId, scope);
  plan(subscriptions.length + expected.length);
  let lifetime = NOTHING_COMPARED;
  let search: SearchEnd = { againIn_seconds: null, stopped: null };
  try {
    work.setActivity('reading the reports of subscriptions');
    lifetime = await readSubscriptions(work, window, subscriptions);
    const others = await listOthers(work, found, window, chosen.subscriptions);
    plan(subscriptions.length + others.length + expected.length);
    // Lines they lack belong to other months, whose jobs compare them.
    await readSubscriptions(work, window, others);
    const periods = await listDetailPeriods(game.db, game.gameId, scope);
    plan(subscriptions.length + others.length + periods.length);
    work.setActivity('reading the reports of periods');
    await readPeriods(work, periods, () => store(work, lease, { window, scope: found, lifetime, search }));
    search = await searchUnattributed(work, found, window);
  } finally {
    // What was read counts even when Invo can't be reached any more.
    if (!work.signal.aborted) await store(work, lease, { window, scope: found, lifetime, search });
  }
}

/** Subscriptions that may have settled without attribution, when those of the month don't name every such renewal. */
async function listOthers(work: DetailWork, { snapshotId, totals }: DetailScope, window: Window, isChosen: boolean): Promise<string[]> {
  const { game } = work;
  const named = await listNamed(game.db, game.gameId, window);
  const left = countToFind(totals.unattributed_reasons) - named.filter(({ reason }) => reason !== BENIGN_REASON).length;
  if (left <= 0) return [];
  const limit = isChosen ? SUBSCRIPTIONS_BY_SIZE : OTHERS_ALWAYS;
  return await listOtherSubscriptions(game.db, game.gameId, { snapshotId, window, limit });
}

/** Reads the periods that weren't read since; `onBatch` adds up what is read so far. */
async function readPeriods(work: DetailWork, periodIds: number[], onBatch: () => Promise<void>): Promise<void> {
  const { game } = work;
  for (const batch of chunksOf(periodIds, BATCH)) {
    const read = await listReadSince(game.db, game.gameId, 'period', batch.map(String), work.since);
    work.count(read.size);
    const missing = batch.filter((periodId) => !read.has(String(periodId)));
    await forEachAtOnce(missing, work.signal, async (periodId) => {
      await readReport(work, periodRoute(periodId));
      work.count(1);
    });
    await onBatch();
  }
}

interface Reached {
  window: Window;
  scope: DetailScope;
  lifetime: DetailFigures['lifetime'];
  search: SearchEnd;
}

async function store({ game }: DetailWork, lease: DetailLease, { window, scope, lifetime, search }: Reached): Promise<void> {
  const computedAt = await fixReadings(game.db, game.gameId);
  const read = await addUpReadings(game.db, game.gameId, { ...scope, window, until: computedAt });
  await recordDetailMonth(game.db, lease, {
    window,
    snapshotId: scope.snapshotId,
    computedAt,
    figures: { version: 1, ...read, lifetime },
    searchAgainIn_seconds: search.againIn_seconds,
    searchStopped: search.stopped,
  });
}

/** Adds up the readings about a snapshot's lines that were stored up to an instant. */
export async function addUpReadings(
  db: Db,
  gameId: number,
  {
    snapshotId,
    createdAt,
    totals,
    window,
    until,
  }: Pick<DetailScope, 'snapshotId' | 'createdAt' | 'totals'> & { window: Window; until: string },
): Promise<ReadFigures> {
  const unattributed = sumCounts(Object.values(totals.unattributed_reasons));
  const refundEvents = totals.refund_events_in_window;
  return await sumDetailFigures(db, gameId, { snapshotId, window, since: createdAt, until, unattributed, refundEvents });
}

function startHeart(game: OpenGame, lease: DetailLease, signal: AbortSignal | undefined) {
  const stopper = new AbortController();
  const progress = { reads: 0, plannedReads: null as number | null, activity: 'planning', waitingUntil: null as string | null };
  let lost: LeaseLost | null = null;
  async function beat(): Promise<void> {
    try {
      await recordDetailProgress(game.db, lease, progress);
    } catch (error) {
      // A database that is away for a moment is no reason to stop: the lease decides, and every write checks it.
      if (!(error instanceof LeaseLost)) return;
      lost = error;
      stopper.abort(error);
    }
  }
  const timer = setInterval(() => void beat(), HEARTBEAT_MS);
  return {
    signal: signal ? AbortSignal.any([signal, stopper.signal]) : stopper.signal,
    lost: () => lost,
    waits: (untilMs: number | null) => void (progress.waitingUntil = untilMs === null ? null : new Date(untilMs).toISOString()),
    setActivity: (activity: string) => void (progress.activity = activity),
    count: (reads: number) => void (progress.reads += reads),
    plan: (reads: number) => void (progress.plannedReads = reads),
    stop: () => clearInterval(timer),
  };
}
