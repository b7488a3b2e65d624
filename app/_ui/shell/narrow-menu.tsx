'use client';

import { Menu } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { type ReactElement, type ReactNode, useRef, useState } from 'react';
import { useCode } from '../controls/use-code.ts';
import styles from './narrow-menu.module.css';

/** The sidebar behind a menu button, for narrow screens. It closes when the page changes. */
export function NarrowMenu({ children }: { children: ReactNode }): ReactElement {
  const pathname = usePathname();
  const button = useRef<HTMLButtonElement>(null);
  const [openAt, setOpenAt] = useState<string | null>(null);
  const isOpen = openAt === pathname;
  const { code, warm } = useCode(() => import('../controls/side-dialog-sheet.tsx'), isOpen);
  const setOpen = (next: boolean): void => setOpenAt(next ? pathname : null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-label="Menu"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        {...warm}
        onClick={() => setOpen(true)}
      >
        <Menu size={20} aria-hidden="true" />
      </button>
      {code !== null && (
        <code.SideDialogSheet title="Menu" isMenu isOpen={isOpen} onOpen={setOpen} opener={button}>
          {children}
        </code.SideDialogSheet>
      )}
    </>
  );
}
