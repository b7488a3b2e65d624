import { ATTEMPTS_MAX, type Left, lockGame } from '#db/kit/lease.ts';
import { inTransaction } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { writeZip, type ZipEntry } from '../core/zip.ts';
import type { OpenGame } from '../games/open-game.ts';
import { findStatement, firstPart, listStatements, type NoStatement, type StatingGame } from './find-statement.ts';
import { findRun, type Run } from './reads/find-run.ts';
import { countDrawn, findStoredStatement, listDrawn, listUndrawn, streamStatements } from './reads/statements.ts';
import type { StatementFormat } from './rules/statement.ts';
import { writeStatementCsv } from './statement-csv.ts';
import { endStatementJob, insertStatementJob, insertStatements, STATEMENT_JOBS, type StatementLease } from './writes/store-statements.ts';

export type StatementFile = { ok: true; fileName: string; bytes: Buffer } | { ok: false; reason: NoStatement };

type DrawnGame = StatingGame & Pick<OpenGame, 'db' | 'isSimulated'>;

/** The statement of a recipient in an approved run as a file, with its audit row. A PDF is drawn once and stored; from then on it is the same file. */
export async function takeStatement(
  game: DrawnGame,
  request: { runNo: number; playerId: number; format: StatementFormat },
  takenBy: string,
): Promise<StatementFile> {
  const file = await findFile(game, request);
  if (file.ok) await recordAudit(game.db, { actor: takenBy, gameId: game.gameId, act: 'took a file', subject: file.fileName });
  return file;
}

async function findFile(
  game: DrawnGame,
  { runNo, playerId, format }: { runNo: number; playerId: number; format: StatementFormat },
): Promise<StatementFile> {
  const found = await findStatement(game, runNo, playerId);
  if (!found.ok) return found;
  const fileName = nameStatement(game, runNo, playerId, format);
  if (format === 'csv') return { ok: true, fileName, bytes: Buffer.from(writeStatementCsv(found.statement)) };
  const run = await findRun(game.db, game.gameId, { runNo });
  if (run === null) return { ok: false, reason: 'no_run' };
  const stored = await findStoredStatement(game.db, run, playerId);
  if (stored !== null) return { ok: true, fileName, bytes: stored };
  await drawPart(game, run, [playerId]);
  const drawn = await findStoredStatement(game.db, run, playerId);
  if (drawn === null) throw new Error(`the statement of player ${playerId} in run ${runNo} was drawn and is not stored`);
  return { ok: true, fileName, bytes: drawn };
}

/** The name of a statement's file. */
function nameStatement(game: Pick<OpenGame, 'slug'>, runNo: number, playerId: number, format: StatementFormat): string {
  return `${game.slug}-statement-run${runNo}-player${playerId}.${format}`;
}

/** Draws the statements of these recipients and stores those that are not stored. What is stored names nobody who was erased meanwhile. */
async function drawPart(game: DrawnGame, run: Run, playerIds: readonly number[]): Promise<void> {
  // Fonts and the PDF writer are loaded where something is drawn: a worker that pulls has no memory for them.
  const { drawStatement } = await import('./statement-pdf.ts');
  await inTransaction(game.db, async (tx) => {
    // A statement that names someone isn't stored after their erasure.
    await lockGame(tx, game.gameId, ['names'], 'shared');
    const statements = await listStatements(tx, game, run.runNo, playerIds);
    if (statements.length < playerIds.length) throw new Error(`run ${run.runNo} no longer has these statements`);
    const drawn = [];
    for (const statement of statements) drawn.push({ playerId: statement.line.recipientId, pdf: await drawStatement(statement) });
    await insertStatements(tx, run, drawn);
  });
}

/** Requests all statements of an approved run. A running job of the run is joined. */
export async function requestStatements(
  { db, gameId }: Pick<OpenGame, 'db' | 'gameId'>,
  runNo: number,
  requestedBy: string,
): Promise<{ ok: true } | { ok: false; reason: 'not_approved' }> {
  const run = await findRun(db, gameId, { runNo });
  if (run?.state !== 'approved') return { ok: false, reason: 'not_approved' };
  await insertStatementJob(db, run, requestedBy);
  return { ok: true };
}

/** Recipients drawn and stored at once. */
const PART_RECIPIENTS = 50;

export type StatementRun = { ended: 'done' | 'failed' } | Left;

/**
 * Runs a claimed job to its end: draws what isn't drawn, a part at a time, each stored when it is drawn, so that another attempt continues where this one
 * ended. A stop by the signal gives the job back.
 */
export async function runStatementJob(game: DrawnGame, lease: StatementLease, signal?: AbortSignal): Promise<StatementRun> {
  const run = await findRun(game.db, game.gameId, { runId: lease.runId });
  const progress = { drawnCount: run === null ? 0 : await countDrawn(game.db, run) };
  const end = async (failure: string | null): Promise<StatementRun> => {
    await endStatementJob(game.db, lease, { ...progress, failure });
    return { ended: failure === null ? 'done' : 'failed' };
  };
  return await STATEMENT_JOBS.run(game.db, lease, { progress, signal }, async (running) => {
    if (run?.state !== 'approved') return await end('The run was voided. Its statements are no longer available.');
    if (lease.attemptCount > ATTEMPTS_MAX) return await end(GAVE_UP);
    for (;;) {
      const part = firstPart(await listUndrawn(game.db, run, PART_RECIPIENTS));
      if (part.length === 0) break;
      running.signal.throwIfAborted();
      await drawPart(game, run, part);
      progress.drawnCount = await countDrawn(game.db, run);
    }
    return await end(null);
  });
}

const GAVE_UP =
  'Drawing the statements was started 20 times and never finished. See the worker’s log, fix the cause, then ask for them again.';

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
