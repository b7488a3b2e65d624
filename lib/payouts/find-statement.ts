import type { Db } from '#db/kit/open.ts';
import type { Game } from '../core/game.ts';
import { findRun } from './reads/find-run.ts';
import { listStatementFacts } from './reads/statements.ts';
import type { RunState } from './rules/run-content.ts';
import { composeStatement, type Statement } from './rules/statement.ts';
import { EARNINGS, groupEarnings, layOutStatement, type PaperGroup, type StatementPaper } from './statement-paper.ts';

/** A game as a statement names it. */
export type StatingGame = Pick<Game, 'gameId' | 'slug' | 'name' | 'environment' | 'timeZone'> & { isSimulated?: boolean };

/** Why there is no statement. */
export type NoStatement = 'no_run' | 'not_approved' | 'voided' | 'no_line';

/** Finds the statements of these recipients in an approved run, by player id. Draws and stores nothing. */
export async function listStatements(db: Db, game: StatingGame, runNo: number, playerIds: readonly number[]): Promise<Statement[]> {
  const { gameId, slug, name, environment, timeZone, isSimulated = false } = game;
  const found = await listStatementFacts(db, { gameId, runNo }, playerIds);
  return found.map((facts) => composeStatement({ ...facts, game: { slug, name, environment, timeZone, isSimulated } }));
}

/** Renewals of statements that are held in memory at once; a statement alone may have more. */
const PART_RENEWALS = 5_000;

/** The recipients whose statements are made together: as many as the bound on renewals allows, and at least one. */
export function firstPart(waiting: readonly { playerId: number; renewalCount: number }[]): number[] {
  let renewals = 0;
  const end = waiting.findIndex(({ renewalCount }, index) => (renewals += renewalCount) > PART_RENEWALS && index > 0);
  return waiting.slice(0, end < 0 ? waiting.length : end).map(({ playerId }) => playerId);
}

/** Finds the statement of a recipient, or why there is none. */
export async function findStatement(
  { db, ...game }: StatingGame & { db: Db },
  runNo: number,
  playerId: number,
): Promise<{ ok: true; statement: Statement } | { ok: false; reason: NoStatement }> {
  const [statement] = await listStatements(db, game, runNo, [playerId]);
  if (statement !== undefined) return { ok: true, statement };
  const run = await findRun(db, game.gameId, { runNo });
  return { ok: false, reason: run === null ? 'no_run' : REASONS[run.state] };
}

const REASONS: Record<RunState, NoStatement> = {
  draft: 'not_approved',
  submitted: 'not_approved',
  rejected: 'not_approved',
  approved: 'no_line',
  void: 'voided',
};

/** Finds the statement of a recipient as it is printed, for a reader, and the groups of its tables that have some, by title; or why there is none. */
export async function findStatementPaper(
  game: Parameters<typeof findStatement>[0],
  { runNo, playerId, canSeeEmails }: { runNo: number; playerId: number; canSeeEmails: boolean },
): Promise<{ ok: true; paper: StatementPaper; groups: Readonly<Record<string, PaperGroup[]>> } | { ok: false; reason: NoStatement }> {
  const found = await findStatement(game, runNo, playerId);
  if (!found.ok) return found;
  const { statement } = found;
  return { ok: true, paper: layOutStatement(statement, { canSeeEmails }), groups: { [EARNINGS]: groupEarnings(statement) } };
}
