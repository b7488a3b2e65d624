'use client';

import { type ReactElement, useState } from 'react';
import { useCode } from '#app/_ui/controls/use-code.ts';
import { useFormResult } from '#app/_ui/forms/form.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { Change, ChangeState } from './change-state.ts';
import type { ConfirmDialogProps } from './confirm-dialog.tsx';

/** The confirmation of every change, once it is wanted. */
export function ConfirmChange(props: ConfirmDialogProps): ReactElement | null {
  const { code, hasFailed } = useCode(() => import('./confirm-dialog.tsx'), props.change.isOpen);
  if (hasFailed)
    return (
      <Notice voice="bad" title="The confirmation couldn’t be loaded">
        Nothing was sent. Reload the page and try again.
      </Notice>
    );
  return code === null ? null : <code.ConfirmDialog {...props} />;
}

export type ChangeAction = (before: ChangeState, form: FormData) => Promise<ChangeState>;

/** The state of a form and its confirmation, which closes when the action returns. */
export function useChange(action: ChangeAction): Change {
  const [state, submit] = useFormResult(action);
  const [openedAt, setOpenedAt] = useState<ChangeState | null>(null);
  return { state, submit, isOpen: openedAt === state, setOpen: (isOpen) => setOpenedAt(isOpen ? state : null) };
}
