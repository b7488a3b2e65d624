import { requireGame } from '#app/_server/game.ts';
import { sendTableAnswer } from '#app/_server/send-file.ts';
import { db, readComplete } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { parseCount, refuseRows } from '#app/[game]/_rows/define-list.ts';
import { findComparison, findTablePart } from '#lib/evidence/reads/renditions.ts';
import { listAddresses } from '#lib/evidence/reads/stored-table.ts';
import { parseSheet, RENDITION_VERSION } from '#lib/evidence/rules/sheets.ts';

interface Context {
  params: Promise<{ game: string; month: string; part: string }>;
}

const ORDERS = '-orders';

/**
 * What a table in the browser is made of: a sheet of a snapshot without emails, its orders and chips, how its recipients compare with other months, and their
 * emails, in full or masked. All but the emails are stored gzip JSON.
 */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const person = await requirePerson('figures.read');
  const { game: slug, part } = await params;
  const { gameId } = await requireGame(slug);
  const snapshotId = parseCount(new URL(request.url).searchParams.get('snapshot'));
  const isOrders = part.endsWith(ORDERS);
  const sheet = parseSheet(isOrders ? part.slice(0, -ORDERS.length) : part);
  if (snapshotId === null) return refuseRows(400, 'Name a snapshot by its number.');
  if (part === 'addresses') {
    // None can also mean that a replica doesn't have the snapshot yet.
    const addresses = await readComplete(async (database) => {
      const found = await listAddresses(database, gameId, snapshotId, person.may('emails.read'));
      return Object.keys(found).length > 0 ? found : null;
    });
    return Response.json(addresses ?? {}, { headers: { 'cache-control': 'private, no-store' } });
  }
  // The comparison changes with other months: the primary knows it.
  const answer =
    part === 'comparison'
      ? await findComparison(db(), gameId, snapshotId, RENDITION_VERSION)
      : sheet === null
        ? null
        : await readComplete((database) =>
            findTablePart(database, { gameId, snapshotId, sheet }, isOrders ? 'orders' : 'table', RENDITION_VERSION),
          );
  return answer === null ? refuseRows(404, 'These rows aren’t prepared. Reload the page.') : sendTableAnswer(request, answer);
}
