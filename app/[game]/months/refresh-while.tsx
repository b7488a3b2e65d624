'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

const REFRESH_ms = 4_000;

/** Draws the page anew every few seconds while work is under way and somebody looks. */
export function RefreshWhile({ isBusy }: { isBusy: boolean }): null {
  const router = useRouter();
  useEffect(() => {
    if (!isBusy) return undefined;
    const refresh = setInterval(() => {
      if (!document.hidden) router.refresh();
    }, REFRESH_ms);
    return () => clearInterval(refresh);
  }, [isBusy, router]);
  return null;
}
