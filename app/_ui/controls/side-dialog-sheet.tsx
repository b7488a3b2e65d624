import { Dialog } from '@base-ui/react/dialog';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { DialogClose } from './dialog-close.tsx';
import styles from './side-dialog.module.css';

export interface SideDialogSheetProps {
  title: string;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  /** Where the focus goes when it closes. */
  opener: RefObject<HTMLButtonElement | null>;
  children: ReactNode;
}

/** The sheet of a side dialog, loaded when it is wanted. */
export function SideDialogSheet({ title, isOpen, onOpen, opener, children }: SideDialogSheetProps): ReactElement {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => onOpen(next)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.sheet} finalFocus={opener}>
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
