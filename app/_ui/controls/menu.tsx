'use client';

import { ChevronDown } from 'lucide-react';
import Link from 'next/link';
import { type ReactElement, type ReactNode, useId } from 'react';
import styles from './menu.module.css';

export interface MenuEntry {
  label: string;
  href: string;
  /** A note under the label. */
  note?: string;
  /** A file to download, not a page to open. */
  isFile?: boolean;
}

/** A button that opens a list of pages or files. */
export function Menu({ label, entries }: { label: string; entries: MenuEntry[] }): ReactElement {
  return (
    <PopupButton
      content={
        <>
          {label}
          <ChevronDown size={14} aria-hidden="true" />
        </>
      }
    >
      <ul>
        {entries.map(({ label: text, href, note, isFile = false }) => {
          const content = (
            <>
              {text}
              {note !== undefined && <span className={styles.note}>{note}</span>}
            </>
          );
          return (
            <li key={href}>
              {isFile ? (
                <a href={href} download className={styles.entry}>
                  {content}
                </a>
              ) : (
                <Link href={href} className={styles.entry}>
                  {content}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </PopupButton>
  );
}

interface PopupButtonProps {
  /** `plain`: the content itself is the button, and the popover begins where it does. */
  kind?: 'button' | 'plain';
  content: ReactNode;
  children: ReactNode;
}

/** A button with a popover of the browser: it opens before the page's scripts have come. Escape and a press elsewhere close it. */
export function PopupButton({ kind = 'button', content, children }: PopupButtonProps): ReactElement {
  // Of the place in the page: IDs that the server gives would be the same where one element is shown twice, and in a layout and its page.
  const id = useId();
  return (
    <>
      <button type="button" className={kind === 'button' ? styles.trigger : styles.plain} popoverTarget={id}>
        {content}
      </button>
      <div id={id} popover="auto" className={styles.popup} data-align={kind === 'plain' ? 'start' : undefined}>
        {children}
      </div>
    </>
  );
}
