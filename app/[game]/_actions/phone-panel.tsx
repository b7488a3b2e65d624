'use client';

import { useRouter } from 'next/navigation';
import { type ReactElement, useEffect, useState } from 'react';
import { QrCode } from '#app/_ui/figures/qr-code.tsx';
import { ActionForm, Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import type { GrantState } from '#lib/actions/rules/action-state.ts';
import { GRANT_TEXT } from '#lib/actions/text.ts';
import styles from './actions.module.css';
import { pressActionAction } from './actions.ts';
import { OneTimeBox } from './one-time-box.tsx';
import { answerPhoneAction, askPhoneAction, moveCoinsAction, watchPhoneAction } from './phone-actions.ts';

interface PhonePanelProps {
  slug: string;
  actionId: number;
  /** Whether it waits for the phone, and this person may ask it. It stays mounted afterwards, so that nothing passed is lost. */
  isOpen: boolean;
  /** Whose phone it is: “the house account’s phone”. */
  phone: string;
  /** It is a house account’s: a new phone of it may be approved. */
  isHouse: boolean;
  /** It collects a transfer, and moves no coins of this game. */
  isReceipt: boolean;
  /** What the phone has answered; null: nothing was requested of it. */
  state: GrantState | null;
  /** Whether a guardian must agree first. */
  isGuarded: boolean;
  /** Of the approval that a press makes. */
  draftId: string;
  /** Of the answer to a new phone. */
  stepDraftId: string;
  /** What the phone must show: “Starfall and 25.00 Lumens”. */
  mustShow: string;
}

const WATCH_MS = 5_000;

/** Requests the approval of the phone, shows the code that it approves by, and moves the coins once it did. The code is in this screen alone. */
export function PhonePanel({
  slug,
  actionId,
  isOpen,
  isGuarded,
  phone,
  isHouse,
  isReceipt,
  state,
  draftId,
  stepDraftId,
  mustShow,
}: PhonePanelProps): ReactElement | null {
  const [asked, ask] = useFormResult(askPhoneAction);
  const [moved, move] = useFormResult(moveCoinsAction);
  const [collected, collect] = useFormResult(pressActionAction);
  const { seen, newPhone } = useWatched(slug, actionId, state, isOpen && (isGuarded || asked.kind === 'asked'));
  const isWaiting = seen === 'waiting' || seen === 'enrolling';
  if (moved.kind === 'passed') return <OneTimeBox passed={moved.passed} />;
  if (!isOpen) return null;
  if (isGuarded)
    return <p className={styles.sentence}>Waiting for a guardian. The phone can be asked once they agreed. Nothing has moved yet.</p>;
  if (seen === 'approved' && isReceipt)
    return (
      <Form action={collect} about={{ game: slug, actionId }} isShort>
        <p className={styles.sentence}>The phone approved. Nothing was collected yet.</p>
        <FormButtons>
          <SubmitButton pendingWord="Collecting at Invo…">Collect</SubmitButton>
        </FormButtons>
        {collected.kind !== 'passed' && <FormStatus result={collected} />}
      </Form>
    );
  if (seen === 'approved')
    return (
      <Form action={move} about={{ game: slug, actionId, draftId }} isShort>
        <p className={styles.sentence}>{GRANT_TEXT.approved}</p>
        <FormButtons>
          <SubmitButton pendingWord="Moving the coins…">Move the coins</SubmitButton>
        </FormButtons>
        <FormStatus result={moved} />
      </Form>
    );
  return (
    <>
      {seen !== null && (
        <p className={styles.sentence} aria-live="polite">
          {GRANT_TEXT[seen]}
        </p>
      )}
      {asked.kind === 'asked' && isWaiting && (
        <section className={styles.once} aria-label="Code for the phone">
          <p className={styles.onceTitle}>The phone must show {mustShow}. If it shows anything else, deny it there.</p>
          {asked.qr !== null && <QrCode rows={asked.qr} label="QR code for the phone" />}
          <p>
            Scan the code with {phone}, or open {asked.host} and enter <code>{asked.userCode}</code>.
          </p>
        </section>
      )}
      {seen === 'enrolling' && (
        <NewPhoneForm slug={slug} actionId={actionId} stepDraftId={stepDraftId} isHouse={isHouse} newPhone={newPhone} />
      )}
      <Form action={ask} about={{ game: slug, actionId }} isShort>
        <FormButtons>
          <SubmitButton kind={isWaiting ? 'plain' : 'main'} pendingWord="Asking the phone…">
            {seen === null ? 'Ask the phone' : 'Ask the phone again'}
          </SubmitButton>
        </FormButtons>
        {isWaiting && <p className={styles.when}>Asking again makes the earlier code invalid.</p>}
        {asked.kind !== 'asked' && <FormStatus result={asked} />}
      </Form>
    </>
  );
}

interface NewPhoneFormProps extends Pick<PhonePanelProps, 'slug' | 'actionId' | 'stepDraftId' | 'isHouse'> {
  /** null: this screen doesn’t know it yet. */
  newPhone: { label: string | null; matchCode: string | null } | null;
}

/** A new phone wants to be set up: the screen is the proof. A player’s own is denied; a house account’s is compared with the colleague who holds it. */
function NewPhoneForm({ slug, actionId, stepDraftId, isHouse, newPhone }: NewPhoneFormProps): ReactElement {
  const about = { game: slug, actionId, draftId: stepDraftId };
  return (
    <>
      {newPhone !== null && (
        <p className={styles.sentence}>
          The new phone is {newPhone.label ?? 'not named'} and shows <code>{newPhone.matchCode ?? 'no code'}</code>.
        </p>
      )}
      <ActionForm action={answerPhoneAction} about={{ ...about, decision: 'deny' }} label="Deny the new phone" pendingLabel="Denying…" />
      {isHouse && newPhone !== null && (
        <ActionForm
          action={answerPhoneAction}
          about={{ ...about, decision: 'approve' }}
          label="Approve the new phone"
          pendingLabel="Approving…"
        />
      )}
    </>
  );
}

/** What the phone has answered by now; watches while it may still answer. */
function useWatched(
  slug: string,
  actionId: number,
  stored: GrantState | null,
  isAsked: boolean,
): { seen: GrantState | null } & Pick<NewPhoneFormProps, 'newPhone'> {
  const router = useRouter();
  const [newPhone, setNewPhone] = useState<NewPhoneFormProps['newPhone']>(null);
  const [watched, setWatched] = useState<{ after: GrantState | null; state: GrantState } | null>(null);
  const seen = watched !== null && watched.after === stored ? watched.state : stored;
  const mayAnswer = seen === 'waiting' || seen === 'enrolling' || (isAsked && seen === null);
  useEffect(() => {
    if (!mayAnswer) return undefined;
    const timer = setInterval(() => {
      if (document.hidden) return;
      void watchPhoneAction(slug, actionId).then((answer) => {
        if (!('state' in answer) || answer.state === null) return;
        const { state } = answer;
        setNewPhone(answer.newPhone);
        setWatched({ after: stored, state });
        if (state !== 'waiting' && state !== 'enrolling') router.refresh();
      });
    }, WATCH_MS);
    return () => clearInterval(timer);
  }, [mayAnswer, slug, actionId, stored, router]);
  return { seen, newPhone };
}
