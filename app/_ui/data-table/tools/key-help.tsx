import { Dialog } from '@base-ui/react/dialog';
import { Keyboard } from 'lucide-react';
import type { ReactElement } from 'react';
import styles from './key-help.module.css';

const KEYS: [string, string][] = [
  ['↑ ↓', 'one row'],
  ['PgUp PgDn', 'one screen of rows'],
  ['Home End', 'first and last row'],
  ['Enter', 'open the row'],
  ['e', 'the other end of the list'],
  ['/', 'the filter; Escape clears it'],
  ['?', 'this list'],
];

/** The keys of a table. */
export function KeyHelp({ isOpen, onOpen }: { isOpen: boolean; onOpen: (isOpen: boolean) => void }): ReactElement {
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpen}>
      <Dialog.Trigger className={styles.trigger} aria-label="Keys of this table">
        <Keyboard size={16} aria-hidden="true" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup}>
          <Dialog.Title className={styles.title}>Keys of this table</Dialog.Title>
          <dl className={styles.keys}>
            {KEYS.map(([key, does]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <Dialog.Close className={styles.close}>Close</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
