'use client';

import { type ReactElement, useEffect, useState } from 'react';
import { formatCount } from '#app/_ui/figures/format.ts';
import { TabCount } from '#app/_ui/layout/tabs.tsx';

/** What still needs a person before a draft can be submitted. */
export interface OpenCount {
  count: number;
  isBlocked: boolean;
}

/**
 * How many items of the close still need a person, on its tab. Counting takes the reads of the Close tab, so it is requested once the page is shown,
 * and again whenever the page was read again (`asOf`); nothing is shown until it is known.
 */
export function OpenChecks({ address, asOf }: { address: string; asOf: string }): ReactElement | null {
  const [open, setOpen] = useState<OpenCount | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void readOpenCount(address).then((answer) => isCurrent && setOpen(answer));
    return () => {
      isCurrent = false;
    };
  }, [address, asOf]);
  if (open === null || open.count === 0) return null;
  return <TabCount tone={open.isBlocked ? 'bad' : 'wait'}>{formatCount(open.count)}</TabCount>;
}

// Guarantee of the cast: the route answers with this shape.
async function readOpenCount(address: string): Promise<OpenCount | null> {
  try {
    const response = await fetch(address, { cache: 'no-store' });
    return response.ok ? ((await response.json()) as OpenCount) : null;
  } catch {
    return null;
  }
}
