'use client';

import type { ReactElement, ReactNode } from 'react';
import { useFormStatus } from 'react-dom';
import { Button, type ButtonKind } from './button.tsx';

export interface SubmitButtonProps {
  kind?: ButtonKind;
  /** What it says while the form is on its way. */
  pendingWord: string;
  isDisabled?: boolean;
  label?: string;
  children: ReactNode;
}

/** Sends the form around it, once: it waits, and says so, until the answer is there. */
export function SubmitButton({ kind = 'main', pendingWord, isDisabled = false, label, children }: SubmitButtonProps): ReactElement {
  const { pending } = useFormStatus();
  return (
    <Button kind={kind} type="submit" isDisabled={pending || isDisabled} {...(label === undefined ? {} : { label })}>
      {pending ? pendingWord : children}
    </Button>
  );
}
