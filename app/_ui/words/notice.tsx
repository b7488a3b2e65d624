import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, Hourglass, Info } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import styles from './notice.module.css';

/** `note`: information; `good`: success; `wait`: old or partial; `bad`: failed or doesn’t match. */
type Voice = 'note' | 'good' | 'wait' | 'bad';

export interface NoticeProps {
  voice: Voice;
  /** What happened. */
  title: string;
  /** What is safe and what to do. */
  children?: ReactNode;
  actions?: ReactNode;
}

const ICONS = { note: Info, good: CircleCheck, wait: Hourglass, bad: CircleAlert };

/** What one needs to know about the page: what happened, what is safe, what to do. */
export function Notice({ voice, title, children, actions }: NoticeProps): ReactElement {
  const Icon = ICONS[voice];
  return (
    <section className={clsx(styles.notice, styles[voice])} aria-label={title}>
      <Icon className={styles.icon} size={18} aria-hidden="true" />
      <div className={styles.body}>
        <p className={styles.title}>{title}</p>
        {children !== undefined && <div className={styles.text}>{children}</div>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}
