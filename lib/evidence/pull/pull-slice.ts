import { type Db, findCitusVersion, isServerAway } from '#db/kit/open.ts';
import { compareMoney, signOfMoney, sumMoney } from '#lib/core/money.ts';
import { containsInstant, type Window } from '#lib/core/window.ts';
import type { OpenGame } from '#lib/games/open-game.ts';
import { InvoError } from '#lib/invo/invo-error.ts';
import { digestSlice } from '../digest.ts';
import { findSlice, listNearbyLines, listOverlappingSlices, type StoredSlice } from '../reads/slices.ts';
import { COARSE_BASIS, type Recipient, type ReversalLine, type SliceEvidence } from '../rules/evidence.ts';
import { LineCollection } from '../rules/line-collection.ts';
import { allMatch, reconcileSlice } from '../rules/reconciliation/check-window.ts';
import { chooseEnd, type Density, learnCount, startDensity } from '../rules/slice-plan.ts';
import { insertSlice, type NewResponse } from '../writes/insert-slice.ts';
import type { Lease } from '../writes/pull-queue.ts';
import { fillInstant } from './fill-instant.ts';
import { fillLines, type GapContext, isCutShort } from './fill-lines.ts';
import { type CollectedAnswer, type PullSession, PullStopped } from './pull-session.ts';
import { type ReportEntry, readPages, type WholeReport } from './read-pages.ts';

export interface RunningPull {
  game: OpenGame;
  lease: Lease;
  session: PullSession;
  /** Time is settled up to this instant; nothing later is read. */
  horizon: string;
  /** Evidence of slices this pull stored, in memory, to reconcile the window without loading it again. */
  fresh: FreshEvidence;
}

/** Maximum number of lines in memory: one maximal slice. Those of a larger window are loaded again, slice by slice. */
const LINES_HELD_MAX = 40_000;

/** Evidence of slices just stored, by their id, as much of it as memory may hold. */
export class FreshEvidence {
  readonly #slices = new Map<number, SliceEvidence>();
  #lines = 0;

  /** Adds the evidence of a stored slice if it fits. */
  keep(sliceId: number, evidence: SliceEvidence): void {
    const lines = evidence.renewals.length + evidence.reversals.length;
    if (this.#lines + lines > LINES_HELD_MAX) return;
    this.#lines += lines;
    this.#slices.set(sliceId, evidence);
  }

  /** Removes and returns the evidence of a slice; null: it isn't in memory. */
  take(sliceId: number): SliceEvidence | null {
    const evidence = this.#slices.get(sliceId) ?? null;
    if (evidence) this.#lines -= evidence.renewals.length + evidence.reversals.length;
    this.#slices.delete(sliceId);
    return evidence;
  }
}

/** Attempts at a slice whose own checks don't match: a passing error disappears, a lasting one is stored and shown. */
const SLICE_TRIES = 2;

/** Pulls a gap in as few slices as Invo's caps allow and stores each when it is complete. Returns them in order of time. */
export async function pullGap(work: RunningPull, gap: Window): Promise<StoredSlice[]> {
  const density = startDensity(gap.start);
  const slices: StoredSlice[] = [];
  let start = gap.start;
  let refusedEnd: string | null = null;
  while (start !== gap.end) {
    const end = chooseEnd(density, { start, end: gap.end }, refusedEnd);
    if (end === null) throw tooLarge(start);
    const window = { start, end };
    try {
      const slice = await pullAndStore(work, window);
      learnCount(density, 'renewals', window, slice.totals.renewals_settled);
      slices.push(slice);
      start = end;
      refusedEnd = null;
    } catch (error) {
      if (!(error instanceof InvoError) || error.code !== 'window_too_large') throw error;
      learnRefusal(density, window, error);
      refusedEnd = end;
      work.session.setActivity(`splitting the window from ${start} to ${end}: too large for one report`);
      work.session.expect({ calls: 1 });
    }
  }
  return slices;
}

/** Pulls one window and stores it; a slice that contradicts itself is stored as received, then pulled once more as a newer version. */
async function pullAndStore(work: RunningPull, window: Window): Promise<StoredSlice> {
  const { game, lease, session, horizon } = work;
  for (let attempt = 1; ; attempt += 1) {
    session.setActivity(`reading ${window.start.slice(0, 16)} to ${window.end.slice(0, 16)}`);
    const pulled = await pullSlice(session, window, {
      horizon,
      stored: {
        listLines: (recipient, nearby) => listNearbyLines(game.db, game.gameId, recipient, nearby),
        listWindows: (nearby) => listOverlappingSlices(game.db, game.gameId, nearby),
      },
    });
    const isConsistent = allMatch(reconcileSlice(pulled.evidence));
    const slice = {
      evidence: pulled.evidence,
      digest: digestSlice(pulled.evidence),
      isConsistent,
      responses: pulled.answers.map(storeAnswer),
    };
    const sliceId = await insertSlice(game.db, lease, slice).catch(async (error: unknown) => {
      session.returnAnswers(pulled.answers);
      throw (await isRefusedByStore(game.db, error)) ? notStorable(window, error as Error) : error;
    });
    if (isConsistent || attempt === SLICE_TRIES) {
      work.fresh.keep(sliceId, pulled.evidence);
      return findSlice(game.db, game.gameId, sliceId);
    }
    session.setActivity('the response contradicts itself; reading it again');
  }
}

/**
 * Whether the database refused what was to be stored (classes 22, 23 and 54), as against being away or busy. A distributed one reports as class XX what
 * another of its servers refuses within a COPY, and would refuse each time, unless that server is away. On one server XX is a fault of the server
 * itself: the pull is tried again.
 */
async function isRefusedByStore(db: Db, error: unknown): Promise<boolean> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('XX')) return !isServerAway(error) && (await findCitusVersion(db)) !== null;
  return /^(2[23]|54)/.test(code);
}

function notStorable(window: Window, error: Error): PullStopped {
  return new PullStopped(
    'not_storable',
    `Invo's response for ${window.start} to ${window.end} can't be stored (${error.message.slice(0, 200)}). No snapshot was stored, and all responses are kept. Report it to Invo.`,
  );
}

/** An answer in its stored shape. */
export function storeAnswer({ purpose, evidence }: CollectedAnswer): NewResponse {
  return { purpose, ...evidence };
}

function learnRefusal(density: Density, window: Window, error: InvoError): void {
  const { settled_renewals, reversals } = error.facts;
  if (typeof settled_renewals === 'number' && Number.isSafeInteger(settled_renewals))
    learnCount(density, 'renewals', window, settled_renewals);
  if (typeof reversals === 'number' && Number.isSafeInteger(reversals)) learnCount(density, 'reversals', window, reversals);
}

function tooLarge(start: string): PullStopped {
  return new PullStopped(
    'instant_too_large',
    `More than 20,000 renewals or refunds share the instant ${start}. Invo doesn't report that many, and the window can't be cut further. No figure was estimated. Ask Invo about this instant.`,
  );
}

interface PulledSlice {
  evidence: SliceEvidence;
  answers: CollectedAnswer[];
}

/**
 * Pulls one window whole: all pages, then every line beyond the inline caps. Stores nothing.
 * Errors: InvoError (`window_too_large` when the window must be cut), `PullStopped` when the pages contradict each other.
 */
async function pullSlice(session: PullSession, window: Window, around: Pick<GapContext, 'stored' | 'horizon'>): Promise<PulledSlice> {
  const report = await readPages(session, window);
  const lines = new LineCollection(window);
  for (const entry of report.entries) lines.add(window, entry.report);
  const cut = report.entries.filter((entry) => isCutShort(lines, window, entry));
  if (cut.length > 0) {
    session.setActivity(`reading more lines of ${cut.length === 1 ? 'one recipient' : `${cut.length} recipients`}`);
    const nets = report.entries.map((entry) => entry.report.net_attributed_usd);
    const context: GapContext = { session, slice: window, nets, lines, ...around, callsLeft: boundOf(report), crowded: [] };
    await fillLines(context, window, cut);
    for (const crowded of context.crowded) await fillInstant(context, crowded);
    await completeReversals(context, cut);
  }
  const pulled = assemble(window, report, lines, session);
  session.expect({ lines: pulled.evidence.renewals.length + pulled.evidence.reversals.length });
  return pulled;
}

/** Far more calls than any order of lines needs: a bound for counts that never match. */
function boundOf(report: WholeReport): number {
  const lists = report.entries.map(({ report: { renewal_count, reversal_count } }) =>
    Math.ceil(Math.max(renewal_count, reversal_count) / 500),
  );
  return 300 + 8 * lists.filter((answers) => answers > 1).reduce((sum, answers) => sum + answers, 0);
}

function assemble(window: Window, report: WholeReport, lines: LineCollection, session: PullSession): PulledSlice {
  const shared = findSharedPeriod(report, lines);
  if (shared)
    throw new PullStopped(
      'pages_disagree',
      `Invo lists period ${shared.period} under recipients ${shared.one} and ${shared.other}, but a renewal has one recipient. No snapshot was stored, and all responses are kept. Report it to Invo.`,
    );
  const answers = session.takeAnswers('slice');
  const recipients = report.entries.map(({ report: { renewals: _, reversals: __, isTruncated: ___, ...figures } }): Recipient => figures);
  const evidence: SliceEvidence = {
    window,
    generated_at: report.generated_at,
    totals: report.totals,
    recipients,
    renewals: recipients.flatMap((each) => lines.renewalsOf(each.recipient_player_id)),
    reversals: recipients.flatMap((each) => lines.reversalsOf(each.recipient_player_id)),
    call_count: answers.length,
    // The client refuses an answer without the notice, so each one stored here had it.
    notice_count: answers.length,
  };
  return { evidence, answers };
}

/** A period listed under two recipients, among renewals or among reversals; null when there is none. */
function findSharedPeriod(report: WholeReport, lines: LineCollection): { period: number; one: number; other: number } | null {
  const owners = [new Map<number, number>(), new Map<number, number>()] as const;
  for (const {
    report: { recipient_player_id: other },
  } of report.entries) {
    for (const [index, list] of [lines.renewalsOf(other), lines.reversalsOf(other)].entries()) {
      for (const { period_id: period } of list) {
        const one = owners[index]?.get(period);
        if (one !== undefined && one !== other) return { period, one, other };
        owners[index]?.set(period, other);
      }
    }
  }
  return null;
}

/**
 * Reads again, by the subscription and over the whole slice, reversals of which only some refunds are known: read in parts, a line is counted
 * from its first refund on. Only for a recipient whose lines don't sum to Invo's figure; what is then still missing shows in reconciliation.
 */
export async function completeReversals(context: GapContext, cut: ReportEntry[]): Promise<void> {
  for (const { report } of cut) {
    const { recipient_player_id: recipientPlayerId, reversed_attributed_usd } = report;
    const isWhole = (): boolean =>
      compareMoney(
        sumMoney(context.lines.reversalsOf(recipientPlayerId).map((line) => line.reversed_attributed_usd)),
        reversed_attributed_usd,
      ) === 0;
    if (isWhole()) continue;
    const doubtful = context.lines
      .reversalsOf(recipientPlayerId)
      .filter((line) => line.settled_in_this_window === null && lacksRefunds(line))
      .toSorted((a, b) => Number(endsHere(context.slice, b)) - Number(endsHere(context.slice, a)));
    for (const { subscription_id: subscriptionId } of doubtful) {
      if (context.callsLeft <= 0 || isWhole()) break;
      context.callsLeft -= 1;
      context.session.expect({ calls: 1 });
      const answer = await context.session.ask(context.slice, { recipientPlayerId, subscriptionId }, 'fill');
      for (const each of answer.recipients) context.lines.add(context.slice, each);
    }
  }
}

/** Whether the refunds known of a line begin later, end earlier or leave a gap: others may lie in the slice. */
function lacksRefunds({ refund_events: events, refunded_to_date_usd, latest_refund_at, reversal_basis }: ReversalLine): boolean {
  const [first, last] = [events[0], events.at(-1)];
  if (reversal_basis === COARSE_BASIS || !first || !last) return false;
  return (
    signOfMoney(first.cumulative_refunded_before_usd) !== 0 ||
    (refunded_to_date_usd !== null && compareMoney(last.cumulative_refunded_after_usd, refunded_to_date_usd) !== 0) ||
    (latest_refund_at !== null && latest_refund_at !== last.refunded_at) ||
    events.some(
      (event, index) =>
        index > 0 && compareMoney(event.cumulative_refunded_before_usd, events[index - 1]?.cumulative_refunded_after_usd ?? '0') !== 0,
    )
  );
}

/** Whether the latest refund of a line lies in the slice and is not known: then it is certainly missing. */
function endsHere(slice: Window, { latest_refund_at, refund_events }: ReversalLine): boolean {
  return latest_refund_at !== null && containsInstant(slice, latest_refund_at) && latest_refund_at !== refund_events.at(-1)?.refunded_at;
}
