'use client';

import type { ReactElement, ReactNode } from 'react';
import { useFormStatus } from 'react-dom';
import { Button, type ButtonKind } from './button.tsx';

export interface SubmitButtonProps {
  kind?: ButtonKind;
  /** The label while the form is being sent. */
  pendingWord: string;
  isDisabled?: boolean;
  label?: string;
  children: ReactNode;
}

/** Submits its form once: it is disabled, and says so, until the result arrives. */
export function SubmitButton({ kind = 'main', pendingWord, isDisabled = false, label, children }: SubmitButtonProps): ReactElement {
  const { pending } = useFormStatus();
  return (
    <Button kind={kind} type="submit" isDisabled={pending || isDisabled} {...(label === undefined ? {} : { label })}>
      {pending ? pendingWord : children}
    </Button>
  );
}
