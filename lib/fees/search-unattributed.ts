import { subtractMoney } from '#lib/core/money.ts';
import type { Window } from '#lib/core/window.ts';
import { type AttributionReport, attributionReport, readAttributionReport, reshapeTotals } from '#lib/invo/routes/attribution-report.ts';
import { type DetailRoute, findStoredAnswer } from '#lib/subscriptions/read-detail.ts';
import { type DetailWork, readReport } from './detail-work.ts';
import { countTotalsReadToday, type DetailScope, isPulling, listTotalsRead, sumLinesWithin } from './reads/list-detail-work.ts';
import { listNamed } from './reads/unattributed.ts';
import { countToFind, type Located, nextSearchStep, type Part, SEARCH_CALLS_A_DAY, windowKey } from './rules/locate-unattributed.ts';
import { type LocatedRenewal, recordLocated } from './writes/record-unattributed.ts';

/** A search that waits for a pull continues after this long. */
const PULL_WAIT_SECONDS = 600;

/** How a search ended: finished, postponed, or stopped because Invo's figures contradict each other. */
export interface SearchEnd {
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
export async function searchUnattributed(work: DetailWork, scope: DetailScope, window: Window): Promise<SearchEnd> {
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
