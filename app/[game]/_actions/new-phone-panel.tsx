'use client';

import { type ReactElement, useEffect, useState } from 'react';
import type { SeenPhone } from '#lib/actions/rules/seen-grants.ts';
import styles from './actions.module.css';
import { watchPhoneAction } from './phone-actions.ts';

const WATCH_MS = 5_000;

/** What a new phone of a house account shows, for the second person who lets it be set up. It is read while they look, and stored nowhere. */
export function NewPhonePanel({ slug, startId }: { slug: string; startId: number }): ReactElement {
  const [seen, setSeen] = useState<{ newPhone: SeenPhone | null; isOver: boolean } | null>(null);
  const isOver = seen?.isOver === true;
  useEffect(() => {
    if (isOver) return undefined;
    const watch = (): void => {
      if (document.hidden) return;
      void watchPhoneAction(slug, startId).then((answer) => {
        if ('grant' in answer) setSeen({ newPhone: answer.newPhone, isOver: answer.grant?.state !== 'enrolling' });
      });
    };
    watch();
    const timer = setInterval(watch, WATCH_MS);
    return () => clearInterval(timer);
  }, [isOver, slug, startId]);
  const phone = seen?.newPhone ?? null;
  return (
    <p className={styles.sentence} aria-live="polite">
      {isOver ? (
        'The phone no longer asks to be set up, so nothing is left to approve.'
      ) : phone === null ? (
        'Reading what the new phone shows…'
      ) : (
        <NewPhone phone={phone} isHouse no="Reject it" />
      )}
    </p>
  );
}

interface NewPhoneProps {
  phone: SeenPhone;
  isHouse: boolean;
  /** What to do if nobody is setting up a phone; left out: nothing can be done here. */
  no?: 'Deny it' | 'Reject it';
  /** Whether it can still be answered, and a second person then approves it. */
  needsSecondPerson?: boolean;
}

/** What a new phone shows, and with whom that of a house account is compared. */
export function NewPhone({ phone: { label, matchCode }, isHouse, no, needsSecondPerson = false }: NewPhoneProps): ReactElement {
  return (
    <>
      The new phone is {label ?? 'not named'} and shows <code>{matchCode ?? 'no code'}</code>.
      {isHouse && ' Compare both with the colleague who holds it.'}
      {isHouse && no !== undefined && ` ${no} if nobody is setting up a phone.`}
      {!isHouse && ' A new phone of a player is never approved here: the player sets it up in the game.'}
      {isHouse && needsSecondPerson && ' A second person must approve it while the code is valid.'}
    </>
  );
}
