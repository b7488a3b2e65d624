import type { Window } from '#lib/core/window.ts';
import type { RecipientFigures, SliceEvidence } from '../rules/evidence.ts';
import { LineBook } from '../rules/line-book.ts';
import { type FillContext, isCutShort } from './fill-context.ts';
import { fillInstant } from './fill-instant.ts';
import { fillLines } from './fill-lines.ts';
import type { KeptAnswer, PullSession } from './pull-session.ts';
import { PullStopped } from './pull-stopped.ts';
import { readPages, type WholeReport } from './read-pages.ts';

export interface PulledSlice {
  evidence: SliceEvidence;
  answers: KeptAnswer[];
}

export interface SliceSurroundings {
  /** Subscriptions of a recipient known from evidence stored before. */
  knownSubscriptions(recipient: number): Promise<string[]>;
  /** Nothing after this instant may be asked for. */
  horizon: string;
}

/**
 * Pulls one window whole: all pages, then every line beyond the inline caps. Stores nothing.
 * Errors: InvoError (`window_too_large` when the window must be cut), `PullStopped` when the pages contradict each other.
 */
export async function pullSlice(session: PullSession, window: Window, around: SliceSurroundings): Promise<PulledSlice> {
  const report = await readPages(session, window);
  const book = new LineBook(window);
  for (const sighting of report.sightings) book.note(window, sighting.report);
  const cut = report.sightings.filter((sighting) => isCutShort(book, window, sighting));
  if (cut.length > 0) {
    session.says(`reading the lines of ${cut.length === 1 ? 'one recipient' : `${cut.length} recipients`} beyond what one answer shows`);
    const context: FillContext = { session, book, ...around, callsLeft: boundOf(report), crowded: [] };
    await fillLines(context, window, cut);
    for (const crowded of context.crowded) await fillInstant(context, crowded);
  }
  const pulled = assemble(window, report, book, session);
  session.expect({ lines: pulled.evidence.renewals.length + pulled.evidence.reversals.length });
  return pulled;
}

/** Far more calls than any order of lines needs; a service whose counts never come true must not be asked for ever. */
function boundOf(report: WholeReport): number {
  const lists = report.sightings.map(({ report: { renewal_count, reversal_count } }) =>
    Math.ceil(Math.max(renewal_count, reversal_count) / 500),
  );
  return 300 + 8 * lists.filter((answers) => answers > 1).reduce((sum, answers) => sum + answers, 0);
}

function assemble(window: Window, report: WholeReport, book: LineBook, session: PullSession): PulledSlice {
  const shared = findSharedPeriod(report, book);
  if (shared)
    throw new PullStopped(
      'pages_disagree',
      `Invo lists period ${shared.period} under recipient ${shared.one} and under recipient ${shared.other}, and a renewal has one recipient. Every answer is kept and nothing was stored as a statement; report it to Invo.`,
    );
  const answers = session.takeKept('slice');
  const recipients = report.sightings.map(
    ({ report: { renewals: _, reversals: __, isTruncated: ___, ...figures } }): RecipientFigures => figures,
  );
  const evidence: SliceEvidence = {
    window,
    generated_at: report.generated_at,
    totals: report.totals,
    recipients,
    renewals: recipients.flatMap((each) => book.renewalsOf(each.recipient_player_id)),
    reversals: recipients.flatMap((each) => book.reversalsOf(each.recipient_player_id)),
    call_count: answers.length,
    // The client refuses an answer without the notice, so each one kept here carried it.
    notice_count: answers.length,
  };
  return { evidence, answers };
}

/** A period that came under two recipients, of its renewals or of its reversals; null when there is none. */
function findSharedPeriod(report: WholeReport, book: LineBook): { period: number; one: number; other: number } | null {
  const owners = [new Map<number, number>(), new Map<number, number>()] as const;
  for (const {
    report: { recipient_player_id: other },
  } of report.sightings) {
    for (const [at, lines] of [book.renewalsOf(other), book.reversalsOf(other)].entries()) {
      for (const { period_id: period } of lines) {
        const one = owners[at]?.get(period);
        if (one !== undefined && one !== other) return { period, one, other };
        owners[at]?.set(period, other);
      }
    }
  }
  return null;
}
