'use client';

import { useRouter } from 'next/navigation';
import { type ReactElement, useEffect, useState } from 'react';
import { QrCode } from '#app/_ui/figures/qr-code.tsx';
import { ActionForm, Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import { isPhoneAwaited, newestGrant, type PhoneAnswer, type SeenGrant, type SeenPhone } from '#lib/actions/rules/seen-grants.ts';
import { formatPhoneAnswer, GRANT_TEXT } from '#lib/actions/text.ts';
import { countNoun } from '#lib/core/strings.ts';
import styles from './actions.module.css';
import { pressActionAction } from './actions.ts';
import { NewPhone } from './new-phone-panel.tsx';
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
  /** A second person approves a new phone of it. */
  needsSecondPerson: boolean;
  /** It collects a transfer, and moves no coins of this game. */
  isReceipt: boolean;
  /** The newest request to the phone when the page was drawn; null: nothing was requested of it. */
  stored: SeenGrant | null;
  /** Whether a guardian must agree first. */
  isGuarded: boolean;
  /** Of the approval that a press makes. */
  draftId: string;
  /** Of the answer to a new phone. */
  stepDraftId: string;
  /** The answer that a new phone met; null: none. */
  answer: PhoneAnswer | null;
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
  needsSecondPerson,
  isReceipt,
  stored,
  draftId,
  stepDraftId,
  answer,
  mustShow,
}: PhonePanelProps): ReactElement | null {
  const [asked, ask] = useFormResult(askPhoneAction);
  const [moved, move] = useFormResult(moveCoinsAction);
  const [collected, collect] = useFormResult(pressActionAction);
  const known = newestGrant(stored, asked.kind === 'asked' ? { grantId: asked.grantId, state: 'waiting' } : null);
  const { grant, newPhone } = useWatched(slug, actionId, known, isOpen && isGuarded);
  const seen = grant?.state ?? null;
  const isWaiting = grant !== null && isPhoneAwaited(grant);
  const answered = seen === 'enrolling' && answer?.answers.grantId === grant?.grantId ? answer : null;
  const isCodeHere = asked.kind === 'asked' && asked.grantId === grant?.grantId;
  if (moved.kind === 'passed') return <OneTimeBox passed={moved.passed} />;
  // Another screen may have moved them: this one still says why its press did nothing.
  if (!isOpen) return moved.kind === 'idle' ? null : <FormStatus result={moved} />;
  // Only watched: the state of the page says whom it waits for.
  if (isGuarded) return null;
  // Once the page is drawn again, its state says it.
  const isDrawn = stored?.state === seen;
  if (seen === 'approved' && isReceipt)
    return (
      <Form action={collect} about={{ game: slug, actionId }} isShort>
        {!isDrawn && <p className={styles.sentence}>The phone approved. Nothing was collected yet.</p>}
        <FormButtons>
          <SubmitButton pendingWord="Collecting at Invo…">Collect</SubmitButton>
        </FormButtons>
        {collected.kind !== 'passed' && <FormStatus result={collected} />}
      </Form>
    );
  if (seen === 'approved')
    return (
      <Form action={move} about={{ game: slug, actionId, draftId }} isShort>
        {!isDrawn && <p className={styles.sentence}>{GRANT_TEXT.approved}</p>}
        <FormButtons>
          <SubmitButton pendingWord="Moving the coins…">Move the coins</SubmitButton>
        </FormButtons>
        <FormStatus result={moved} />
      </Form>
    );
  return (
    <>
      {seen !== null && !(isDrawn && seen === 'declined') && (
        <p className={styles.sentence} aria-live="polite">
          {answered === null ? GRANT_TEXT[seen] : formatPhoneAnswer(answered)}
        </p>
      )}
      {isCodeHere && isWaiting && seen !== 'enrolling' && (
        <section className={styles.once} aria-label="Code for the phone">
          <p className={styles.onceTitle}>The phone must show {mustShow}. If it shows anything else, deny it there.</p>
          <div className={styles.phone}>
            {asked.qr !== null && <QrCode rows={asked.qr} label="QR code for the phone" />}
            <div>
              {asked.qr !== null && `Scan the code with ${phone}. Or open `}
              {asked.qr === null && `With ${phone}, open `}
              <b>{asked.page}</b> there and enter <code className={styles.userCode}>{asked.userCode}</code>
              <p className={styles.when}>It is valid for {countNoun(asked.minutes, 'minute')}.</p>
            </div>
          </div>
        </section>
      )}
      {answered !== null && newPhone !== null && (
        <p className={styles.sentence}>
          <NewPhone phone={newPhone} isHouse={isHouse} />
        </p>
      )}
      {seen === 'enrolling' && answered === null ? (
        <NewPhoneForm
          slug={slug}
          actionId={actionId}
          stepDraftId={stepDraftId}
          isHouse={isHouse}
          needsSecondPerson={needsSecondPerson}
          newPhone={newPhone}
        />
      ) : answered !== null && ANSWER_IN_PROGRESS.has(answered.state) ? null : (
        <Form action={ask} about={{ game: slug, actionId }} isShort>
          <FormButtons>
            <SubmitButton kind={isWaiting || seen === 'declined' ? 'plain' : 'main'} pendingWord="Asking the phone…">
              {seen === null ? 'Ask the phone' : 'Ask the phone again'}
            </SubmitButton>
          </FormButtons>
          {isWaiting && (
            <p className={styles.when}>
              {isCodeHere ? 'Asking' : 'Its code was shown once, on the screen that asked. Asking'} again makes the earlier code invalid.
            </p>
          )}
          {asked.kind !== 'asked' && <FormStatus result={asked} />}
        </Form>
      )}
    </>
  );
}

interface NewPhoneFormProps extends Pick<PhonePanelProps, 'slug' | 'actionId' | 'stepDraftId' | 'isHouse' | 'needsSecondPerson'> {
  /** null: this screen doesn’t know it yet. */
  newPhone: SeenPhone | null;
}

/** While an answer to a new phone is on its way, another request would make its code invalid. */
const ANSWER_IN_PROGRESS: ReadonlySet<string> = new Set(['awaiting_approval', 'approved', 'sending'] satisfies PhoneAnswer['state'][]);

/** A new phone wants to be set up: the screen is the proof. A player’s own is denied; a house account’s is compared with the colleague who holds it. */
function NewPhoneForm({ slug, actionId, stepDraftId, isHouse, needsSecondPerson, newPhone }: NewPhoneFormProps): ReactElement {
  const about = { game: slug, actionId, draftId: stepDraftId };
  return (
    <>
      {newPhone !== null && (
        <p className={styles.sentence}>
          <NewPhone phone={newPhone} isHouse={isHouse} no="Deny it" needsSecondPerson={needsSecondPerson} />
        </p>
      )}
      <div className={styles.sideBySide}>
        <ActionForm action={answerPhoneAction} about={{ ...about, decision: 'deny' }} label="Deny the new phone" pendingLabel="Denying…" />
        {isHouse && newPhone !== null && (
          <ActionForm
            action={answerPhoneAction}
            about={{ ...about, decision: 'approve' }}
            label="Approve the new phone"
            pendingLabel="Approving…"
          />
        )}
      </div>
    </>
  );
}

/** What is true of the phone by now, of what this screen knows and what it watches while the phone may still answer, or a guardian. */
function useWatched(
  slug: string,
  actionId: number,
  known: SeenGrant | null,
  isGuarded: boolean,
): { grant: SeenGrant | null } & Pick<NewPhoneFormProps, 'newPhone'> {
  const router = useRouter();
  const [watched, setWatched] = useState<{ grant: SeenGrant; newPhone: NewPhoneFormProps['newPhone'] } | null>(null);
  const grant = newestGrant(known, watched?.grant ?? null);
  const isWatching = isGuarded || (grant !== null && isPhoneAwaited(grant));
  useEffect(() => {
    if (!isWatching) return undefined;
    const timer = setInterval(() => {
      if (document.hidden) return;
      void watchPhoneAction(slug, actionId).then((answer) => {
        if (!('grant' in answer) || answer.grant === null) return;
        setWatched({ grant: answer.grant, newPhone: answer.newPhone });
        if (!isPhoneAwaited(answer.grant)) router.refresh();
      });
    }, WATCH_MS);
    return () => clearInterval(timer);
  }, [isWatching, slug, actionId, router]);
  return { grant, newPhone: watched?.grant.grantId === grant?.grantId ? (watched?.newPhone ?? null) : null };
}
