import { Dialog } from '@base-ui/react/dialog';
import { Menu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import styles from './table-tools.module.css';
import type { TableState } from './use-table-state.ts';

export interface ColumnMenuProps {
  state: TableState;
}

/** The menu of columns with its button, open at first: it is loaded when it is wanted. */
export function ColumnList({ state, children }: ColumnMenuProps & { children: ReactNode }): ReactElement {
  const columns = state.getAllLeafColumns().filter((column) => column.getCanHide());
  return (
    <Menu.Root modal={false} defaultOpen>
      <Menu.Trigger className={styles.columnsTrigger}>{children}</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={styles.positioner} sideOffset={6} align="end">
          <Menu.Popup className={styles.columnsPopup}>
            {columns.map((column) => (
              <Menu.CheckboxItem
                key={column.id}
                className={styles.entry}
                checked={column.getIsVisible()}
                onCheckedChange={(isShown) => column.toggleVisibility(isShown)}
                closeOnClick={false}
              >
                <span className={styles.mark}>
                  <Menu.CheckboxItemIndicator>
                    <Check size={14} aria-hidden="true" />
                  </Menu.CheckboxItemIndicator>
                </span>
                {String(column.columnDef.header)}
              </Menu.CheckboxItem>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

const KEYS: [string, string][] = [
  ['↑ ↓', 'Move one row'],
  ['PgUp PgDn', 'Move one screen'],
  ['Home End', 'First or last row'],
  ['Enter', 'Open the row'],
  ['Space', 'Select the row, where rows can be selected'],
  ['e', 'Other end of the list'],
  ['/', 'Search; Escape clears it'],
  ['?', 'Keyboard shortcuts'],
];

/** The keyboard shortcuts of a table. */
export function KeyList({ isOpen, onOpen }: { isOpen: boolean; onOpen: (isOpen: boolean) => void }): ReactElement {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => onOpen(next)}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.keysPopup}>
          <Dialog.Title className={styles.title}>Keyboard shortcuts</Dialog.Title>
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
