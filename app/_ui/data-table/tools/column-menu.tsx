import { Menu } from '@base-ui/react/menu';
import { Check, Columns3 } from 'lucide-react';
import type { ReactElement } from 'react';
import { shownColumns, type TableView } from '../table-view.ts';
import type { TableSpec } from '../table-words.ts';
import styles from './column-menu.module.css';

interface ColumnMenuProps {
  spec: TableSpec;
  view: TableView;
  onView: (change: Partial<TableView>) => void;
}

/** Which columns are shown; the first always is. */
export function ColumnMenu({ spec, view, onView }: ColumnMenuProps): ReactElement {
  const shown = shownColumns(spec, view);
  const toggle = (key: string): void => {
    const toggled = view.toggled.includes(key) ? view.toggled.filter((each) => each !== key) : [...view.toggled, key];
    onView({ toggled });
  };
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={styles.trigger}>
        <Columns3 size={14} aria-hidden="true" />
        Columns
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={styles.positioner} sideOffset={6} align="end">
          <Menu.Popup className={styles.popup}>
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
