import type { ReactElement } from 'react';
import { findGameHealth, type GameHealth } from '#db/games/reads/game-health.ts';
import { findGameConfig } from '#lib/config.ts';
import { type Game, listGames } from '../_server/game.ts';
import { requirePerson } from '../_server/session.ts';
import { config, db } from '../_server/wiring.ts';
import { CopyButton } from '../_ui/controls/copy-button.tsx';
import { type Fact, Facts } from '../_ui/figures/facts.tsx';
import { Instant } from '../_ui/figures/instant.tsx';
import { Card } from '../_ui/layout/card.tsx';
import { Notice } from '../_ui/words/notice.tsx';
import styles from './settings.module.css';

/** The games configured and how the talk with Invo goes; secrets are never read here. */
export async function GamesSection(): Promise<ReactElement> {
  await requirePerson('figures.read');
  const games = await listGames();
  const healths = await Promise.all(games.map(({ gameId }) => findGameHealth(db(), gameId)));
  return (
    <section className={styles.section} aria-labelledby="games">
      <div className={styles.head}>
        <h2 id="games">Games</h2>
      </div>
      {games.length === 0 && (
        <p className={styles.words}>No game is configured. The environment names them; the README lists every variable.</p>
      )}
      <div className={styles.games}>
        {games.map((game, at) => {
          const health = healths[at];
          return health && <GameCard key={game.gameId} game={game} health={health} />;
        })}
      </div>
    </section>
  );
}

function GameCard({ game, health }: { game: Game; health: GameHealth }): ReactElement {
  const { lastFailure, previousSecretUsedAt } = health;
  return (
    <Card title={game.environment === 'sandbox' ? `${game.name}, sandbox` : game.name}>
      {lastFailure && (
        <Notice
          voice="bad"
          title="The last pull failed"
          actions={lastFailure.errorId !== null && <CopyButton text={lastFailure.errorId} what="error id" />}
        >
          {lastFailure.sentence} It failed at <Instant at={lastFailure.at} />.
        </Notice>
      )}
      {previousSecretUsedAt !== null && (
        <Notice voice="wait" title="Invo took the previous secret">
          The current one was refused, last at <Instant at={previousSecretUsedAt} />. The previous one works for seven days after a
          rotation: check INVO_GAME_SECRET.
        </Notice>
      )}
      <Facts facts={factsOf(game, health)} />
    </Card>
  );
}

function factsOf(game: Game, { lastAnswer, invoGameId }: GameHealth): Fact[] {
  const configured = findGameConfig(config(), game.slug);
  return [
    { label: 'Address here', value: `/${game.slug}` },
    { label: 'Environment', value: game.environment === 'production' ? 'Production' : 'Sandbox' },
    { label: 'Invo is asked at', value: configured ? new URL(configured.baseUrl).host : 'not configured' },
    { label: 'Months are cut in', value: game.timeZone },
    {
      label: 'Invo’s game id',
      value: invoGameId ?? game.invoGameId ?? 'Pinned by the first report',
      ...(invoGameId === null ? {} : { note: 'Any other id is refused.' }),
    },
    {
      label: 'Previous secret',
      value: configured?.gameSecretPrevious === undefined ? 'None configured' : 'Configured, used when the current one is refused',
    },
    {
      label: 'Last answer kept',
      value: lastAnswer === null ? 'None yet' : <Instant at={lastAnswer.at} />,
      ...(lastAnswer ? { note: describeAnswer(lastAnswer) } : {}),
    },
  ];
}

function describeAnswer({ status, wasRefused }: { status: number; wasRefused: boolean }): string {
  if (status >= 400) return `HTTP ${status}, refused by Invo`;
  return wasRefused ? `HTTP ${status}; it broke the contract and was refused.` : `HTTP ${status}`;
}
