import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { db, storedNow } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { formatTime } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { RefreshWhile } from '#app/_ui/words/refresh-while.tsx';
import { Matches, Status } from '#app/_ui/words/status.tsx';
import { FieldName } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { readAgainAction, settleAction } from '#app/[game]/webhooks/actions.ts';
import { maskEmailsIn, parseNumericId, WHY_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { findDelivery, type ShownDelivery } from '#lib/webhooks/find-deliveries.ts';
import { type DeliveryState, needsPerson } from '#lib/webhooks/rules/delivery.ts';
import { BODY_PROBLEM_TEXT, DELIVERY_STATE_TEXT, formatDelivery, formatNoBody, READ_LABELS } from '#lib/webhooks/text.ts';
import styles from '../webhooks.module.css';
import { AboutCard, EnvelopeCard, ReadingCard, ReceiptsCard } from './facts-cards.tsx';

export const metadata: Metadata = { title: 'Webhook delivery' };

export default async function DeliveryPage({ params }: { params: Promise<{ game: string; deliveryId: string }> }): Promise<ReactElement> {
  const person = await requirePerson('deliveries.read');
  const { game: slug, deliveryId: text } = await params;
  const game = await requireGame(slug);
  const deliveryId = parseNumericId(text) ?? notFound();
  const reader = { canSeeEmails: person.may('emails.read'), canSeeBytes: person.may('evidence.read') };
  const delivery = (await findDelivery(db(), game.gameId, deliveryId, reader)) ?? notFound();
  const now = await storedNow();
  return (
    <div className={styles.page}>
      <PageHead
        title={delivery.isTest ? 'Set-up check' : (delivery.eventType ?? 'Unreadable delivery')}
        beside={<DeliveryStatus delivery={delivery} />}
        actions={<LinkButton href={`/${slug}/webhooks`}>All webhooks</LinkButton>}
      >
        {formatDelivery(delivery)}
      </PageHead>
      <RefreshWhile isBusy={delivery.reading !== null && delivery.reading.dueAt !== null} />
      <div className={styles.top}>
        <div className={styles.column}>
          {delivery.conflict !== null && <ConflictCard slug={slug} delivery={delivery} conflict={delivery.conflict} />}
          {(delivery.conflict?.fields ?? null) === null && <FieldsCard delivery={delivery} now={now} />}
          {delivery.raw !== null && <RawCard raw={delivery.raw} />}
        </div>
        <div className={styles.column}>
          <ActionsCard slug={slug} delivery={delivery} maySettle={person.may('deliveries.settle')} />
          {delivery.settled !== null && (
            <Card title="Settled">
              <p>
                By {delivery.settled.by} on <Instant at={delivery.settled.at} />: “
                {reader.canSeeEmails ? delivery.settled.reason : maskEmailsIn(delivery.settled.reason)}”
              </p>
            </Card>
          )}
          <ReadingCard delivery={delivery} />
          <AboutCard slug={slug} delivery={delivery} canReadDesk={person.may('desk.read')} />
          <EnvelopeCard delivery={delivery} />
          <ReceiptsCard delivery={delivery} />
        </div>
      </div>
    </div>
  );
}

/** The state in a word, as in the list: a refund that wasn’t made here says so instead. */
function DeliveryStatus({ delivery: { state, settled, reading } }: { delivery: ShownDelivery }): ReactElement {
  const { tone, label } = DELIVERY_STATE_TEXT[state];
  if (state === 'processed' && reading?.outcome === 'refunded_elsewhere') return <Status tone="wait" word="Refunded elsewhere" />;
  if (state === 'processed') return <Matches word={label} />;
  return settled !== null && needsPerson(state) ? <Status tone="quiet" word={`${label}, settled`} /> : <Status tone={tone} word={label} />;
}

const FIELD_COLUMN = {
  label: 'Field',
  cell: ({ path }: { path: string }) => (
    <code className={styles.value}>
      <FieldName name={path} />
    </code>
  ),
};

/** The fields of `data` by Invo's names. */
function FieldsCard({ delivery, now }: { delivery: ShownDelivery; now: string }): ReactElement {
  const { fields } = delivery;
  return (
    <Card title="Fields">
      {fields === null ? (
        <p>{missingFields(delivery, now)}</p>
      ) : (
        <SimpleTable
          label="Fields of the event"
          isInset
          rows={fields}
          keyOf={({ path }) => path}
          columns={[FIELD_COLUMN, { label: 'Value', cell: ({ text }) => <bdi className={styles.value}>{text}</bdi> }]}
        />
      )}
    </Card>
  );
}

function missingFields({ hasBody, bodyProblem, receivedAt }: ShownDelivery, now: string): string {
  if (hasBody) return bodyProblem === null ? 'The stored body can’t be read.' : BODY_PROBLEM_TEXT[bodyProblem];
  return formatNoBody(receivedAt, now);
}

function RawCard({ raw }: { raw: string }): ReactElement {
  return (
    <Card title="Body as signed">
      <details>
        <summary>Show the body</summary>
        <pre className={styles.raw} tabIndex={0}>
          {raw}
        </pre>
      </details>
    </Card>
  );
}

const SETTLE: Partial<Record<DeliveryState, { label: string; why: string }>> = {
  conflict: { label: 'Settle conflict', why: 'What you checked, and which delivery is right' },
  other_game: { label: 'Mark other game as known', why: 'Why this game’s address gets events of another game' },
  failing: { label: 'Mark as known', why: 'What you checked' },
};

/** What a person may do with a delivery: have it read again, or settle it. */
function ActionsCard({
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

interface ConflictCardProps {
  slug: string;
  delivery: ShownDelivery;
  conflict: NonNullable<ShownDelivery['conflict']>;
}

/** Two deliveries under one key, field by field: what differs first. */
function ConflictCard({ slug, delivery, conflict: { partner, fields } }: ConflictCardProps): ReactElement {
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
              FIELD_COLUMN,
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
