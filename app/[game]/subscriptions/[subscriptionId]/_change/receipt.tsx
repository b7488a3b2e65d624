'use client';

import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { LinkButton } from '../../../../_ui/controls/button.tsx';
import { FormButtons } from '../../../../_ui/forms/form-buttons.tsx';
import { TableFrame } from '../../../../_ui/layout/table-frame.tsx';
import { Notice } from '../../../../_ui/words/notice.tsx';
import { Flag } from '../../../../_ui/words/status.tsx';
import styles from './change.module.css';
import type { ChangeState, ReceiptRow } from './change-state.ts';

interface ReceiptProps {
  receipt: Extract<ChangeState, { kind: 'done' }>;
  back: string;
  next?: ReactNode;
}

/** What Invo answered, beside what was expected; it takes the focus, since the form it answers is gone. */
export function Receipt({ receipt: { title, sentences, rows, isRecorded }, back, next }: ReceiptProps): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  const differs = rows.some(({ isAsExpected }) => isAsExpected === false);
  return (
    <div ref={place} tabIndex={-1} className={styles.receipt} role="status">
      <Notice voice={differs ? 'wait' : 'good'} title={title}>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {differs && <p>Invo’s answer is not what was expected; it stands below, and it is Invo’s that holds.</p>}
        {!isRecorded && <p>The audit could not be told what became of it; that it was asked for is on record.</p>}
      </Notice>
      {rows.length > 0 && <Rows rows={rows} />}
      <FormButtons>
        <LinkButton kind="main" href={back}>
          Back to the subscription
        </LinkButton>
        {next}
      </FormButtons>
    </div>
  );
}

function Rows({ rows }: { rows: ReceiptRow[] }): ReactElement {
  return (
    <TableFrame label="What Invo answered">
      <thead>
        <tr>
          <th scope="col">What Invo answered</th>
          <th scope="col">Expected</th>
          <th scope="col">Answered</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, field, expected, answered, isAsExpected }) => (
          <tr key={field}>
            <th scope="row">
              {label}
              <code className={styles.fieldName}>{field}</code>
            </th>
            <td>{expected ?? '–'}</td>
            <td>
              {answered} {isAsExpected === false && <Flag tone="wait" word="differs" />}
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
