'use client';

import type { ReactElement } from 'react';
import { NOTICE_KINDS, type NoticeKind, REACHES, type Reach } from '#lib/notices/rules/notice-kinds.ts';
import { NOTICE_KIND_TEXT, REACH_TEXT } from '#lib/notices/text.ts';
import { SubmitButton } from '../_ui/controls/submit-button.tsx';
import { Field } from '../_ui/forms/field.tsx';
import { Form, FormButtons } from '../_ui/forms/form.tsx';
import { FormStatus, useFormResult } from '../_ui/forms/form-result.tsx';
import { setReachesAction } from './actions.ts';

/** How far each kind of notice reaches the person who looks. */
export function NoticeSettings({ reaches }: { reaches: Record<NoticeKind, Reach> }): ReactElement {
  const [state, send] = useFormResult(setReachesAction);
  return (
    <Form action={send}>
      {NOTICE_KINDS.map((kind) => (
        <Field key={kind} label={NOTICE_KIND_TEXT[kind]} isInline>
          {(control) => (
            <select {...control} name={kind} defaultValue={reaches[kind]}>
              {REACHES.map((reach) => (
                <option key={reach} value={reach}>
                  {REACH_TEXT[reach]}
                </option>
              ))}
            </select>
          )}
        </Field>
      ))}
      <FormButtons>
        <SubmitButton pendingWord="Saving…">Save</SubmitButton>
      </FormButtons>
      <FormStatus result={state} />
    </Form>
  );
}
