import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { db } from '#app/_server/wiring.ts';
import { listCompleteMonths } from '#db/evidence/reads/recipients.ts';
import { allRecipientsList } from '../all-recipients-list.ts';

interface Context {
  params: Promise<{ game: string }>;
}

/** Rows of all recipients for their table. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const person = await requirePerson('figures.read');
  const game = await requireGame((await params).game);
  return await allRecipientsList.respond(request, async () => {
    const { months } = await listCompleteMonths(db(), game);
    return { game, snapshotIds: months.map(({ snapshotId }) => snapshotId), canSeeEmails: person.may('emails.read') };
  });
}

/** The same with parameters in the body, for those that can’t be part of an address. It only reads. */
export const POST = GET;
