import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { formatUsd } from '#lib/core/money.ts';
import { LIMIT_NAMES, limitNamed, type RefundLimits } from '#lib/refunds/rules/limits.ts';
import { LIMIT_LABELS } from '#lib/refunds/text.ts';
import styles from '../settings.module.css';
import { LimitsForm } from './limits-form.tsx';

interface LimitsSectionProps {
  games: { game: Game; limits: RefundLimits }[];
  mayChange: boolean;
}

/** The auto-approval limits of each role, game by game; an admin changes them. */
export function LimitsSection({ games, mayChange }: LimitsSectionProps): ReactElement | null {
  if (games.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="refund-limits">
      <div className={styles.head}>
        <h2 id="refund-limits">Auto-approval limits</h2>
      </div>
      <p className={styles.text}>
        A refund within the requester’s limits is approved automatically and sent immediately: one refund, and all of theirs within 24
        hours. Beyond either it needs a second approver. Set a limit to 0.00 to require approval for every refund. A lower limit applies at
        once; a higher one when a second person approves it, and it raises no other limit.
      </p>
      <div className={styles.games}>
        {games.map(({ game, limits }) => (
          <GameLimits key={game.gameId} game={game} limits={limits} mayChange={mayChange} />
        ))}
      </div>
    </section>
  );
}

function GameLimits({ game, limits, mayChange }: { game: Game; limits: RefundLimits; mayChange: boolean }): ReactElement {
  const values = LIMIT_NAMES.map((name) => ({
    name,
    label: LIMIT_LABELS[name],
    limit_usd: limitNamed(name, limits),
    isSet: name in limits,
  }));
  const title = game.environment === 'sandbox' ? `${game.name}, sandbox` : game.name;
  return (
    <Card title={`Limits for ${title}`}>
      {mayChange ? (
        <LimitsForm game={{ slug: game.slug, name: title }} limits={values} />
      ) : (
        <Facts
          columns={4}
          facts={values.map(({ label, limit_usd, isSet }) => ({
            label,
            value: formatUsd(limit_usd),
            note: isSet ? 'Set by an admin' : 'Default',
          }))}
        />
      )}
    </Card>
  );
}
