import Link from 'next/link';
import type { ReactElement } from 'react';
import { formatTime } from '#app/_ui/figures/format.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import { SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { FieldName } from '#app/[game]/_subscriptions/invo-fields.tsx';
import type { ShownDelivery } from '#lib/webhooks/find-delivery.ts';
import styles from '../webhooks.module.css';

interface ConflictCardProps {
  slug: string;
  delivery: ShownDelivery;
  conflict: NonNullable<ShownDelivery['conflict']>;
}

/** Two deliveries under one key, field by field: what differs first. */
export function ConflictCard({ slug, delivery, conflict: { partner, fields } }: ConflictCardProps): ReactElement {
  const differing = (fields ?? []).filter(({ one, other }) => one !== other);
  const same = (fields ?? []).filter(({ one, other }) => one === other);
  const count = differing.length;
  return (
    <Card
      title="Same idempotency key, different content"
      aside={<Link href={`/${slug}/webhooks/${partner.deliveryId}`}>Other delivery</Link>}
    >
      <div className={styles.stack}>
        <p>
          {fields === null
            ? 'One of the two bodies isn’t stored or can’t be read, so they can’t be compared here.'
            : count === 0
              ? 'All fields are equal; event type or game differ.'
              : `${count === 1 ? '1 field differs' : `${count} fields differ`}.`}
        </p>
        {fields !== null && (
          <SimpleTable
            label="Both deliveries"
            isInset
            rows={[...differing, ...same]}
            keyOf={({ path }) => path}
            toneOf={({ one, other }) => (one === other ? null : 'wait')}
            columns={[
              {
                label: 'Field',
                cell: ({ path }) => (
                  <code className={styles.value}>
                    <FieldName name={path} />
                  </code>
                ),
              },
              {
                label: 'Other',
                head: `Other, ${formatTime(partner.receivedAt, 'UTC')}`,
                cell: ({ one }) => <bdi className={styles.value}>{one ?? 'not reported'}</bdi>,
              },
              {
                label: 'This',
                head: `This, ${formatTime(delivery.receivedAt, 'UTC')}`,
                cell: ({ other }) => <bdi className={styles.value}>{other ?? 'not reported'}</bdi>,
              },
            ]}
          />
        )}
      </div>
    </Card>
  );
}
