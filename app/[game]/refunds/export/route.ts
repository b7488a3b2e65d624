import type { NextRequest } from 'next/server';
import { REFUND_CHIPS, REFUND_SORTS } from '../../../../db/queries/refunds/list-refunds.ts';
import { exportRegister } from '../../../../lib/operations/export/export-register.ts';
import { storedNow } from '../../../_server/clock.ts';
import { requireGame } from '../../../_server/game.ts';
import { NO_FILES, refuseFile, sendCsv } from '../../../_server/send-file.ts';
import { requirePerson } from '../../../_server/session.ts';
import { db } from '../../../_server/wiring.ts';
import { isPrivateFind } from '../../../_ui/data-table/table-view.ts';
import { readRowRequest } from '../../_rows/row-request.ts';

/** The register of refunds as a file: all of it, or the rows the table on the screen shows. */
export async function GET(request: NextRequest, { params }: { params: Promise<{ game: string }> }): Promise<Response> {
  const person = await requirePerson('figures.read');
  if (!person.may('files.export')) return refuseFile(403, NO_FILES);
  const game = await requireGame((await params).game);
  const asked = request.nextUrl.searchParams;
  if (isPrivateFind(asked.get('find') ?? '')) return refuseFile(400, 'An e-mail does not belong in an address: filter by another word.');
  const read = readRowRequest(
    new URLSearchParams({ ...Object.fromEntries(asked), sort: 'refund_id', dir: 'asc' }),
    REFUND_SORTS,
    REFUND_CHIPS,
  );
  if (!read.ok) return refuseFile(400, read.sentence);
  const { find, chip } = read.request;
  const takenAt = await storedNow();
  return sendCsv(await exportRegister(db(), game, { filter: { find, chip, personId: person.id }, takenAt, takenBy: person.email }));
}
