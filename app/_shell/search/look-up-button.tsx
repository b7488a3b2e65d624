'use client';

import { Search } from 'lucide-react';
import { type ReactElement, useSyncExternalStore } from 'react';
import styles from './look-up-button.module.css';
import { useOpenLookUp } from './look-up-provider.tsx';

/** Opens the look-up box; `isShort` where only its sign fits. */
export function LookUpButton({ isShort = false }: { isShort?: boolean }): ReactElement {
  const open = useOpenLookUp();
  const isMac = useSyncExternalStore(watchNothing, readIsMac, () => false);
  if (isShort)
    return (
      <button type="button" className={styles.short} aria-label="Look up" onClick={() => open()}>
        <Search size={20} aria-hidden="true" />
      </button>
    );
  return (
    <button type="button" className={styles.button} onClick={() => open()} aria-keyshortcuts="Control+K Meta+K">
      Look up <kbd className={styles.key}>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  );
}

function watchNothing(): () => void {
  return () => undefined;
}

function readIsMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.userAgent);
}
