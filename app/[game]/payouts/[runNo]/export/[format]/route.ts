import { openGameContext } from '#app/_server/game.ts';
import { refuseFile, refuseReason, refuseRole, sendFile } from '#app/_server/send-file.ts';
import { downloads } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { loadRun } from '#app/[game]/payouts/_run/run-lists.ts';
import { exportRun } from '#lib/payouts/export-run.ts';

interface Context {
  params: Promise<{ game: string; runNo: string; format: string }>;
}

/** The lines of a run as a CSV or an Excel file. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const person = await requirePerson('figures.read');
  const refused = refuseRole(person);
  if (refused) return refused;
  const { game: slug, runNo, format } = await params;
  if (format !== 'csv' && format !== 'xlsx') return refuseFile(404, 'A run can be exported as csv or xlsx.');
  const { game, run } = await loadRun(slug, runNo);
  const open = { ...openGameContext(game).game, db: downloads().db };
  const file = await exportRun(open, run.runNo, { format, exportedBy: person.email });
  if (file.ok) return await sendFile(file.fileName, file.bytes);
  return file.reason === 'no_run'
    ? refuseReason(file.reason)
    : refuseFile(409, 'An Excel file has at most 100,000 rows. Export this run as CSV.');
}
