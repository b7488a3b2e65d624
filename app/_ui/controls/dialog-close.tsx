import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactElement } from 'react';
import styles from './dialog-close.module.css';

/** Closes the dialog it is in. */
export function DialogClose(): ReactElement {
  return (
    <Dialog.Close className={styles.close} aria-label="Close">
      <X size={18} aria-hidden="true" />
    </Dialog.Close>
  );
}
