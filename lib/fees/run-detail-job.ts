import { ATTEMPTS_MAX, type Left } from '#db/kit/lease.ts';
import type { Db } from '#db/kit/open.ts';
import type { GameConfig } from '#lib/config.ts';
import { subtractMoney } from '#lib/core/money.ts';
import type { Window } from '#lib/core/window.ts';
import { BENIGN_REASON } from '#lib/evidence/rules/evidence.ts';
import { sumCounts } from '#lib/evidence/rules/totals.ts';
import { connectInvo, type InvoFailure, toInvoFailure, waitEnd } from '#lib/games/game-context.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { InvoError } from '#lib/invo/invo-error.ts';
import { type AttributionReport, attributionReport, readAttributionReport, reshapeTotals } from '#lib/invo/routes/attribution-report.ts';
import { type DetailRoute, findStoredAnswer } from '#lib/subscriptions/read-detail.ts';
import { periodRoute } from '#lib/subscriptions/read-subscription-detail.ts';
import { fixReadings } from '#lib/subscriptions/writes.ts';
import { chunksOf, type DetailWork, forEachAtOnce, readReport, readSubscriptions } from './read-reports.ts';
import { type ReadFigures, sumDetailFigures } from './reads/detail-figures.ts';
import { findDetailSetting } from './reads/detail-jobs.ts';
import {
  countDetails,
  countTotalsReadToday,
  type DetailScope,
  findDetailScope,
  isPulling,
  listDetailPeriods,
  listDetailSubscriptions,
  listOtherSubscriptions,
  listReadSince,
  listTotalsRead,
  sumLinesWithin,
} from './reads/list-detail-work.ts';
import { listNamed } from './reads/unattributed.ts';
import { chooseDetails, type DetailFigures, SUBSCRIPTIONS_BY_SIZE } from './rules/detail-figures.ts';
import { countToFind, type Located, nextSearchStep, type Part, SEARCH_CALLS_A_DAY, windowKey } from './rules/locate-unattributed.ts';
import {
  DETAIL_JOBS,
  type DetailJob,
  type DetailLease,
  type DetailProgress,
  endDetailJob,
  recordDetailMonth,
} from './writes/detail-queue.ts';
import { type LocatedRenewal, recordLocated } from './writes/record-unattributed.ts';

/** Periods looked up in the store with one statement. */
const BATCH = 500;
/** Subscriptions that may have settled without attribution; read even if those of the month aren't. Takes half a minute. */
const OTHERS_ALWAYS = 200;

export type DetailRun = { ended: 'done' } | Left | ({ ended: 'failed' } & Failure);

type Failure = InvoFailure | { code: string; sentence: string; errorId: null };

/**
 * Runs a claimed job to its end: reads the detail reports of a month, adds them up, and searches for the renewals without attribution. Readings
 * are stored whatever happens, and the next attempt doesn't repeat them. A stop by the signal releases the job.
 */
export async function runDetailJob(
  game: OpenGame,
  config: GameConfig,
  lease: DetailJob,
  { signal }: { signal?: AbortSignal } = {},
): Promise<DetailRun> {
  const progress: DetailProgress = { reads: 0, plannedReads: null, activity: 'planning', waitingUntil: null };
  return await DETAIL_JOBS.run(game.db, lease, { progress, signal }, async (running): Promise<DetailRun> => {
    const invo = connectInvo(game, config, { caller: 'pull', onWait: (untilMs) => void (progress.waitingUntil = waitEnd(untilMs)) });
    try {
      if (lease.attemptCount > ATTEMPTS_MAX) return await fail(game, lease, GAVE_UP);
      await readMonth({ game, invo, since: lease.since, signal: running.signal, progress }, lease);
      await endDetailJob(game.db, lease, 'done');
      return { ended: 'done' };
    } catch (error) {
      if (!(error instanceof InvoError) || running.isLeft()) throw error;
      return await fail(game, lease, toInvoFailure(error));
    }
  });
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

async function readMonth(work: DetailWork, lease: DetailJob): Promise<void> {
  const { window } = lease;
  const { game, progress } = work;
  const found = await findDetailScope(game.db, game.gameId, window);
  // The month is no longer complete: its next complete snapshot makes its reports due again.
  if (found === null) return;
  const { snapshotId } = found;
  const chosen = chooseDetails(await findDetailSetting(game.db, game.gameId), await countDetails(game.db, game.gameId, snapshotId));
  const scope = { snapshotId, window, hasCardPeriods: chosen.cardPeriods };
  const subscriptions = chosen.subscriptions ? await listDetailSubscriptions(game.db, game.gameId, snapshotId) : [];
  const expected = await listDetailPeriods(game.db, game.gameId, scope);
  progress.plannedReads = subscriptions.length + expected.length;
  let lifetime: DetailFigures['lifetime'] = { matching: 0, differing: 0, notComparable: 0, differences: [] };
  let search = ENDED;
  try {
    progress.activity = 'reading the reports of subscriptions';
    lifetime = await readSubscriptions(work, window, subscriptions);
    const others = await listOthers(work, found, window, chosen.subscriptions);
    progress.plannedReads += others.length;
    // Lines they lack belong to other months, whose jobs compare them.
    await readSubscriptions(work, window, others);
    const periods = await listDetailPeriods(game.db, game.gameId, scope);
    progress.plannedReads = subscriptions.length + others.length + periods.length;
    progress.activity = 'reading the reports of periods';
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
    work.progress.reads += read.size;
    const missing = batch.filter((periodId) => !read.has(String(periodId)));
    await forEachAtOnce(missing, work.signal, async (periodId) => {
      await readReport(work, periodRoute(periodId));
      work.progress.reads += 1;
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
  scope: Pick<DetailScope, 'snapshotId' | 'createdAt' | 'totals'> & { window: Window; until: string },
): Promise<ReadFigures> {
  const { snapshotId, createdAt, totals, window, until } = scope;
  const unattributed = sumCounts(Object.values(totals.unattributed_reasons));
  const refundEvents = totals.refund_events_in_window;
  return await sumDetailFigures(db, gameId, { snapshotId, window, since: createdAt, until, unattributed, refundEvents });
}

/** A search that waits for a pull continues after this long. */
const PULL_WAIT_SECONDS = 600;

/** How a search ended: finished, postponed, or stopped because Invo's figures contradict each other. */
interface SearchEnd {
  /** null: it ended. */
  againIn_seconds: number | null;
  /** Why it can't continue, for people; null: it is finished or continues later. */
  stopped: string | null;
}

const ENDED: SearchEnd = { againIn_seconds: null, stopped: null };

/**
 * Locates in time the renewals of a month that no report names, by Invo's totals of ever smaller parts: at most 60 calls a month and day. Each answer
 * is stored, so an interrupted search repeats no call. While a pull of the game is running, the search waits.
 */
async function searchUnattributed(work: DetailWork, scope: DetailScope, window: Window): Promise<SearchEnd> {
  const { game } = work;
  if (countToFind(scope.totals.unattributed_reasons) === 0) return ENDED;
  const named = await listNamed(game.db, game.gameId, window);
  const answers = await findAnswers(work, scope, window);
  for (;;) {
    const step = nextSearchStep(scope.slices, named, answers);
    if (step.kind === 'done') {
      await recordLocated(game.db, game.gameId, window, await Promise.all(step.located.map((each) => measure(work, scope, each))));
      return ENDED;
    }
    if (step.kind === 'moved') return movedIn(step.window);
    if (await isPulling(game.db, game.gameId)) return { againIn_seconds: PULL_WAIT_SECONDS, stopped: null };
    const today = await countTotalsReadToday(game.db, game.gameId, window);
    if (today.count >= SEARCH_CALLS_A_DAY) return { againIn_seconds: Math.max(60, today.wait_seconds), stopped: null };
    work.progress.activity = 'looking for renewals without attribution';
    const report = await readReport(work, totalsRoute(step.window));
    if (report === null) return movedIn(step.window);
    answers.set(windowKey(step.window), reshapeTotals(report));
  }
}

function movedIn({ start, end }: Window): SearchEnd {
  return {
    againIn_seconds: null,
    stopped: `Invo’s totals of ${start} to ${end} contradict the pulled month. Re-check the month, then read the detail reports again.`,
  };
}

/** The answers of this search so far: those read since the snapshot was stored. */
async function findAnswers(work: DetailWork, scope: DetailScope, window: Window): Promise<Map<string, Part['totals']>> {
  const answers = new Map<string, Part['totals']>();
  for (const subject of await listTotalsRead(work.game.db, work.game.gameId, window, scope.createdAt)) {
    const [start = '', end = ''] = subject.split(' ');
    const stored = await findStoredAnswer(work, totalsRoute({ start, end }));
    if (stored !== null) answers.set(subject, reshapeTotals(stored.value));
  }
  return answers;
}

/** Reads and stores the totals of a part of a month. They are the same on every page, so the smallest page is enough. */
function totalsRoute(window: Window): DetailRoute<AttributionReport> {
  return {
    kind: 'totals',
    subject: windowKey(window),
    shape: attributionReport,
    ask: (invo, signal) => readAttributionReport(invo, { start: window.start, end: window.end, limit: 1 }, signal),
    isNotFound: () => false,
    known: () => ({ players: [], subscriptions: [], ids: [] }),
  };
}

/** The figures of renewals located in time: the totals of the span less its lines. */
async function measure(work: DetailWork, scope: DetailScope, located: Located): Promise<LocatedRenewal> {
  const { window, count, reason, totals, isAlone } = located;
  const lines = await sumLinesWithin(work.game.db, work.game.gameId, scope.snapshotId, window);
  const less = (whole: string, part: string): string | null => (isAlone ? subtractMoney(whole, part) : null);
  return {
    window,
    count,
    reason,
    amount_usd: less(totals.settled_gross_usd, lines.amount_usd),
    invo_fee_usd: less(totals.invo_fee_usd, lines.invo_fee_usd),
    partner_revenue_settled_usd: less(totals.partner_revenue_settled_usd, lines.partner_revenue_settled_usd),
  };
}
