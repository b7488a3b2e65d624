import type { Window } from '#lib/core/window.ts';
import { type CutList, cutWindow } from '../rules/cut-window.ts';
import { LINE_KINDS, type LineBook, reversalInstants } from '../rules/line-book.ts';
import { type FillContext, isCutElsewhere, isCutShort, isKindCut } from './fill-context.ts';
import { mapLimit } from './map-limit.ts';
import type { PullSession } from './pull-session.ts';
import { PAGE_RECIPIENTS_MAX } from './pull-session.ts';
import { PAGES_AT_ONCE, type Sighting } from './read-pages.ts';

/**
 * Brings the lines an answer about this part did not show, for recipients cut at Invo's inline cap.
 * Recipients seen on one page are advanced together by reading that page of a shorter part; a recipient left alone, or moved to another page, is asked for by the filter.
 * Instants that time cannot divide are left in `context.crowded`. How the lines are ordered is only guessed: counts decide whether a part is whole, and a guess that did not hold is followed by even parts.
 */
export async function fillLines(context: FillContext, part: Window, cut: Sighting[], mayGuess = true): Promise<void> {
  const groups = [...Map.groupBy(cut, (sighting) => sighting.page).values()];
  await mapLimit(groups, PAGES_AT_ONCE, (group) => fillGroup(context, part, group, mayGuess));
}

async function fillGroup(context: FillContext, part: Window, group: Sighting[], mayGuess: boolean): Promise<void> {
  const lists = group.flatMap((sighting) => cutLists(context.book, part, sighting));
  const parts = cutWindow(part, lists, finestUnit(lists), mayGuess);
  if (parts.length === 0) {
    context.crowded.push(...group.map((sighting) => ({ instant: part, sighting })));
    return;
  }
  context.session.expect({ calls: parts.length });
  await mapLimit(parts, PAGES_AT_ONCE, async (smaller) => {
    if (context.callsLeft <= 0) return;
    const seen = await lookAgain(context, smaller, group);
    const short = seen.filter((sighting) => isCutShort(context.book, smaller, sighting));
    if (short.length > 0) await fillLines(context, smaller, short);
  });
  const short = group.filter((sighting) => isCutElsewhere(context, part, sighting));
  if (short.length > 0 && mayGuess && context.callsLeft > 0) await fillLines(context, part, short, false);
}

/** Reads a group again in a shorter part: its page when that serves more than one, then each one still unseen by the filter. */
async function lookAgain(context: FillContext, part: Window, group: Sighting[]): Promise<Sighting[]> {
  const wanted = new Map(group.map((sighting) => [sighting.report.recipient_player_id, sighting]));
  const seen: Sighting[] = [];
  const tried = new Set<number>();
  let page = group[0]?.page ?? 0;
  while (wanted.size > 1 && tried.size < wanted.size && !tried.has(page) && page >= 0) {
    tried.add(page);
    const answer = await askCounted(context, part, { limit: PAGE_RECIPIENTS_MAX, offset: page * PAGE_RECIPIENTS_MAX });
    for (const report of answer.recipients) {
      context.book.note(part, report);
      if (wanted.delete(report.recipient_player_id)) seen.push({ page, report });
    }
    const isWholeList = page === 0 && !answer.has_more;
    if (isWholeList) wanted.clear();
    // Ranked by net, those who only owe back stand last: a shorter part has fewer pages, so look from its end.
    const last = Math.max(0, Math.ceil(answer.total_count / PAGE_RECIPIENTS_MAX) - 1);
    page = tried.has(last) ? last - 1 : page > last ? last : page - 1;
  }
  for (const [recipientPlayerId, { page: home }] of wanted) {
    const answer = await askCounted(context, part, { recipientPlayerId });
    for (const report of answer.recipients) {
      context.book.note(part, report);
      if (report.recipient_player_id === recipientPlayerId) seen.push({ page: home, report });
    }
  }
  return seen;
}

async function askCounted(context: FillContext, part: Window, asked: Parameters<PullSession['ask']>[1]): ReturnType<PullSession['ask']> {
  context.callsLeft -= 1;
  return context.session.ask(part, asked, 'fill');
}

function cutLists(book: LineBook, part: Window, { report }: Sighting): CutList[] {
  return LINE_KINDS.filter((kind) => isKindCut(book, part, report, kind)).map((kind) =>
    kind === 'renewals'
      ? { shown: report.renewals.map((line) => line.paid_at), count: report.renewal_count }
      : { shown: report.reversals.map((line) => reversalInstants(line).at(-1) ?? line.paid_at), count: report.reversal_count },
  );
}

function finestUnit(lists: CutList[]): 1 | 1000 {
  return lists.some((list) => list.shown.some((instant) => /\.\d{4,}Z$/.test(instant))) ? 1 : 1000;
}
