import { Dialog } from '@base-ui/react/dialog';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import type { ReactElement, ReactNode, RefObject } from 'react';
import styles from './side-dialog.module.css';

interface SideDialogSheetProps {
  title: string;
  /** The sidebar of a narrow screen. */
  isMenu?: boolean;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  /** Where the focus goes when it closes. */
  opener: RefObject<HTMLButtonElement | null>;
  children: ReactNode;
}

/** The sheet of a side dialog, loaded when it is wanted. */
export function SideDialogSheet({ title, isMenu = false, isOpen, onOpen, opener, children }: SideDialogSheetProps): ReactElement {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => onOpen(next)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={clsx(styles.sheet, isMenu && styles.menu)} finalFocus={opener}>
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

/** Closes the dialog it is in. */
export function DialogClose(): ReactElement {
  return (
    <Dialog.Close className={styles.close} aria-label="Close">
      <X size={18} aria-hidden="true" />
    </Dialog.Close>
  );
}
