'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactElement } from 'react';
import styles from './navigation.module.css';

export interface NavLink {
  label: string;
  href: string;
  /** Paths that count as this link's page; default: those under `href`. */
  within?: string;
  /** How many items there need action; 0: no badge. */
  asking?: { count: number; label: string };
}

/** Navigation links with the current one marked. */
export function NavLinks({ label, heading, links }: { label: string; heading?: string; links: NavLink[] }): ReactElement {
  const pathname = usePathname();
  return (
    <nav aria-label={label} className={styles.nav}>
      {heading !== undefined && <p className={styles.heading}>{heading}</p>}
      {links.map(({ label: name, href, within = href, asking }) => (
        <Link key={href} href={href} className={styles.link} aria-current={currentOf(pathname, href, within)}>
          {name}
          {asking !== undefined && asking.count > 0 && (
            <span className={styles.asking}>
              {asking.count}
              <span className="sr-only"> {asking.label}</span>
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}

function currentOf(pathname: string, href: string, within: string): 'page' | 'true' | undefined {
  if (pathname === href) return 'page';
  return pathname.startsWith(`${within}/`) ? 'true' : undefined;
}
