import { requireGame } from '#app/_server/game.ts';
import { NO_FILES, refuseFile, sendFile } from '#app/_server/send-file.ts';
import { downloads } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { parseRunNo } from '#lib/payouts/rules/run-content.ts';
import { VOIDED_STATEMENTS } from '#lib/payouts/text.ts';
import { type StatementArchive, zipStatements } from '#lib/payouts/zip-statements.ts';

const REFUSED = {
  no_run: { status: 404, sentence: 'This run doesn’t exist.' },
  not_approved: { status: 409, sentence: 'Statements are available once the run is approved.' },
  voided: { status: 409, sentence: VOIDED_STATEMENTS },
  not_drawn: { status: 409, sentence: 'Not all statements of this run are drawn. Ask for all statements on the run’s page first.' },
} as const;

/** All statements of an approved run as one ZIP, once they are drawn. */
export async function GET(_request: Request, { params }: { params: Promise<{ game: string; runNo: string }> }): Promise<Response> {
  const person = await requirePerson();
  if (!person.may('files.export') || !person.may('emails.read')) return refuseFile(403, NO_FILES);
  const { game: slug, runNo } = await params;
  const game = await requireGame(slug);
  const run = parseRunNo(runNo);
  const archive: StatementArchive =
    run === null ? { ok: false, reason: 'no_run' } : await zipStatements({ ...game, db: downloads().db }, run, person.email);
  if (!archive.ok) {
    const { status, sentence } = REFUSED[archive.reason];
    return refuseFile(status, sentence);
  }
  return await sendFile(archive.fileName, archive.pieces);
}
