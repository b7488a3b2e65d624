'use client';

import { type ReactElement, useEffect, useState } from 'react';
import { Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '#app/_ui/forms/form.tsx';
import styles from './actions.module.css';
import { pressActionAction } from './actions.ts';
import { textOwnerAction, watchOwnerAction } from './phone-actions.ts';

interface OwnerPanelProps {
  slug: string;
  actionId: number;
  /** Whether Invo sent the owner no text, so that one can be requested. */
  mayText: boolean;
  /** Of the text that a press requests. */
  draftId: string;
  /** What Invo last reported of the owner. */
  hasAgreed: boolean;
}

const WATCH_MS = 5_000;

/** Waits for the owner of a shared phone, and sends the start once they agreed. Staff enters nobody’s code: the owner answers Invo’s text. */
export function OwnerPanel({ slug, actionId, mayText, draftId, hasAgreed }: OwnerPanelProps): ReactElement {
  const [result, send] = useFormResult(pressActionAction);
  const [texted, text] = useFormResult(textOwnerAction);
  const [isWatchedAgreed, setWatchedAgreed] = useState(false);
  const isAgreed = hasAgreed || isWatchedAgreed;
  useEffect(() => {
    if (isAgreed) return undefined;
    const timer = setInterval(() => {
      if (document.hidden) return;
      void watchOwnerAction(slug, actionId).then((answer) => setWatchedAgreed('hasAgreed' in answer && answer.hasAgreed === true));
    }, WATCH_MS);
    return () => clearInterval(timer);
  }, [isAgreed, slug, actionId]);
  return (
    <>
      <p className={styles.sentence} aria-live="polite">
        {isAgreed
          ? 'The owner of the phone agreed. Nothing was sent yet.'
          : 'The owner of the phone must agree, by answering Invo’s text. Not approved yet: Invo doesn’t say whether they refused.'}
      </p>
      {!isAgreed && mayText && (
        <Form action={text} about={{ game: slug, actionId, draftId }} isShort>
          <FormButtons>
            <SubmitButton kind="plain" pendingWord="Requesting the text…">
              Text the owner
            </SubmitButton>
          </FormButtons>
          <FormStatus result={texted} />
        </Form>
      )}
      {isAgreed && (
        <Form action={send} about={{ game: slug, actionId }} isShort>
          <FormButtons>
            <SubmitButton pendingWord="Reserving at Invo…">Continue</SubmitButton>
          </FormButtons>
          {result.kind !== 'passed' && <FormStatus result={result} />}
        </Form>
      )}
    </>
  );
}
