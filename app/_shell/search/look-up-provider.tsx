'use client';

import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useState } from 'react';
import { LookUpDialog } from './look-up-dialog.tsx';
import type { LookUpStart } from './look-up-start.ts';
import type { AskLookUp } from './look-up-words.ts';

interface LookUpProviderProps {
  ask: AskLookUp;
  games: { slug: string; label: string }[];
  /** The game on the screen, or the first one. */
  slug: string;
  canSeeEmails: boolean;
  children: ReactNode;
}

const Open = createContext<(start?: LookUpStart) => void>(() => undefined);

/** Opens the look-up box on the page, empty or begun. */
export function useOpenLookUp(): (start?: LookUpStart) => void {
  return useContext(Open);
}

/** A page on which ctrl or cmd and K, or `/` where nothing else takes it, open the look-up box. */
export function LookUpProvider({ ask, games, slug, canSeeEmails, children }: LookUpProviderProps): ReactElement {
  const [start, setStart] = useState<LookUpStart | null>(null);
  useEffect(() => {
    // On the window: what the page itself takes, such as the filter of a table, was asked before.
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || !opens(event)) return;
      event.preventDefault();
      setStart({ slug, text: '' });
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [slug]);
  return (
    <Open.Provider value={(begun) => setStart(begun ?? { slug, text: '' })}>
      {children}
      {start !== null && <LookUpDialog ask={ask} games={games} start={start} canSeeEmails={canSeeEmails} onClose={() => setStart(null)} />}
    </Open.Provider>
  );
}

function opens(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey) return event.key.toLowerCase() === 'k' && !event.shiftKey;
  const target = event.target instanceof HTMLElement ? event.target : null;
  return event.key === '/' && !target?.closest('input, textarea, select, [contenteditable], [role="menu"], [role="dialog"]');
}
