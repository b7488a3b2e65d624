'use client';

import { Search } from 'lucide-react';
import {
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { useCode, type WantedCode } from '#app/_ui/controls/use-code.ts';
import type { SearchGame } from './search-dialog.tsx';
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

interface SearchOpener {
  open: (start?: SearchStart) => void;
  warm: WantedCode<unknown>['warm'] | null;
}

const OpenSearch = createContext<SearchOpener>({ open: () => undefined, warm: null });

/** Opens the search box with ctrl/cmd and K, or with `/` where no other control takes it. */
export function SearchProvider({ action, games, slug, canSeeEmails, children }: SearchProviderProps): ReactElement {
  const [start, setStart] = useState<SearchStart | null>(null);
  const { code, hasFailed, load, warm } = useCode(() => import('./search-dialog.tsx'), start !== null);
  // Where the box can't come, keys belong to the page again.
  const waiting = code === null && !hasFailed ? start : null;
  const open = (given?: SearchStart): void => setStart(given ?? { slug, text: '' });
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey) return;
    if (event.key === 'Control' || event.key === 'Meta') load();
    if (opensSearch(event)) {
      event.preventDefault();
      open();
    } else if (waiting !== null) {
      const typed = typeAhead(waiting, event);
      // Enter and Tab would act on the page behind the box.
      if (typed === waiting && event.key !== 'Enter' && event.key !== 'Tab') return;
      event.preventDefault();
      setStart(typed);
    }
  });
  const onPaste = useEffectEvent((event: ClipboardEvent): void => {
    if (waiting === null) return;
    event.preventDefault();
    setStart({ ...waiting, text: waiting.text + (event.clipboardData?.getData('text') ?? ''), isTyped: true });
  });
  useEffect(() => {
    // On the window, so that the page's own controls, such as a table's filter, come first.
    const listen = (event: KeyboardEvent): void => onKey(event);
    const paste = (event: ClipboardEvent): void => onPaste(event);
    window.addEventListener('keydown', listen);
    window.addEventListener('paste', paste);
    return () => {
      window.removeEventListener('keydown', listen);
      window.removeEventListener('paste', paste);
    };
  }, []);
  return (
    <OpenSearch.Provider value={{ open, warm }}>
      {children}
      {start !== null && code !== null && (
        <code.SearchDialog action={action} games={games} start={start} canSeeEmails={canSeeEmails} onClose={() => setStart(null)} />
      )}
    </OpenSearch.Provider>
  );
}

/** The start of a search with a key that was pressed before the box was there; null when it was closed again. */
function typeAhead(start: SearchStart, { key, ctrlKey, metaKey }: KeyboardEvent): SearchStart | null {
  if (key === 'Escape') return null;
  if (ctrlKey || metaKey) return start;
  if (key === 'Backspace') return { ...start, text: start.text.slice(0, -1), isTyped: true };
  return key.length === 1 ? { ...start, text: start.text + key, isTyped: true } : start;
}

function opensSearch(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey) return event.key.toLowerCase() === 'k' && !event.shiftKey;
  const target = event.target instanceof HTMLElement ? event.target : null;
  return event.key === '/' && !target?.closest('input, textarea, select, [contenteditable], [role="menu"], [role="dialog"]');
}

/** Opens the search box; `isShort` where only the icon fits. */
export function SearchButton({ isShort = false }: { isShort?: boolean }): ReactElement {
  const { open, warm } = useContext(OpenSearch);
  const isMac = useSyncExternalStore(
    () => () => undefined,
    () => /mac|iphone|ipad/i.test(navigator.userAgent),
    () => false,
  );
  if (isShort)
    return (
      <button type="button" className={styles.short} aria-label="Search" {...warm} onClick={() => open()}>
        <Search size={20} aria-hidden="true" />
      </button>
    );
  return (
    <button type="button" className={styles.button} {...warm} onClick={() => open()} aria-keyshortcuts="Control+K Meta+K">
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
  const { open } = useContext(OpenSearch);
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
