import { requireGame } from '#app/_server/game.ts';
import { refuseFile, refuseReason, refuseRole, sendBytes } from '#app/_server/send-file.ts';
import { config, db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { parseNumericId } from '#lib/core/typed-input.ts';
import { takeStatement } from '#lib/payouts/draw-statements.ts';
import { parseRunNo } from '#lib/payouts/rules/run-content.ts';
import { STATEMENT_FORMATS } from '#lib/payouts/rules/statement.ts';

interface Context {
  params: Promise<{ game: string; runNo: string; playerId: string; format: string }>;
}

/** The statement of a recipient as a PDF, always the file that was drawn first, or as a CSV. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const person = await requirePerson();
  const refused = refuseRole(person);
  if (refused) return refused;
  const requested = await params;
  const game = await requireGame(requested.game);
  const format = STATEMENT_FORMATS.find((each) => each === requested.format);
  const [runNo, playerId] = [parseRunNo(requested.runNo), parseNumericId(requested.playerId)];
  if (format === undefined || runNo === null || playerId === null) return refuseFile(404, 'This file doesn’t exist.');
  const about = { ...game, db: db(), isSimulated: config().isSimulated };
  const file = await takeStatement(about, { runNo, playerId, format }, person.email);
  return file.ok ? sendBytes(file.fileName, file.bytes) : refuseReason(file.reason);
}
