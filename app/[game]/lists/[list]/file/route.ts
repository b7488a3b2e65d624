import type { NextRequest } from 'next/server';
import { requireGame } from '#app/_server/game.ts';
import { refuseFile, refuseRole, sendFile } from '#app/_server/send-file.ts';
import { requirePerson } from '#app/_server/session.ts';
import { findServedList } from '#app/[game]/served-lists.ts';

/** A long list as a file: all of it, or the rows that the table on the screen shows. Sheets of a month have an address of their own. */
export async function GET(request: NextRequest, { params }: { params: Promise<{ game: string; list: string }> }): Promise<Response> {
  const { game: slug, list: name } = await params;
  const list = findServedList(name);
  const person = await requirePerson(list?.right ?? 'figures.read');
  const refused = refuseRole(person);
  if (refused) return refused;
  const game = await requireGame(slug);
  const file = (await list?.exportRows({ game, person }, request.nextUrl.searchParams)) ?? null;
  if (file === null) return refuseFile(404, `There is no file of "${name}".`);
  return file.ok ? await sendFile(file.fileName, file.bytes) : refuseFile(400, file.sentence);
}
