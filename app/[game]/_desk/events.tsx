import Link from 'next/link';
import type { ReactElement } from 'react';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Flag } from '#app/_ui/words/status.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import type { EventAbout } from '#lib/webhooks/find-deliveries.ts';
import { AllFields } from './answer-tree.tsx';
import styles from './desk.module.css';

interface EventsProps {
  slug: string;
  events: EventAbout[];
  timeZone: string;
  mayOpen: boolean;
}

/** The webhooks about one thing, newest first: what each says, and what came of it. They open readings and set no figure. */
export function Events({ slug, events, timeZone, mayOpen }: EventsProps): ReactElement {
  return (
    <section className={styles.part}>
      <h2>Webhooks</h2>
      {events.length === 0 ? (
        <p className={detail.quiet}>None received.</p>
      ) : (
        <ol className={styles.events}>
          {events.map((event) => (
            <li key={event.deliveryId} className={styles.event}>
              <div className={styles.eventHead}>
                <strong>
                  {mayOpen ? (
                    <Link href={`/${slug}/webhooks/${event.deliveryId}`}>{event.eventType ?? 'Not readable'}</Link>
                  ) : (
                    (event.eventType ?? 'Not readable')
                  )}
                </strong>
                <span className={detail.quiet}>
                  <Instant at={event.createdAt ?? event.receivedAt} timeZone={timeZone} />
                </span>
              </div>
              <div className={styles.flags}>
                {event.state === 'conflict' && <Flag tone="bad" word="Conflict, ignored" />}
                {event.state === 'stale' && <Flag tone="wait" word="Stale, ignored" />}
                {event.receiptCount > 1 && <Flag tone="quiet" word={`Received ${event.receiptCount} times`} />}
              </div>
              {event.facts === null ? (
                <p className={detail.quiet}>Body not stored.</p>
              ) : (
                <AllFields tree={event.facts} title="Event data" />
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
