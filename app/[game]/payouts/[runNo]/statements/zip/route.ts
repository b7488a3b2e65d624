import { requireGame } from '#app/_server/game.ts';
import { refuseReason, refuseRole, sendFile } from '#app/_server/send-file.ts';
import { downloads } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { zipStatements } from '#lib/payouts/draw-statements.ts';
import { parseRunNo } from '#lib/payouts/rules/run-content.ts';

/** All statements of an approved run as one ZIP, once they are drawn. */
export async function GET(_request: Request, { params }: { params: Promise<{ game: string; runNo: string }> }): Promise<Response> {
  const person = await requirePerson();
  const refused = refuseRole(person);
  if (refused) return refused;
  const { game: slug, runNo } = await params;
  const game = await requireGame(slug);
  const run = parseRunNo(runNo);
  if (run === null) return refuseReason('no_run');
  const archive = await zipStatements({ ...game, db: downloads().db }, run, person.email);
  return archive.ok ? await sendFile(archive.fileName, archive.pieces) : refuseReason(archive.reason);
}
