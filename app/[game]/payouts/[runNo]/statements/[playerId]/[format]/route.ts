import { requireGame } from '#app/_server/game.ts';
import { NO_FILES, refuseFile, sendBytes } from '#app/_server/send-file.ts';
import { config, db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { parseNumericId } from '#lib/core/ids.ts';
import { takeStatement } from '#lib/payouts/draw-statements.ts';
import { parseRunNo } from '#lib/payouts/rules/run-content.ts';
import { STATEMENT_FORMATS } from '#lib/payouts/rules/statement.ts';
import { VOIDED_STATEMENTS } from '#lib/payouts/text.ts';

interface Context {
  params: Promise<{ game: string; runNo: string; playerId: string; format: string }>;
}

const REFUSED = {
  no_run: { status: 404, sentence: 'This run doesn’t exist.' },
  voided: { status: 409, sentence: VOIDED_STATEMENTS },
  no_line: { status: 404, sentence: 'This run has no such recipient.' },
  not_approved: { status: 409, sentence: 'Statements are available once the run is approved.' },
} as const;

/** The statement of a recipient as a PDF, always the file that was drawn first, or as a CSV. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const person = await requirePerson();
  if (!person.may('files.export') || !person.may('emails.read')) return refuseFile(403, NO_FILES);
  const requested = await params;
  const game = await requireGame(requested.game);
  const format = STATEMENT_FORMATS.find((each) => each === requested.format);
  const [runNo, playerId] = [parseRunNo(requested.runNo), parseNumericId(requested.playerId)];
  if (format === undefined || runNo === null || playerId === null) return refuseFile(404, 'This file doesn’t exist.');
  const about = { ...game, db: db(), isSimulated: config().isSimulated };
  const file = await takeStatement(about, { runNo, playerId, format }, person.email);
  if (!file.ok) {
    const { status, sentence } = REFUSED[file.reason];
    return refuseFile(status, sentence);
  }
  return sendBytes(file.fileName, file.bytes);
}
