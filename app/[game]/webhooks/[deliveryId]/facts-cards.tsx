import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import { ListRow, RowList } from '#app/_ui/figures/facts.tsx';
import { formatCount } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { parseRecordId } from '#lib/core/typed-input.ts';
import type { ShownDelivery } from '#lib/webhooks/find-deliveries.ts';
import type { SubjectKind } from '#lib/webhooks/rules/delivery.ts';
import {
  formatAttempt,
  formatSkew,
  KEY_PROBLEM_TEXT,
  READ_LABELS,
  READ_OUTCOME_TEXT,
  SLOT_LABELS,
  SUBJECT_LABELS,
} from '#lib/webhooks/text.ts';
import styles from '../webhooks.module.css';

interface DeliveryProps {
  delivery: ShownDelivery;
}

/** What the delivery opened, and what came of it. */
export function ReadingCard({ delivery: { reading } }: DeliveryProps): ReactElement | null {
  if (reading === null) return null;
  const { kind, subject, dueAt, readAt, outcome, lastError, attemptCount } = reading;
  return (
    <Card title="Read from Invo">
      <RowList>
        <ListRow label="Object">
          {READ_LABELS[kind]} <code className={styles.value}>{subject}</code>
        </ListRow>
        <ListRow label="Result">
          {outcome === null ? 'Not read yet.' : READ_OUTCOME_TEXT[outcome]}
          {readAt !== null && (
            <>
              {' '}
              <Instant at={readAt} precision="second" />
            </>
          )}
        </ListRow>
        {lastError !== null && <ListRow label="Last attempt">{formatAttempt(lastError, attemptCount)}</ListRow>}
        <InstantRow label="Next attempt" at={dueAt} />
      </RowList>
    </Card>
  );
}

/** The ids the event names, with the pages they lead to. */
export function AboutCard({ slug, delivery, canReadDesk }: DeliveryProps & { slug: string; canReadDesk: boolean }): ReactElement | null {
  const { subjects, refundId } = delivery;
  if (subjects.length === 0) return null;
  return (
    <Card title="IDs in the event">
      <RowList>
        {subjects.map(({ kind, idText }) => (
          <ListRow key={`${kind} ${idText}`} label={SUBJECT_LABELS[kind]}>
            <SubjectLink href={canReadDesk || kind === 'client_request' ? hrefOf(slug, kind, idText, refundId) : null}>
              {kind === 'subscription_period' ? idText.replace(' ', ', period ') : idText}
            </SubjectLink>
          </ListRow>
        ))}
      </RowList>
    </Card>
  );
}

/** The page of an id; null: there is none, or the id doesn't fit into an address. */
function hrefOf(slug: string, kind: SubjectKind, idText: string, refundId: number | null): string | null {
  if (kind === 'client_request') return refundId === null ? null : `/${slug}/refunds/${refundId}`;
  if (kind === 'subscription') return `/${slug}/subscriptions/${encodeURIComponent(idText)}`;
  if (kind === 'order' || kind === 'transfer')
    return parseRecordId(idText) === null ? null : `/${slug}/${kind}s/${encodeURIComponent(idText)}`;
  if (kind === 'period' && /^\d{1,15}$/.test(idText)) return `/${slug}/periods/${idText}`;
  return null;
}

function SubjectLink({ href, children }: { href: string | null; children: ReactNode }): ReactElement {
  const id = <bdi className={styles.value}>{children}</bdi>;
  return href === null ? id : <Link href={href}>{id}</Link>;
}

/** Envelope, headers and signature, without any value of the signature. */
export function EnvelopeCard({ delivery }: DeliveryProps): ReactElement {
  const { slot, version, signatureCount, keyProblem } = delivery;
  const given = (text: string | null): ReactNode => (text === null ? 'Not sent' : <bdi className={styles.value}>{text}</bdi>);
  return (
    <Card title="Delivery">
      <RowList>
        <InstantRow label="Received" at={delivery.receivedAt} />
        <ListRow label="Signature">
          Verified with the {SLOT_LABELS[slot]}
          {version !== null && `, version ${version} at Invo`}. {signatureCount === 1 ? '1 value' : `${signatureCount} values`} sent.
        </ListRow>
        <ListRow label="Signed">{formatSkew(delivery.signedAt, delivery.receivedAt)}</ListRow>
        <ListRow label="Event at Invo">
          {delivery.createdAt === null ? 'Not reported' : <Instant at={delivery.createdAt} precision="second" />}
        </ListRow>
        <ListRow label="Idempotency key">{keyProblem === null ? given(delivery.idempotencyKey) : KEY_PROBLEM_TEXT[keyProblem]}</ListRow>
        <ListRow label="X-Service-Event-Id" note="Changes with each attempt">
          {given(delivery.headerEventId)}
        </ListRow>
        <ListRow label="event_id">{given(delivery.eventId)}</ListRow>
        <ListRow label="Game ID at Invo">{given(delivery.tenantId)}</ListRow>
        <ListRow label="SHA-256 digest" note={`${formatCount(delivery.bodyBytes)} bytes`}>
          <code className={styles.value}>{delivery.bodySha256.toString('hex')}</code>
        </ListRow>
      </RowList>
    </Card>
  );
}

/** How often the same event was received, and the repeats that are listed one by one. */
export function ReceiptsCard({ delivery }: DeliveryProps): ReactElement {
  const { repeats, repeatCount, repeatedAt, late, receivedAt } = delivery;
  const unlistedCount = repeatCount + late.count - repeats.length;
  return (
    <Card title={`Attempts: ${formatCount(1 + repeatCount + late.count)}`}>
      <RowList>
        {repeats.map((repeat) => (
          <ListRow
            key={`${repeat.receivedAt} ${repeat.headerEventId}`}
            label={repeat.isStale ? 'Repeat, too old' : 'Repeat'}
            note={`${SLOT_LABELS[repeat.slot]}, signed ${formatSkew(repeat.signedAt, repeat.receivedAt)}${repeat.idempotencyKey === delivery.idempotencyKey ? '' : `, key ${repeat.idempotencyKey ?? 'not sent'}`}`}
          >
            <Instant at={repeat.receivedAt} precision="second" />
          </ListRow>
        ))}
        {unlistedCount > 0 && <ListRow label="Not listed">{formatCount(unlistedCount)} more</ListRow>}
        {unlistedCount > 0 && <InstantRow label="Last repeat in time" at={repeatedAt} />}
        <InstantRow label="Last repeat too old" note={`${formatCount(late.count)} received`} at={late.lastAt} />
        <InstantRow label="First" at={receivedAt} />
      </RowList>
    </Card>
  );
}

function InstantRow({ at, ...row }: { label: string; note?: string; at: string | null }): ReactElement | null {
  if (at === null) return null;
  return (
    <ListRow {...row}>
      <Instant at={at} precision="second" />
    </ListRow>
  );
}
