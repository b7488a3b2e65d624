'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** A page left alone stops asking, so that its session ends when nobody works with it. */
const UNATTENDED_MS = 10 * 60_000;
const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'scroll', 'visibilitychange'] as const;

/**
 * Refreshes the page every few seconds while work runs, someone uses the page, the tab is visible and Sharebook responds, so that the page isn’t lost
 * to an error.
 */
export function RefreshWhile({ isBusy, every_ms = 4_000 }: { isBusy: boolean; every_ms?: number }): null {
  const router = useRouter();
  useEffect(() => {
    if (!isBusy) return undefined;
    let usedAt = performance.now();
    const noteUse = (): void => {
      usedAt = performance.now();
    };
    for (const sign of SIGNS_OF_LIFE) document.addEventListener(sign, noteUse, { passive: true, capture: true });
    const refresh = setInterval(() => {
      if (!document.hidden && performance.now() - usedAt < UNATTENDED_MS) void isReady().then((is) => is && router.refresh());
    }, every_ms);
    return () => {
      clearInterval(refresh);
      for (const sign of SIGNS_OF_LIFE) document.removeEventListener(sign, noteUse, { capture: true });
    };
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
