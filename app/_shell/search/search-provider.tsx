'use client';

import { Search } from 'lucide-react';
import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { SearchDialog, type SearchGame } from './search-dialog.tsx';
import styles from './search-provider.module.css';
import type { SearchAction, SearchStart } from './search-reply.ts';

interface SearchProviderProps {
  action: SearchAction;
  games: SearchGame[];
  /** The game on the screen, or the first one. */
  slug: string;
  canSeeEmails: boolean;
  children: ReactNode;
}

const OpenSearch = createContext<(start?: SearchStart) => void>(() => undefined);

/** Opens the search box with ctrl/cmd and K, or with `/` where no other control takes it. */
export function SearchProvider({ action, games, slug, canSeeEmails, children }: SearchProviderProps): ReactElement {
  const [start, setStart] = useState<SearchStart | null>(null);
  useEffect(() => {
    // On the window, so that the page's own controls, such as a table's filter, come first.
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || !opensSearch(event)) return;
      event.preventDefault();
      setStart({ slug, text: '' });
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [slug]);
  return (
    <OpenSearch.Provider value={(given) => setStart(given ?? { slug, text: '' })}>
      {children}
      {start !== null && (
        <SearchDialog action={action} games={games} start={start} canSeeEmails={canSeeEmails} onClose={() => setStart(null)} />
      )}
    </OpenSearch.Provider>
  );
}

function opensSearch(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey) return event.key.toLowerCase() === 'k' && !event.shiftKey;
  const target = event.target instanceof HTMLElement ? event.target : null;
  return event.key === '/' && !target?.closest('input, textarea, select, [contenteditable], [role="menu"], [role="dialog"]');
}

/** Opens the search box; `isShort` where only the icon fits. */
export function SearchButton({ isShort = false }: { isShort?: boolean }): ReactElement {
  const open = useContext(OpenSearch);
  const isMac = useSyncExternalStore(
    () => () => undefined,
    () => /mac|iphone|ipad/i.test(navigator.userAgent),
    () => false,
  );
  if (isShort)
    return (
      <button type="button" className={styles.short} aria-label="Search" onClick={() => open()}>
        <Search size={20} aria-hidden="true" />
      </button>
    );
  return (
    <button type="button" className={styles.button} onClick={() => open()} aria-keyshortcuts="Control+K Meta+K">
      Search <kbd className={styles.key}>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  );
}

interface SearchElsewhereProps {
  others: { slug: string; label: string }[];
  /** The text to search for. It is put into the box and into no address. */
  text: string;
}

/** Repeats a search in the other games the person can see. */
export function SearchElsewhere({ others, text }: SearchElsewhereProps): ReactElement {
  const open = useContext(OpenSearch);
  return (
    <>
      {others.map(({ slug, label }) => (
        <Button key={slug} onPress={() => open({ slug, text })}>
          Search in {label}
        </Button>
      ))}
    </>
  );
}
