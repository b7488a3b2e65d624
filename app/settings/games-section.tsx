import Link from 'next/link';
import type { ReactElement } from 'react';
import { findGameConfig } from '#lib/config.ts';
import { formatZoneChange } from '#lib/core/game.ts';
import type { GameHealth } from '#lib/games/reads/game-settings.ts';
import type { Game } from '../_server/game.ts';
import { config } from '../_server/server-context.ts';
import { CopyButton } from '../_ui/controls/copy-button.tsx';
import { type Fact, Facts } from '../_ui/figures/facts.tsx';
import { formatUtc } from '../_ui/figures/format.ts';
import { Instant } from '../_ui/figures/instant.tsx';
import { Card } from '../_ui/layout/card.tsx';
import { Notice } from '../_ui/words/notice.tsx';
import styles from './settings.module.css';

/** The configured games and the health of their connection to Invo. Secrets are never read here. */
export function GamesSection({ games }: { games: { game: Game; health: GameHealth; arePayoutsPaused: boolean }[] }): ReactElement {
  return (
    <section className={styles.section} aria-labelledby="games">
      <div className={styles.head}>
        <h2 id="games">Games</h2>
      </div>
      {games.length === 0 && <p className={styles.text}>No game is configured. Set the variables listed in .env.example.</p>}
      <div className={styles.games}>
        {games.map(({ game, health, arePayoutsPaused }) => (
          <GameCard key={game.gameId} game={game} health={health} isPaused={arePayoutsPaused} />
        ))}
      </div>
    </section>
  );
}

function GameCard({ game, health, isPaused }: { game: Game; health: GameHealth; isPaused: boolean }): ReactElement {
  const { lastFailure, previousSecretUsedAt, isPreviousSecretInUse } = health;
  const configured = findGameConfig(config(), game.slug);
  const zoneChange = configured === null ? null : formatZoneChange(game, configured);
  return (
    <Card title={game.environment === 'sandbox' ? `${game.name}, sandbox` : game.name}>
      {lastFailure && (
        <Notice
          voice="bad"
          title="The last pull failed"
          actions={lastFailure.errorId !== null && <CopyButton text={lastFailure.errorId} what="error ID" />}
        >
          {lastFailure.sentence} It failed at <Instant at={lastFailure.at} />.
        </Notice>
      )}
      {isPaused && (
        <Notice voice="bad" title="Payouts are paused">
          The database was restored from a backup. No run can be started, submitted or approved until two approvers resume payouts. See{' '}
          <Link href={`/${game.slug}/payouts`}>Payouts</Link> for what may be missing.
        </Notice>
      )}
      {zoneChange !== null && (
        <Notice voice="bad" title="The configured time zone isn’t used">
          {zoneChange}
        </Notice>
      )}
      {isPreviousSecretInUse && previousSecretUsedAt !== null && configured?.gameSecretPrevious !== undefined && (
        <Notice voice="wait" title="The previous secret is in use">
          Invo last refused the current secret at <Instant at={previousSecretUsedAt} />. The previous secret works for seven days after a
          rotation. Check INVO_GAME_SECRET: it is tried again every hour.
        </Notice>
      )}
      <Facts columns={4} facts={factsOf(game, health)} />
    </Card>
  );
}

function factsOf(game: Game, { lastAnswer, invoGameId, previousSecretUsedAt }: GameHealth): Fact[] {
  const configured = findGameConfig(config(), game.slug);
  return [
    { label: 'Path', value: `/${game.slug}` },
    { label: 'Environment', value: game.environment === 'production' ? 'Production' : 'Sandbox' },
    { label: 'Invo host', value: configured ? new URL(configured.baseUrl).host : 'Not configured' },
    { label: 'Reporting time zone', value: game.timeZone },
    {
      label: 'Invo game ID',
      value: invoGameId ?? game.invoGameId ?? 'Set by the first report',
      ...(invoGameId === null ? {} : { note: 'Reports with another ID are refused.' }),
    },
    {
      label: 'Previous secret',
      value: configured?.gameSecretPrevious === undefined ? 'None' : 'Configured. Used when Invo refuses the current one',
      ...(previousSecretUsedAt === null ? {} : { note: `Last needed ${formatUtc(previousSecretUsedAt)}.` }),
    },
    {
      label: 'Last response stored',
      value: lastAnswer === null ? 'None' : <Instant at={lastAnswer.at} />,
      ...(lastAnswer ? { note: formatResponse(lastAnswer) } : {}),
    },
  ];
}

function formatResponse({ status, wasRefused }: { status: number; wasRefused: boolean }): string {
  if (status >= 400) return `HTTP ${status}, an error from Invo`;
  return wasRefused ? `HTTP ${status}, refused because it breaks the contract` : `HTTP ${status}`;
}
