'use client';

import { type ReactElement, type ReactNode, useRef, useState } from 'react';
import styles from './side-dialog.module.css';
import { useCode } from './use-code.ts';

export interface SideDialogProps {
  /** Text of the button that opens it. */
  opener: string;
  /** The button's accessible name, where its text alone is unclear. */
  label?: string;
  isMain?: boolean;
  title: string;
  children: ReactNode;
}

/** A button and the side dialog it opens. */
export function SideDialog({ opener, label, isMain = false, title, children }: SideDialogProps): ReactElement {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { code, warm } = useCode(() => import('./side-dialog-sheet.tsx'), isOpen);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={isMain ? styles.main : styles.opener}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        {...warm}
        onClick={() => setOpen(true)}
      >
        {opener}
      </button>
      {code !== null && (
        <code.SideDialogSheet title={title} isOpen={isOpen} onOpen={setOpen} opener={button}>
          {children}
        </code.SideDialogSheet>
      )}
    </>
  );
}
