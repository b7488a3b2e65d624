'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { type ReactElement, type ReactNode, useId } from 'react';
import styles from './navigation.module.css';

interface NavLink {
  label: string;
  href: string;
  /** Pages below its address are not part of it. */
  isAlone?: boolean;
  /** The key that opens it after `g`. */
  shortcut?: string;
  /** How many items there need action; 0: no badge. */
  asking?: { count: number; label: string } | undefined;
}

export interface NavGroup {
  label: string;
  links: NavLink[];
}

/** The pages by group, with the current one marked and what needs action in each. */
export function Navigation({ groups }: { groups: NavGroup[] }): ReactElement {
  const id = useId();
  const pathname = usePathname();
  return (
    <nav aria-label="Main" className={styles.nav}>
      {groups.map(({ label, links }) => (
        <div key={label} role="group" aria-labelledby={`${id}-${label}`} className={styles.group}>
          <p id={`${id}-${label}`} className={styles.heading}>
            {label}
          </p>
          {links.map(({ label: name, href, isAlone = false, shortcut, asking }) => (
            <Link
              key={href}
              href={href}
              className={styles.link}
              aria-current={isAlone ? (pathname === href ? 'page' : undefined) : currentOf(pathname, href)}
              data-key={shortcut && `g ${shortcut}`}
              data-hint={shortcut}
            >
              {name}
              {asking !== undefined && asking.count > 0 && (
                <span className={styles.asking}>
                  {asking.count}
                  <span className="sr-only"> {asking.label}</span>
                </span>
              )}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}

/** A note below some pages: those whose path matches. */
export function Footnote({ pages, children }: { pages: string; children: ReactNode }): ReactNode {
  return new RegExp(pages).test(usePathname()) && children;
}

const UNKNOWN = 'How many are unread isn’t known now';

/** Notices, as an icon with the number of unread ones; null: not known now. */
export function NoticesLink({ icon, unreadCount }: { icon: ReactNode; unreadCount: number | null }): ReactElement {
  return (
    <Link href="/notices" className={styles.bell} aria-current={currentOf(usePathname(), '/notices')} data-key="g n">
      {icon}
      <span className="sr-only">Notices</span>
      {unreadCount !== 0 && (
        <span className={styles.unread} title={unreadCount === null ? UNKNOWN : undefined}>
          {unreadCount === null ? '?' : unreadCount > 99 ? '99+' : unreadCount}
          <span className="sr-only"> {unreadCount === null ? UNKNOWN : 'unread'}</span>
        </span>
      )}
    </Link>
  );
}

function currentOf(pathname: string, href: string): 'page' | 'true' | undefined {
  if (pathname === href) return 'page';
  return pathname.startsWith(`${href}/`) ? 'true' : undefined;
}
