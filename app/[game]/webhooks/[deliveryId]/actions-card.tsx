import type { ReactElement } from 'react';
import { ActionForm } from '#app/_ui/forms/action-form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { WHY_LENGTH_MAX } from '#lib/core/typed-input.ts';
import type { ShownDelivery } from '#lib/webhooks/find-delivery.ts';
import type { DeliveryState } from '#lib/webhooks/rules/delivery.ts';
import { READ_LABELS } from '#lib/webhooks/text.ts';
import { readAgainAction, settleAction } from '../actions.ts';
import styles from '../webhooks.module.css';

const SETTLE: Partial<Record<DeliveryState, { label: string; why: string }>> = {
  conflict: { label: 'Settle conflict', why: 'What you checked, and which delivery is right' },
  other_game: { label: 'Mark other game as known', why: 'Why this game’s address gets events of another game' },
  failing: { label: 'Mark as known', why: 'What you checked' },
};

/** What a person may do with a delivery: have it read again, or settle it. */
export function ActionsCard({
  slug,
  delivery: { deliveryId, state, settled, reading },
  maySettle,
}: {
  slug: string;
  delivery: ShownDelivery;
  maySettle: boolean;
}): ReactElement | null {
  const settle = settled === null ? SETTLE[state] : undefined;
  if (!maySettle || (settle === undefined && reading === null)) return null;
  const about = { game: slug, deliveryId };
  return (
    <Card title="Actions">
      <div className={styles.stack}>
        {settle !== undefined && (
          <ActionForm
            action={settleAction}
            about={{ ...about, state }}
            label={settle.label}
            pendingLabel="Saving…"
            kind="main"
            note={{ label: settle.why, lengthMax: WHY_LENGTH_MAX, isRequired: true }}
          />
        )}
        {reading !== null && (
          // A new result replaces what the form said about requesting it.
          <ActionForm
            key={`${reading.readAt} ${reading.lastError}`}
            action={readAgainAction}
            about={about}
            label={`Read ${READ_LABELS[reading.kind].toLowerCase()} again`}
            pendingLabel="Requesting…"
          />
        )}
      </div>
    </Card>
  );
}
