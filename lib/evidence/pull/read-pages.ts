import { earlierOf } from '#lib/core/instant.ts';
import type { Window } from '#lib/core/window.ts';
import type { RecipientReport } from '../rules/evidence.ts';
import type { Totals } from '../rules/totals.ts';
import { isSameTotals } from '../rules/totals.ts';
import { type Answer, PAGE_RECIPIENTS_MAX, type PullSession, PullStopped } from './pull-session.ts';

/** Pages in flight at once: enough to fill the rate limit at the latency of a large report, without burdening Invo. */
export const PAGES_AT_ONCE = 4;

/** Renewed and refunded renewals of a legal window, each of another recipient: no honest report lists more. */
const RECIPIENTS_MAX = 40_000;

export interface ReportEntry {
  /** The index of the recipient in the list it was seen in, and the length of that list. */
  rank: number;
  listLength: number;
  /** Its index in the report of the whole window. */
  home: number;
  report: RecipientReport;
}

/** What reading needs of a pull's session. */
type ReadingSession = Pick<PullSession, 'ask' | 'expect' | 'setActivity'>;

export interface WholeReport {
  totals: Totals;
  /** The earliest of the pages. */
  generated_at: string;
  entries: ReportEntry[];
  page_count: number;
}

/**
 * Reads every page of a window's report, unfiltered. All pages must state the same totals and count, and no recipient may appear twice:
 * pages are separate requests, and nothing guarantees that they describe one moment.
 * Errors: InvoError, among them `window_too_large`; `PullStopped` when the pages disagree twice in a row.
 */
export async function readPages(session: ReadingSession, window: Window): Promise<WholeReport> {
  try {
    return await readOnce(session, window);
  } catch (error) {
    if (!(error instanceof PullStopped) || error.code !== 'pages_disagree') throw error;
    session.setActivity('the pages disagree; reading all of them again');
    return readOnce(session, window);
  }
}

async function readOnce(session: ReadingSession, window: Window): Promise<WholeReport> {
  const first = await session.ask(window, { limit: PAGE_RECIPIENTS_MAX, offset: 0 }, 'page');
  if (first.total_count > RECIPIENTS_MAX) {
    throw new PullStopped(
      'too_many_recipients',
      `Invo counts ${first.total_count} recipients, more than a window can hold. No snapshot was stored. Report it to Invo.`,
    );
  }
  if (first.total_count !== first.totals.recipient_count)
    throw disagreeing(`it lists ${first.total_count} recipients and totals ${first.totals.recipient_count}`);
  const page_count = Math.max(1, Math.ceil(first.total_count / first.page_size));
  session.expect({ calls: page_count - 1 });
  const offsets = Array.from({ length: page_count - 1 }, (_, index) => (index + 1) * first.page_size);
  const rest = await mapLimit(offsets, PAGES_AT_ONCE, (offset) => readPage(session, window, offset));
  const pages = [first, ...rest];
  const disagreement = findDisagreement(pages);
  if (disagreement) throw disagreeing(disagreement);
  return {
    totals: first.totals,
    generated_at: pages.map((page) => page.generated_at).reduce(earlierOf),
    entries: pages.flatMap((page) => page.recipients).map((report, rank) => ({ rank, home: rank, listLength: first.total_count, report })),
    page_count,
  };
}

/** A further page; an empty one where recipients were counted ends the reading, before a false count costs hundreds of calls. */
async function readPage(session: ReadingSession, window: Window, offset: number): Promise<Answer> {
  const page = await session.ask(window, { limit: PAGE_RECIPIENTS_MAX, offset }, 'page');
  if (page.recipients.length === 0) throw disagreeing(`no recipients from number ${offset + 1} on, though more were counted`);
  return page;
}

function disagreeing(how: string): PullStopped {
  return new PullStopped(
    'pages_disagree',
    `The pages of one report disagree: ${how}. All responses are kept and earlier figures are unchanged. Pull again later, and report it to Invo if it persists.`,
  );
}

function findDisagreement(pages: Answer[]): string | null {
  const [first] = pages;
  const seen = new Set<number>();
  for (const [index, page] of pages.entries()) {
    if (first && !isSameTotals(first.totals, page.totals)) return `the totals on page ${index + 1} differ from page 1`;
    if (first && page.total_count !== first.total_count)
      return `page ${index + 1} counts ${page.total_count} recipients, page 1 ${first.total_count}`;
    if (page.has_more !== index < pages.length - 1)
      return `page ${index + 1} says that ${page.has_more ? 'more' : 'no more'} recipients follow, and the count says otherwise`;
    for (const { recipient_player_id } of page.recipients) {
      if (seen.has(recipient_player_id)) return `recipient ${recipient_player_id} is listed twice`;
      seen.add(recipient_player_id);
    }
  }
  return first && seen.size !== first.total_count ? `${seen.size} recipients are listed, ${first.total_count} counted` : null;
}

/** Maps a list in order with limited concurrency. The first error starts no further work and is thrown once running work has ended. */
export async function mapLimit<T, R>(list: readonly T[], limit: number, work: (each: T, index: number) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(list.length);
  const errors: unknown[] = [];
  let next = 0;
  async function runner(): Promise<void> {
    while (next < list.length && errors.length === 0) {
      const index = next;
      next += 1;
      try {
        results[index] = await work(list[index] as T, index);
      } catch (error) {
        errors.push(error);
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, list.length) }, runner));
  if (errors.length > 0) throw errors[0];
  return results;
}
