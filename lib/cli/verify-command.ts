import { listVerifiableGames } from '#db/evidence/reads/verification.ts';
import { findGameConfig } from '../config.ts';
import { type Verification, verifyGame } from '../evidence/verify/verify-game.ts';
import { type CommandContext, EXIT } from './command-context.ts';

type VerifiedGame = Verification & { game: string; environment: string };

/** Recomputes all evidence of one game, or of every stored game, and prints each violation. */
export async function verifyCommand(context: CommandContext, command: { game: string | null; isJson: boolean }): Promise<number> {
  const config = command.game === null ? null : findGameConfig(context.config, command.game);
  if (command.game !== null && !config) {
    const configured = context.config.games.map((game) => game.slug).join(', ') || 'none';
    context.log(`No game "${command.game}" is configured. Configured games: ${configured}.`);
    return EXIT.usage;
  }
  const results: VerifiedGame[] = [];
  for (const { gameId, slug, environment } of await listVerifiableGames(context.open.db, config ?? null)) {
    const verification = await verifyGame(context.open.db, gameId, (line) => context.log(`${slug} ${environment}: ${line}`));
    results.push({ game: slug, environment, ...verification });
  }
  if (command.isJson) context.print(JSON.stringify({ games: results }));
  else if (results.length === 0) context.print('Nothing is stored yet, so there is nothing to verify.');
  else for (const result of results) context.print(formatVerification(result));
  return results.some((result) => result.violations.length > 0) ? EXIT.notReconciled : EXIT.done;
}

function formatVerification({ game, environment, slices, snapshots, responses, refunds, violations, warnings }: VerifiedGame): string {
  const verdict = violations.length === 0 ? 'no violations' : `${violations.length} VIOLATIONS`;
  return [
    `${game} (${environment}): ${snapshots} snapshots, ${slices} slices, ${responses} responses and ${refunds} refunds verified: ${verdict}`,
    ...violations.map((each) => `  ${each.subject}: ${each.name}: expected ${each.expected}, found ${each.actual}`),
    ...warnings.map((each) => `  warning: ${each.subject}: ${each.name}: expected ${each.expected}, found ${each.actual}`),
  ].join('\n');
}
