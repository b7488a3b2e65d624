import type { NextRequest } from 'next/server';
import { requireGame } from '#app/_server/game.ts';
import { NO_FILES, refuseFile, sendFile } from '#app/_server/send-file.ts';
import { downloads, storedNow } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { chooseDeliveries, chooseRefunds, type Reader } from '#app/[game]/served-lists.ts';
import type { Capability } from '#lib/core/roles.ts';
import { exportRegister } from '#lib/refunds/export-register.ts';
import { exportDeliveries } from '#lib/webhooks/export-deliveries.ts';

type Refused = { ok: false; sentence: string };
type TakenFile = { ok: true; fileName: string; text: AsyncIterable<string> };

/** A list as a file: what a person must be allowed to read, and its text with the rows that the parameters choose. */
const FILES: Record<string, { right: Capability; take(reader: Reader, params: URLSearchParams): Promise<TakenFile | Refused> }> = {
  refunds: {
    right: 'figures.read',
    take: async ({ game, person }, params) => {
      const chosen = chooseRefunds({ game, person }, params);
      if (!chosen.ok) return chosen;
      const { find, chip } = chosen.request;
      const filter = { find, chip, personId: person.id };
      const about = { filter, exportedAt: await storedNow(), exportedBy: person.email };
      return { ok: true, ...(await exportRegister(downloads().db, game, about)) };
    },
  },
  // Facts about each delivery, never its bytes.
  deliveries: {
    right: 'deliveries.read',
    take: async ({ game, person }, params) => {
      const chosen = chooseDeliveries({ game, person }, params);
      if (!chosen.ok) return chosen;
      const { find, chip } = chosen.request;
      const about = { filter: { find, chip }, exportedAt: await storedNow(), exportedBy: person.email };
      return { ok: true, ...(await exportDeliveries(downloads().db, game, about)) };
    },
  },
};

/** A long list as a file: all of it, or the rows that the table on the screen shows. Sheets of a month have an address of their own. */
export async function GET(request: NextRequest, { params }: { params: Promise<{ game: string; list: string }> }): Promise<Response> {
  const { game: slug, list } = await params;
  const file = Object.hasOwn(FILES, list) ? FILES[list] : undefined;
  const person = await requirePerson(file?.right ?? 'figures.read');
  if (!person.may('files.export')) return refuseFile(403, NO_FILES);
  const game = await requireGame(slug);
  if (file === undefined) return refuseFile(404, `There is no file of "${list}".`);
  const taken = await file.take({ game, person }, request.nextUrl.searchParams);
  return taken.ok ? await sendFile(taken.fileName, taken.text) : refuseFile(400, taken.sentence);
}
