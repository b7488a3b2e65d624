'use client';

import { Menu } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { type ReactElement, type ReactNode, useRef, useState } from 'react';
import { useCode } from '../controls/use-code.ts';
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

/** A note below some pages: those whose path matches. */
export function Footnote({ pages, children }: { pages: string; children: ReactNode }): ReactNode {
  return new RegExp(pages).test(usePathname()) && children;
}

/** The sidebar behind a menu button, for narrow screens. It closes when the page changes. */
export function NarrowMenu({ children }: { children: ReactNode }): ReactElement {
  const pathname = usePathname();
  const button = useRef<HTMLButtonElement>(null);
  const [openAt, setOpenAt] = useState<string | null>(null);
  const isOpen = openAt === pathname;
  const { code, warm } = useCode(() => import('../controls/side-dialog-sheet.tsx'), isOpen);
  const setOpen = (next: boolean): void => setOpenAt(next ? pathname : null);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-label="Menu"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        {...warm}
        onClick={() => setOpen(true)}
      >
        <Menu size={20} aria-hidden="true" />
      </button>
      {code !== null && (
        <code.SideDialogSheet title="Menu" isMenu isOpen={isOpen} onOpen={setOpen} opener={button}>
          {children}
        </code.SideDialogSheet>
      )}
    </>
  );
}
