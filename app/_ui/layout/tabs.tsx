'use client';

import { clsx } from 'clsx';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactElement } from 'react';
import styles from './tabs.module.css';

export interface Tab {
  label: string;
  href: string;
  /** How many there are, formatted. */
  count?: string;
  /** The count asks for attention. */
  isAsking?: boolean;
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
          {tab.label}
          {tab.count !== undefined && <span className={clsx(styles.count, tab.isAsking && styles.asking)}>{tab.count}</span>}
        </Link>
      ))}
    </nav>
  );
}
