import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import styles from './menu.module.css';

export interface MenuEntry {
  label: string;
  href: string;
  /** A note under the label. */
  note?: string;
  /** A file to download, not a page to open. */
  isFile?: boolean;
}

/** The menu itself with its button, open at first: it is loaded when it is wanted. */
export function MenuList({ entries, children }: { entries: MenuEntry[]; children: ReactNode }): ReactElement {
  return (
    <BaseMenu.Root defaultOpen>
      <BaseMenu.Trigger className={styles.trigger}>{children}</BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner className={styles.positioner} sideOffset={6} align="end">
          <BaseMenu.Popup className={styles.popup}>
            {entries.map((entry) => (
              <BaseMenu.LinkItem
                key={entry.href}
                href={entry.href}
                className={styles.entry}
                closeOnClick
                {...(entry.isFile ? { download: '' } : {})}
              >
                {entry.label}
                {entry.note !== undefined && <span className={styles.note}>{entry.note}</span>}
              </BaseMenu.LinkItem>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
