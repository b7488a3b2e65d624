'use client';

import { clsx } from 'clsx';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { formatCount } from '../figures/format.ts';
import styles from './tabs.module.css';

export interface Tab {
  label: string;
  href: string;
  /** How many there are, formatted. */
  count?: string;
  /** The count needs attention. */
  tone?: Tone;
  /** A `LateCount`; replaces the count. */
  mark?: ReactNode;
}

type Tone = 'wait' | 'bad';

/** How many there are of what a tab shows, formatted. */
export function TabCount({ tone, children }: { tone?: Tone | undefined; children: ReactNode }): ReactElement {
  return <span className={clsx(styles.count, tone && styles[tone])}>{children}</span>;
}

/** The parts of one page, each with its own address. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }): ReactElement {
  const pathname = usePathname();
  return (
    <nav className={styles.tabs} aria-label={label} data-print="no">
      {tabs.map((tab) => (
        <Link
          key={tab.href}
          href={tab.href}
          scroll={false}
          className={styles.tab}
          aria-current={pathname === tab.href ? 'page' : undefined}
        >
          {tab.label} {tab.mark || (tab.count !== undefined && <TabCount tone={tab.tone}>{tab.count}</TabCount>)}
        </Link>
      ))}
    </nav>
  );
}

interface OnTabProps {
  /** Address of the tab. */
  href: string;
  first?: ReactNode;
  others?: ReactNode;
}

/** Shows one thing on the tab with this address, another on all other tabs of the page. */
export function OnTab({ href, first = null, others = null }: OnTabProps): ReactNode {
  return usePathname() === href ? first : others;
}

/** What the address of a `LateCount` answers. `isBlocked`: they must be dealt with first. */
export interface CountAnswer {
  count: number;
  isBlocked: boolean;
}

/**
 * A count that the page doesn’t wait for: it is requested once the page is shown, and again whenever the page was read again (`asOf`). Nothing is shown
 * until it is known, nor for 0.
 */
export function LateCount({ address, asOf }: { address: string; asOf: string }): ReactElement | null {
  const [answer, setAnswer] = useState<CountAnswer | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void readCount(address).then((read) => isCurrent && setAnswer(read));
    return () => {
      isCurrent = false;
    };
  }, [address, asOf]);
  if (answer === null || answer.count === 0) return null;
  return <TabCount tone={answer.isBlocked ? 'bad' : 'wait'}>{formatCount(answer.count)}</TabCount>;
}

// Guarantee of the cast: the route answers with this shape.
async function readCount(address: string): Promise<CountAnswer | null> {
  try {
    const response = await fetch(address, { cache: 'no-store' });
    return response.ok ? ((await response.json()) as CountAnswer) : null;
  } catch {
    return null;
  }
}
