'use client';

import { ChevronDown } from 'lucide-react';
import { type ComponentProps, type ReactElement, type ReactNode, useState } from 'react';
import styles from './menu.module.css';
import type { MenuEntry } from './menu-list.tsx';
import { useCode } from './use-code.ts';

/** A button that opens a list of pages or files. */
export function Menu({ label, entries }: { label: string; entries: MenuEntry[] }): ReactElement {
  const content = (
    <>
      {label}
      <ChevronDown size={14} aria-hidden="true" />
    </>
  );
  return (
    <WantedMenu
      className={styles.trigger}
      importCode={() => import('./menu-list.tsx')}
      list={({ MenuList }) => <MenuList entries={entries}>{content}</MenuList>}
    >
      {content}
    </WantedMenu>
  );
}

interface WantedMenuProps<Code> {
  className: string | undefined;
  importCode: () => Promise<Code>;
  /** The open menu with its button. */
  list: (code: Code) => ReactElement;
  children: ReactNode;
}

/** The still button of a menu. The code of its list is loaded when it is wanted, and draws the button from then on. */
export function WantedMenu<Code>({ className, importCode, list, children }: WantedMenuProps<Code>): ReactElement {
  const [isWanted, setWanted] = useState(false);
  const { code, warm } = useCode(importCode, isWanted);
  if (isWanted && code !== null) return list(code);
  return (
    <button type="button" className={className} aria-haspopup="menu" aria-expanded={false} {...warm} {...opensMenu(() => setWanted(true))}>
      {children}
    </button>
  );
}

/** How the still button of a menu opens it: by a press, and by the arrow keys. */
function opensMenu(open: () => void): Pick<ComponentProps<'button'>, 'onClick' | 'onKeyDown'> {
  return {
    onClick: open,
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open();
    },
  };
}
