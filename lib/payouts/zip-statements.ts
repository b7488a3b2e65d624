import { recordAudit } from '#lib/audit/writes.ts';
import { writeZip, type ZipEntry } from '../core/zip.ts';
import type { OpenGame } from '../games/open-game.ts';
import { nameStatement } from './draw-statements.ts';
import { findRun, type Run } from './reads/find-run.ts';
import { listDrawn, streamStatements } from './reads/statements.ts';

export type StatementArchive =
  | { ok: true; fileName: string; pieces: AsyncIterable<Uint8Array> }
  | { ok: false; reason: 'no_run' | 'not_approved' | 'voided' | 'not_drawn' };

/**
 * All statements of an approved run in one ZIP, written as it is read. The same run gives the same bytes.
 * Refused until every statement is drawn: an archive that lacks one would look whole.
 */
export async function zipStatements(
  game: Pick<OpenGame, 'db' | 'gameId' | 'slug'>,
  runNo: number,
  takenBy: string,
): Promise<StatementArchive> {
  const run = await findRun(game.db, game.gameId, { runNo });
  if (run === null) return { ok: false, reason: 'no_run' };
  if (run.state !== 'approved') return { ok: false, reason: run.state === 'void' ? 'voided' : 'not_approved' };
  const playerIds = await listDrawn(game.db, run);
  if (playerIds.length < run.lineCount) return { ok: false, reason: 'not_drawn' };
  const fileName = `${game.slug}-statements-run${runNo}.zip`;
  await recordAudit(game.db, { actor: takenBy, gameId: game.gameId, act: 'took a file', subject: fileName });
  return { ok: true, fileName, pieces: writeZip(listPdfs(game, run, playerIds.length), { compress: false }) };
}

async function* listPdfs({ db, slug }: Pick<OpenGame, 'db' | 'slug'>, run: Run, count: number): AsyncGenerator<ZipEntry> {
  let left = count;
  for await (const { playerId, pdf } of streamStatements(db, run)) {
    yield { name: nameStatement({ slug }, run.runNo, playerId, 'pdf'), content: [pdf] };
    left -= 1;
  }
  if (left !== 0) throw new Error(`${left} of ${count} statements of run ${run.runNo} are gone`);
}
