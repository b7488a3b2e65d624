'use client';

import { useActionState, useState } from 'react';
import { type ChangeState, IDLE } from './change-state.ts';

export type ChangeAction = (before: ChangeState, form: FormData) => Promise<ChangeState>;

export interface Change {
  state: ChangeState;
  submit: (form: FormData) => void;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

/** A form and its confirmation, which closes by itself when an answer is there. */
export function useChange(action: ChangeAction): Change {
  const [state, submit] = useActionState(action, IDLE);
  const [openedAt, setOpenedAt] = useState<ChangeState | null>(null);
  return { state, submit, isOpen: openedAt === state, setOpen: (isOpen) => setOpenedAt(isOpen ? state : null) };
}
