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

/** Somewhere to go, drawn like a button. */
export function LinkButton({ kind = 'plain', href, children }: { kind?: ButtonKind; href: string; children: ReactNode }): ReactElement {
  return (
    <Link href={href} className={clsx(styles.button, styles[kind])}>
      {children}
    </Link>
  );
}
