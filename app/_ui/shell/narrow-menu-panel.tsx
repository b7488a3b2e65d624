import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactElement } from 'react';
import type { SideDialogSheetProps } from '../controls/side-dialog-sheet.tsx';
import styles from './narrow-menu.module.css';

/** The open sidebar of a narrow screen, loaded when it is wanted. */
export function NarrowMenuPanel({ isOpen, onOpen, opener, children }: Omit<SideDialogSheetProps, 'title'>): ReactElement {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => onOpen(next)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.panel} finalFocus={opener}>
          <div className={styles.head}>
            <Dialog.Title className={styles.title}>Menu</Dialog.Title>
            <Dialog.Close className={styles.button} aria-label="Close menu">
              <X size={20} aria-hidden="true" />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
