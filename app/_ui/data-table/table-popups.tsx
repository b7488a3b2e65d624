import { Dialog } from '@base-ui/react/dialog';
import { Menu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import type { TableSpec } from './table-spec.ts';
import styles from './table-tools.module.css';
import { shownColumns, type TableView } from './table-view.ts';

export interface ColumnMenuProps {
  spec: TableSpec;
  view: TableView;
  onView: (change: Partial<TableView>) => void;
}

/** The menu of columns with its button, open at first: it is loaded when it is wanted. */
export function ColumnList({ spec, view, onView, children }: ColumnMenuProps & { children: ReactNode }): ReactElement {
  const shown = shownColumns(spec, view);
  const toggle = (key: string): void => {
    const toggled = view.toggled.includes(key) ? view.toggled.filter((each) => each !== key) : [...view.toggled, key];
    onView({ toggled });
  };
  return (
    <Menu.Root modal={false} defaultOpen>
      <Menu.Trigger className={styles.columnsTrigger}>{children}</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={styles.positioner} sideOffset={6} align="end">
          <Menu.Popup className={styles.columnsPopup}>
            {spec.columns.slice(1).map((column) => (
              <Menu.CheckboxItem
                key={column.key}
                className={styles.entry}
                checked={shown.includes(column.key)}
                onCheckedChange={() => toggle(column.key)}
                closeOnClick={false}
              >
                <span className={styles.mark}>
                  <Menu.CheckboxItemIndicator>
                    <Check size={14} aria-hidden="true" />
                  </Menu.CheckboxItemIndicator>
                </span>
                {column.label}
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
