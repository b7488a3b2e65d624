import type { NextRequest } from 'next/server';
import { refuseFile, refuseReason, refuseRole, sendBytes } from '#app/_server/send-file.ts';
import { downloads } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { loadRun } from '#app/[game]/payouts/_run/run-lists.ts';
import { exportJournal } from '#lib/accounting/export-journal.ts';
import { parseLayout } from '#lib/accounting/rules/layouts.ts';
import { formatUnmapped } from '#lib/accounting/text.ts';

/** The journals of a run's month as a file for an accounting program, or one of them (`?journal=202610-C`): the bytes of the command `journal`. */
export async function GET(
  request: NextRequest,
  { params }: { params: Promise<{ game: string; runNo: string; layout: string }> },
): Promise<Response> {
  const person = await requirePerson('figures.read');
  const refused = refuseRole(person);
  if (refused) return refused;
  const { game: slug, runNo, layout: named } = await params;
  const layout = parseLayout(named);
  if (layout === null) return refuseFile(404, 'There is no such layout.');
  const { game, run } = await loadRun(slug, runNo);
  const journalNo = request.nextUrl.searchParams.get('journal');
  const file = await exportJournal(downloads().db, game, { window: run.window, layout, journalNo, takenBy: person.email });
  if (file.ok) return sendBytes(file.fileName, Buffer.from(file.text));
  return file.reason === 'unmapped' ? refuseFile(409, formatUnmapped(layout, file.accounts)) : refuseReason(file.reason);
}
