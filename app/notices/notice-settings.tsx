'use client';

import type { ReactElement } from 'react';
import {
  LIMIT_NOTICE_KINDS,
  MONTH_NOTICE_KINDS,
  type NoticeKind,
  PERSON_NOTICE_KINDS,
  type Reach,
  reachesOf,
} from '#lib/notices/rules/notice-kinds.ts';
import { formatReaches, NOTICE_KIND_TEXT, REACH_TEXT } from '#lib/notices/text.ts';
import { Field } from '../_ui/forms/field.tsx';
import { Form, FormButtons, FormStatus, SubmitButton, useFormResult } from '../_ui/forms/form.tsx';
import { setReachesAction } from './actions.ts';
import styles from './notices.module.css';

const GROUPS: readonly { title: string; kinds: readonly NoticeKind[] }[] = [
  { title: 'Months and payout runs', kinds: MONTH_NOTICE_KINDS },
  { title: 'People', kinds: PERSON_NOTICE_KINDS },
  { title: 'Refund limits', kinds: LIMIT_NOTICE_KINDS },
];

/** How far each kind of notice reaches the person who looks: a line a group, which opens to its kinds. */
export function NoticeSettings({ reaches }: { reaches: Record<NoticeKind, Reach> }): ReactElement {
  const [state, send] = useFormResult(setReachesAction);
  return (
    <Form action={send}>
      <div className={styles.groups}>
        {GROUPS.map(({ title, kinds }) => (
          <details key={title} className={styles.group}>
            <summary>
              <strong>{title}</strong>
              <span className={styles.none}>{formatReaches(kinds.map((kind) => reaches[kind]))}</span>
            </summary>
            {kinds.map((kind) => (
              <Field key={kind} label={NOTICE_KIND_TEXT[kind]} isInline>
                {(control) => (
                  <select {...control} name={kind} defaultValue={reaches[kind]}>
                    {reachesOf(kind).map((reach) => (
                      <option key={reach} value={reach}>
                        {REACH_TEXT[reach]}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
            ))}
          </details>
        ))}
      </div>
      <FormButtons>
        <SubmitButton pendingWord="Saving…">Save</SubmitButton>
      </FormButtons>
      <FormStatus result={state} />
    </Form>
  );
}
