import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { answerRows, readRowParams, refuseRows } from '#app/[game]/_rows/answer-rows.ts';
import { loadRows, loadStatement } from '#app/[game]/_rows/load-rows.ts';
import { parseMonth } from '#lib/core/month.ts';
import { parseSheet } from '#lib/evidence/rules/sheets.ts';

interface Context {
  params: Promise<{ game: string; month: string; sheet: string }>;
}

/** Rows of one sheet of a month for the table on the screen. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const person = await requirePerson('figures.read');
  const { game: slug, month: text, sheet: name } = await params;
  const game = await requireGame(slug);
  const [month, sheet] = [parseMonth(text), parseSheet(name)];
  if (month === null || sheet === null) return refuseRows(404, 'There is no such month or sheet.');
  const asked = await readRowParams(request);
  if (asked === null) return refuseRows(400, 'An e-mail does not belong in an address: send it in the body of a POST.');
  const statement = await loadStatement(game, month, asked);
  if (!statement) return refuseRows(404, 'There is no such statement of this month.');
  return await answerRows(() => loadRows(sheet, statement, asked, { canSeeEmails: person.may('emails.read') }));
}

/** The same, for what may not stand in an address: it only reads. */
export const POST = GET;
