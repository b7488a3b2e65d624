import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { formatUsd } from '#lib/core/money.ts';
import { ROLE_LABELS } from '#lib/core/roles.ts';
import { LIMITED_ROLES, limitOf, type RefundLimits } from '#lib/refunds/rules/limits.ts';
import styles from '../settings.module.css';
import { LimitsForm } from './limits-form.tsx';

interface LimitsSectionProps {
  games: { game: Game; limits: RefundLimits }[];
  mayChange: boolean;
}

/** The auto-approval limit of each role, game by game; an admin changes it. */
export function LimitsSection({ games, mayChange }: LimitsSectionProps): ReactElement | null {
  if (games.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="refund-limits">
      <div className={styles.head}>
        <h2 id="refund-limits">Auto-approval limits</h2>
      </div>
      <p className={styles.text}>
        A refund within the requester’s limit is approved automatically and sent immediately. A larger one needs a second approver. Set a
        limit to 0.00 to require approval for every refund.
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
  const values = LIMITED_ROLES.map((role) => ({
    role,
    label: ROLE_LABELS[role],
    limit_usd: limitOf(role, limits) ?? '0.00',
    isSet: role in limits,
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
