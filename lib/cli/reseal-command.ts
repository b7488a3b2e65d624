import { withOwner } from '#db/kit/migrate.ts';
import { listVerifiableGames } from '#lib/evidence/reads/verification.ts';
import { findGameConfig } from '../config.ts';
import { type Resealed, resealDetails } from '../payees/reseal-details.ts';
import { nameKey } from '../payees/seal.ts';
import { resealPayments } from '../payments/reseal-payments.ts';
import { type CommandContext, EXIT, failUnknownGame } from './command-context.ts';

const NO_KEYS =
  'Set SHAREBOOK_PAYEE_KEY_PREVIOUS to the key that seals payment details now, and SHAREBOOK_PAYEE_KEY to another, new one. Nothing was changed.';

/**
 * Seals payment details, sender accounts, payment files and bank reports of one game, or of every stored game, under SHAREBOOK_PAYEE_KEY, with the login of `migrate`. Exits 1 when some open under
 * neither key.
 */
export async function resealCommand(context: CommandContext, { game, isJson }: { game: string | null; isJson: boolean }): Promise<number> {
  const { config, open, log, print } = context;
  const { payeeKey: key, payeeKeyPrevious: previous } = config;
  const configured = game === null ? null : findGameConfig(config, game);
  if (game !== null && !configured) return failUnknownGame(context, game);
  if (key === null || previous === null || nameKey(key) === nameKey(previous)) return context.fail(NO_KEYS, EXIT.usage);
  const games = await listVerifiableGames(open.db, configured ?? null);
  const results = await withOwner(config.databaseMigrateUrl, async (db) => {
    const resealed: ({ game: string; environment: string } & Resealed)[] = [];
    for (const { gameId, slug, environment } of games) {
      const details = await resealDetails(db, gameId, { previous, key }, (count) => log(`${slug} ${environment}: ${count}`));
      const payments = await resealPayments(db, gameId, { previous, key });
      const sum = (count: keyof Resealed): number => details[count] + payments[count];
      resealed.push({ game: slug, environment, done: sum('done'), already: sum('already'), neither: sum('neither') });
    }
    return resealed;
  });
  if (isJson) print(JSON.stringify({ from: nameKey(previous), to: nameKey(key), games: results }));
  else
    for (const { game: slug, environment, done, already, neither } of results)
      print(
        `${slug} (${environment}): ${done} sealed under key ${nameKey(key)}, ${already} were already, ${neither} open under neither key`,
      );
  return results.every(({ neither }) => neither === 0) ? EXIT.done : EXIT.failed;
}
