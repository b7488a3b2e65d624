'use client';

import { Menu as BaseMenu } from '@base-ui/react/menu';
import { ChevronDown } from 'lucide-react';
import type { ReactElement } from 'react';
import styles from './menu.module.css';

export interface MenuEntry {
  label: string;
  href: string;
  /** A note under the label. */
  note?: string;
  /** A file to download, not a page to open. */
  isFile?: boolean;
}

/** A button that opens a list of pages or files. */
export function Menu({ label, entries }: { label: string; entries: MenuEntry[] }): ReactElement {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger className={styles.trigger}>
        {label}
        <ChevronDown size={14} aria-hidden="true" />
      </BaseMenu.Trigger>
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
