'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** Draws the page anew every few seconds while work is under way and somebody looks. */
export function RefreshWhile({ isBusy, every_ms = 4_000 }: { isBusy: boolean; every_ms?: number }): null {
  const router = useRouter();
  useEffect(() => {
    if (!isBusy) return undefined;
    const refresh = setInterval(() => {
      if (!document.hidden) router.refresh();
    }, every_ms);
    return () => clearInterval(refresh);
  }, [isBusy, every_ms, router]);
  return null;
}
