import type { NextRequest } from 'next/server';
import { storedNow } from '#app/_server/clock.ts';
import { requireGame } from '#app/_server/game.ts';
import { NO_FILES, refuseFile, sendCsv } from '#app/_server/send-file.ts';
import { requirePerson } from '#app/_server/session.ts';
import { db } from '#app/_server/wiring.ts';
import { isPrivateFind } from '#app/_ui/data-table/table-view.ts';
import { readRowRequest } from '#app/[game]/_rows/row-request.ts';
import { REFUND_CHIPS, REFUND_SORTS } from '#db/refunds/reads/list-refunds.ts';
import { exportRegister } from '#lib/refunds/export-register.ts';

/** The register of refunds as a file: all of it, or the rows the table on the screen shows. */
export async function GET(request: NextRequest, { params }: { params: Promise<{ game: string }> }): Promise<Response> {
  const person = await requirePerson('figures.read');
  if (!person.may('files.export')) return refuseFile(403, NO_FILES);
  const game = await requireGame((await params).game);
  const asked = request.nextUrl.searchParams;
  if (isPrivateFind(asked.get('find') ?? '')) return refuseFile(400, 'An email can’t be part of a URL. Filter by something else.');
  const read = readRowRequest(
    new URLSearchParams({ ...Object.fromEntries(asked), sort: 'refund_id', dir: 'asc' }),
    REFUND_SORTS,
    REFUND_CHIPS,
  );
  if (!read.ok) return refuseFile(400, read.sentence);
  const { find, chip } = read.request;
  const exportedAt = await storedNow();
  return sendCsv(await exportRegister(db(), game, { filter: { find, chip, personId: person.id }, exportedAt, exportedBy: person.email }));
}
