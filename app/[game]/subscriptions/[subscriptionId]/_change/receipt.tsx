'use client';

import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { FormButtons } from '#app/_ui/forms/form-buttons.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { ComparedTable } from '#app/[game]/_subscriptions/compared-table.tsx';
import styles from './change.module.css';
import type { ChangeState } from './change-state.ts';

interface ReceiptProps {
  receipt: Extract<ChangeState, { kind: 'done' }>;
  back: string;
  next?: ReactNode;
}

/** What Invo answered, beside what was expected; it takes the focus, since the form it answers is gone. */
export function Receipt({ receipt: { title, sentences, rows, isRecorded }, back, next }: ReceiptProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  const differs = rows.some(({ agrees }) => agrees === false);
  return (
    <div ref={place} tabIndex={-1} className={styles.receipt} role="status">
      <Notice voice={differs ? 'wait' : 'good'} title={title}>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {differs && <p>Invo’s answer is not what was expected; it stands below, and it is Invo’s that holds.</p>}
        {!isRecorded && <p>The audit could not be told what became of it; that it was asked for is on record.</p>}
      </Notice>
      {rows.length > 0 && <ComparedTable label="What Invo answered" rows={rows} />}
      <FormButtons>
        <LinkButton kind="main" href={back}>
          Back to the subscription
        </LinkButton>
        {next}
      </FormButtons>
    </div>
  );
}
