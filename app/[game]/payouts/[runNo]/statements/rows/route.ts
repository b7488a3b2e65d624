import { requirePerson } from '#app/_server/session.ts';
import { loadRun } from '#app/[game]/payouts/_run/load-run.ts';
import { statementRights, statementsList } from '../statement-list.ts';

interface Context {
  params: Promise<{ game: string; runNo: string }>;
}

/** Rows of the statements of a run for their table; of a run that isn’t approved there are none. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const person = await requirePerson('figures.read');
  const { game: slug, runNo } = await params;
  return await statementsList.respond(request, async () => {
    const { game, run } = await loadRun(slug, runNo);
    return run.state === 'approved' ? { game, run, ...statementRights(person) } : null;
  });
}

/** The same with parameters in the body, for those that can’t be part of an address. It only reads. */
export const POST = GET;
