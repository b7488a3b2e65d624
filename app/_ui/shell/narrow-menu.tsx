'use client';

import { Dialog } from '@base-ui/react/dialog';
import { Menu, X } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { type ReactElement, type ReactNode, useState } from 'react';
import styles from './narrow-menu.module.css';

/** The sidebar behind a menu button, for narrow screens. It closes when the page changes. */
export function NarrowMenu({ children }: { children: ReactNode }): ReactElement {
  const pathname = usePathname();
  const [openAt, setOpenAt] = useState<string | null>(null);
  return (
    <Dialog.Root open={openAt === pathname} onOpenChange={(isOpen) => setOpenAt(isOpen ? pathname : null)}>
      <Dialog.Trigger className={styles.button} aria-label="Menu">
        <Menu size={20} aria-hidden="true" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.panel}>
          <div className={styles.head}>
            <Dialog.Title className={styles.title}>Menu</Dialog.Title>
            <Dialog.Close className={styles.button} aria-label="Close menu">
              <X size={20} aria-hidden="true" />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
