import { findGameConfig } from '../config.ts';
import { verifyGame } from '../evidence/verify/verify-game.ts';
import { type Door, EXIT } from './command-context.ts';

/** Computes all evidence again, of one game or of every game in the book, and names each violation. */
export async function verifyCommand(door: Door, command: { game: string | null; isJson: boolean }): Promise<number> {
  if (command.game !== null && !findGameConfig(door.config, command.game)) {
    door.say(`There is no game "${command.game}". Configured: ${door.config.games.map((game) => game.slug).join(', ') || 'none'}.`);
    return EXIT.usage;
  }
  const environment = command.game === null ? null : findGameConfig(door.config, command.game)?.environment;
  const games = await door.open.db
    .selectFrom('game')
    .select(['game_id', 'slug', 'environment'])
    .$if(command.game !== null, (query) => query.where('slug', '=', command.game ?? '').where('environment', '=', environment ?? ''))
    .orderBy('game_id')
    .execute();
  const results = [];
  for (const game of games) {
    const verification = await verifyGame(door.open.db, game.game_id, (line) => door.say(`${game.slug} ${game.environment}: ${line}`));
    results.push({ game: game.slug, environment: game.environment, ...verification });
  }
  if (command.isJson) door.result(JSON.stringify({ games: results }));
  else for (const result of results) door.result(describe(result));
  if (!command.isJson && results.length === 0) door.result('The book is empty: there is nothing to verify.');
  return results.some((result) => result.violations.length > 0) ? EXIT.doesNotTieOut : EXIT.done;
}

function describe({
  game,
  environment,
  slices,
  snapshots,
  responses,
  refunds,
  violations,
}: {
  game: string;
  environment: string;
  slices: number;
  snapshots: number;
  responses: number;
  refunds: number;
  violations: { name: string; subject: string; expected: string; actual: string }[];
}): string {
  const head = `${game} (${environment}): ${snapshots} snapshots, ${slices} slices, ${responses} answers, ${refunds} refunds computed again: ${violations.length === 0 ? 'everything holds' : `${violations.length} VIOLATIONS`}`;
  return [head, ...violations.map((each) => `  ${each.subject}: ${each.name}: expected ${each.expected}, found ${each.actual}`)].join('\n');
}
