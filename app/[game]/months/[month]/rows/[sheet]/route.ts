import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { parseCount, refuseRows } from '#app/[game]/_rows/define-list.ts';
import { findMonthSource, MONTH_LISTS } from '#app/[game]/_rows/month-lists.ts';
import { parseMonth } from '#lib/core/month.ts';
import { parseSheet } from '#lib/evidence/rules/sheets.ts';

interface Context {
  params: Promise<{ game: string; month: string; sheet: string }>;
}

/** Rows of one sheet of a month for its table. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const person = await requirePerson('figures.read');
  const { game: slug, month: text, sheet: name } = await params;
  const game = await requireGame(slug);
  const [month, sheet] = [parseMonth(text), parseSheet(name)];
  if (month === null || sheet === null) return refuseRows(404, 'This month or sheet doesn’t exist.');
  return await MONTH_LISTS[sheet].respond(request, (asked) => {
    const recipient = parseCount(asked.get('recipient'));
    const snapshotId = parseCount(asked.get('snapshot'));
    return findMonthSource(game, month, person, { snapshotId, ...(recipient === null ? {} : { recipient }) });
  });
}

/** The same with parameters in the body, for those that can’t be part of an address. It only reads. */
export const POST = GET;
