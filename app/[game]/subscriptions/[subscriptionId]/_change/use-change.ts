'use client';

import { useState } from 'react';
import { useAnswer } from '#app/_ui/forms/use-answer.ts';
import { type ChangeState, IDLE, LOST } from './change-state.ts';

export type ChangeAction = (before: ChangeState, form: FormData) => Promise<ChangeState>;

export interface Change {
  state: ChangeState;
  submit: (form: FormData) => void;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

/** A form and its confirmation, which closes by itself when an answer is there. */
export function useChange(action: ChangeAction): Change {
  const [state, submit] = useAnswer(action, IDLE, LOST);
  const [openedAt, setOpenedAt] = useState<ChangeState | null>(null);
  return { state, submit, isOpen: openedAt === state, setOpen: (isOpen) => setOpenedAt(isOpen ? state : null) };
}
