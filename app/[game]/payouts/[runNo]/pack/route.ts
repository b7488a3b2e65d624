import { openGameContext } from '#app/_server/game.ts';
import { refuseFile, refuseReason, sendFile } from '#app/_server/send-file.ts';
import { downloads } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { loadRun } from '#app/[game]/payouts/_run/run-lists.ts';
import { exportPack } from '#lib/packs/export-pack.ts';
import { PACK_RIGHTS } from '#lib/packs/rules/pack-index.ts';
import { NO_PACK_RIGHT, PACK_REFUSALS } from '#lib/packs/text.ts';

/** The evidence pack of an approved run: the bytes of the command `pack`. */
export async function GET(_request: Request, { params }: { params: Promise<{ game: string; runNo: string }> }): Promise<Response> {
  const person = await requirePerson('figures.read');
  if (!PACK_RIGHTS.every((right) => person.may(right))) return refuseFile(403, NO_PACK_RIGHT);
  const { game: slug, runNo } = await params;
  const { game, run } = await loadRun(slug, runNo);
  const pack = await exportPack(openGameContext(game).game, { runId: run.runId }, { takenBy: person.email, files: downloads().db });
  if (pack.ok) return await sendFile(pack.fileName, pack.pieces);
  return pack.reason === 'no_run' ? refuseReason('no_run') : refuseFile(409, PACK_REFUSALS[pack.reason]);
}
