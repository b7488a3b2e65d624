import { clsx } from 'clsx';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import styles from './button.module.css';

/** `main`: the one act a page is for; `plain`: others; `quiet`: beside text; `danger`: cannot be taken back. */
export type ButtonKind = 'main' | 'plain' | 'quiet' | 'danger';

export interface ButtonProps {
  kind?: ButtonKind;
  type?: 'button' | 'submit';
  onPress?: () => void;
  isDisabled?: boolean;
  /** What it does, where the text alone does not say it. */
  label?: string;
  children: ReactNode;
}

/** Something to press. */
export function Button({ kind = 'plain', type = 'button', onPress, isDisabled = false, label, children }: ButtonProps): ReactElement {
  return (
    <button type={type} className={clsx(styles.button, styles[kind])} onClick={onPress} disabled={isDisabled} aria-label={label}>
      {children}
    </button>
  );
}

export interface LinkButtonProps {
  kind?: ButtonKind;
  href: string;
  /** A file to take, not a page to go to. */
  isFile?: boolean;
  children: ReactNode;
}

/** Somewhere to go, or a file to take, drawn like a button. */
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
