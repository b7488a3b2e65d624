import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { LIMIT_NAMES, type Limited, limitNamed, type SetLimits } from '#lib/approvals/rules/approval.ts';
import { formatLimit, LIMIT_LABELS } from '#lib/approvals/text.ts';
import { LimitsForm } from './limits-form.tsx';

interface LimitCardProps {
  game: Game;
  what: Limited;
  title: string;
  /** What the button that saves them names. */
  name: string;
  limits: SetLimits;
  mayChange: boolean;
}

/** The auto-approval limits of a game for one subject; an admin changes them. */
export function LimitCard({ game, what, title, name: saved, limits, mayChange }: LimitCardProps): ReactElement {
  const values = LIMIT_NAMES.map((name) => ({
    name,
    label: LIMIT_LABELS[name],
    amount: limitNamed(what, name, limits),
    isSet: name in limits,
  }));
  return (
    <Card title={title}>
      {mayChange ? (
        <LimitsForm game={{ slug: game.slug, name: saved }} what={what} limits={values} />
      ) : (
        <Facts
          columns={4}
          facts={values.map(({ label, amount, isSet }) => ({
            label,
            value: formatLimit(what, amount),
            note: isSet ? 'Set by an admin' : 'Default',
          }))}
        />
      )}
    </Card>
  );
}
