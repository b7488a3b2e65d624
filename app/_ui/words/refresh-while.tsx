'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** Refreshes the page every few seconds while work runs, the tab is visible and Sharebook responds, so that the page isn’t lost to an error. */
export function RefreshWhile({ isBusy, every_ms = 4_000 }: { isBusy: boolean; every_ms?: number }): null {
  const router = useRouter();
  useEffect(() => {
    if (!isBusy) return undefined;
    const refresh = setInterval(() => {
      if (!document.hidden) void isReady().then((is) => is && router.refresh());
    }, every_ms);
    return () => clearInterval(refresh);
  }, [isBusy, every_ms, router]);
  return null;
}

async function isReady(): Promise<boolean> {
  try {
    return (await fetch('/readyz', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
