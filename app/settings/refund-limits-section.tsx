import type { ReactElement } from 'react';
import { findRefundLimits } from '#db/refunds/reads/refund-preconditions.ts';
import { formatMoney } from '#lib/core/money.ts';
import { ROLE_LABELS } from '#lib/core/roles.ts';
import { LIMITED_ROLES, limitOf, type RefundLimits } from '#lib/refunds/rules/limits.ts';
import { type Game, listGames } from '../_server/game.ts';
import { requirePerson } from '../_server/session.ts';
import { db } from '../_server/wiring.ts';
import { Facts } from '../_ui/figures/facts.tsx';
import { Card } from '../_ui/layout/card.tsx';
import { RefundLimitsForm } from './refund-limits-form.tsx';
import styles from './settings.module.css';

/** What each role may refund without a second person, game by game; an admin changes it. */
export async function RefundLimitsSection(): Promise<ReactElement | null> {
  const person = await requirePerson('figures.read');
  const games = await listGames();
  const limits = await Promise.all(games.map(({ gameId }) => findRefundLimits(db(), gameId)));
  if (games.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="refund-limits">
      <div className={styles.head}>
        <h2 id="refund-limits">Refunds without a second person</h2>
      </div>
      <p className={styles.words}>
        A refund up to the limit of who asks is sent at once, and recorded as approved by policy. Above it somebody else has to approve.
        0.00 means that every refund needs a second person.
      </p>
      <div className={styles.games}>
        {games.map((game, at) => (
          <Limits key={game.gameId} game={game} limits={limits[at] ?? {}} mayChange={person.may('people.manage')} />
        ))}
      </div>
    </section>
  );
}

function Limits({ game, limits, mayChange }: { game: Game; limits: RefundLimits; mayChange: boolean }): ReactElement {
  const values = LIMITED_ROLES.map((role) => ({
    role,
    label: ROLE_LABELS[role],
    limit_usd: limitOf(role, limits) ?? '0.00',
    isSet: role in limits,
  }));
  const title = game.environment === 'sandbox' ? `${game.name}, sandbox` : game.name;
  return (
    <Card title={`Limits of ${title}`}>
      {mayChange ? (
        <RefundLimitsForm game={{ slug: game.slug, name: title }} limits={values} />
      ) : (
        <Facts
          facts={values.map(({ label, limit_usd, isSet }) => ({
            label,
            value: `${formatMoney(limit_usd)} USD`,
            note: isSet ? 'set by an admin' : 'as it comes',
          }))}
        />
      )}
    </Card>
  );
}
