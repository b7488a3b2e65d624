'use client';

import { clsx } from 'clsx';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactElement, ReactNode } from 'react';
import styles from './tabs.module.css';

export interface Tab {
  label: string;
  href: string;
  /** How many there are, formatted. */
  count?: string;
  /** The count needs attention. */
  tone?: Tone;
  /** A `TabCount` that the page doesn’t wait for; replaces the count. */
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
