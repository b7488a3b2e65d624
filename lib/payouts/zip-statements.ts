import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { recordAudit } from '#db/audit/writes.ts';
import { findRun, type Run } from '#db/payouts/reads/find-run.ts';
import { listDrawn, streamStatements } from '#db/payouts/reads/statements.ts';
import type { OpenGame } from '../games/open-game.ts';
import { nameStatement } from './draw-statements.ts';

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
  return { ok: true, fileName, pieces: writeArchive(game, run, playerIds) };
}

/** Each PDF is read when its turn comes and let go when it is written: yazl keeps what is added at once until the end. */
function writeArchive(game: Pick<OpenGame, 'db' | 'slug'>, run: Run, playerIds: readonly number[]): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  // Of local parts, as the format has no zone: the bytes depend on neither the machine's zone nor its clock.
  const mtime = new Date(2000, 0, 1);
  const stored = streamStatements(game.db, run);
  const next = async (playerId: number): Promise<Readable> => {
    const { value } = await stored.next();
    if (value?.playerId !== playerId) throw new Error(`the statement of player ${playerId} in run ${run.runNo} is gone`);
    return Readable.from([value.pdf]);
  };
  for (const playerId of playerIds)
    zip.addReadStreamLazy(
      nameStatement(game, run.runNo, playerId, 'pdf'),
      { compress: false, mtime, forceDosTimestamp: true },
      (take) =>
        void next(playerId).then(
          (pdf) => take(null, pdf),
          (error: unknown) => take(error, NOTHING),
        ),
    );
  zip.end();
  return output;
}

/** What is shown beside an error. */
const NOTHING = Readable.from([]);
