import { clsx } from 'clsx';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import styles from './button.module.css';

/** `main`: the page's main action; `plain`: others; `quiet`: beside text; `danger`: can't be undone. */
export type ButtonKind = 'main' | 'plain' | 'quiet' | 'danger';

export interface ButtonProps {
  kind?: ButtonKind;
  type?: 'button' | 'submit';
  onPress?: () => void;
  isDisabled?: boolean;
  /** Opens the search box and searches a game for a text. */
  search?: { text: string; game: string };
  /** The key that presses it, while single keys are on. */
  shortcut?: string;
  /** The accessible name, where the text alone is unclear. */
  label?: string;
  children: ReactNode;
}

/** A button. */
export function Button(props: ButtonProps): ReactElement {
  const { kind = 'plain', type = 'button', onPress, isDisabled = false, search, shortcut, label, children } = props;
  return (
    <button
      type={type}
      className={clsx(styles.button, styles[kind])}
      onClick={onPress}
      disabled={isDisabled}
      aria-label={label}
      data-search={search?.text}
      data-game={search?.game}
      data-key={shortcut}
    >
      {children}
    </button>
  );
}

export interface LinkButtonProps {
  kind?: ButtonKind;
  href: string;
  /** A file to download, not a page to open. */
  isFile?: boolean;
  children: ReactNode;
}

/** A link to a page or a file that looks like a button. */
export function LinkButton({ kind = 'plain', href, isFile = false, children }: LinkButtonProps): ReactElement {
  if (isFile) {
    return (
      <a href={href} download className={clsx(styles.button, styles[kind])}>
        {children}
      </a>
    );
  }
  return (
    <Link href={href} className={clsx(styles.button, styles[kind])}>
      {children}
    </Link>
  );
}
