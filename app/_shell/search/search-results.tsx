'use client';

import { type ReactElement, useEffect, useEffectEvent } from 'react';
import { useCode } from '#app/_ui/controls/use-code.ts';
import styles from './search-dialog.module.css';
import type { Searched } from './search-reply.ts';

/** What the search box says below its field. The code is loaded when the box first opens, and reads what the field has by then. */
export function SearchResults({ action, games }: Searched): ReactElement {
  const { code, hasFailed, load } = useCode(() => import('./search-list.tsx'));
  const want = useEffectEvent(load);
  useEffect(() => {
    const box = document.querySelector<HTMLDialogElement>('#search');
    const onOpen = (): void => want();
    if (box?.open) want();
    box?.addEventListener('open', onOpen);
    return () => box?.removeEventListener('open', onOpen);
  }, []);
  if (code !== null) return <code.SearchList action={action} games={games} />;
  return (
    <div id="search-status" role="status" className={styles.error}>
      {hasFailed && 'The search couldn’t be loaded. Reload the page and try again.'}
    </div>
  );
}
