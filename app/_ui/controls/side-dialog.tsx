'use client';

import { Dialog } from '@base-ui/react/dialog';
import type { ReactElement, ReactNode } from 'react';
import { DialogClose } from './dialog-close.tsx';
import styles from './side-dialog.module.css';

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
  return (
    <Dialog.Root>
      <Dialog.Trigger className={isMain ? styles.main : styles.opener} aria-label={label}>
        {opener}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.sheet}>
          <div className={styles.head}>
            <Dialog.Title className={styles.title}>{title}</Dialog.Title>
            <DialogClose />
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
