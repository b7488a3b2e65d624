'use client';

import { ChevronDown } from 'lucide-react';
import { type ComponentProps, type ReactElement, useState } from 'react';
import styles from './menu.module.css';
import type { MenuEntry } from './menu-list.tsx';
import { useCode } from './use-code.ts';

/** A button that opens a list of pages or files. */
export function Menu({ label, entries }: { label: string; entries: MenuEntry[] }): ReactElement {
  const [isWanted, setWanted] = useState(false);
  const { code, warm } = useCode(() => import('./menu-list.tsx'), isWanted);
  const content = (
    <>
      {label}
      <ChevronDown size={14} aria-hidden="true" />
    </>
  );
  if (isWanted && code !== null) return <code.MenuList entries={entries}>{content}</code.MenuList>;
  return (
    <button
      type="button"
      className={styles.trigger}
      aria-haspopup="menu"
      aria-expanded={false}
      {...warm}
      {...opensMenu(() => setWanted(true))}
    >
      {content}
    </button>
  );
}

/** How the still button of a menu opens it: by a press, and by the arrow keys. */
export function opensMenu(open: () => void): Pick<ComponentProps<'button'>, 'onClick' | 'onKeyDown'> {
  return {
    onClick: open,
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open();
    },
  };
}
