import { requirePerson } from '#app/_server/session.ts';
import { loadRun } from '../../_run/load-run.ts';
import { runLinesList } from '../../_run/run-table.ts';

interface Context {
  params: Promise<{ game: string; runNo: string }>;
}

/** Rows of a run's lines for the table on the screen. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const person = await requirePerson('figures.read');
  const { game: slug, runNo } = await params;
  const { run } = await loadRun(slug, runNo);
  return await runLinesList.respond(request, async () => ({ slug, run, outcomes: {}, canSeeEmails: person.may('emails.read') }));
}

/** The same, for a filter that can’t be part of a URL; it only reads. */
export const POST = GET;
