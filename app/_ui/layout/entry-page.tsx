import type { ReactElement, ReactNode } from 'react';
import styles from './entry-page.module.css';

export interface EntryPageProps {
  title: string;
  /** One sentence under the title. */
  sentence: string;
  isSimulated: boolean;
  children: ReactNode;
}

/** A page before sign-in: the product name and one card. */
export function EntryPage({ title, sentence, isSimulated, children }: EntryPageProps): ReactElement {
  return (
    <>
      {isSimulated && <header className={styles.simulated}>Simulated data. No real money moved.</header>}
      <main className={styles.page}>
        <div className={styles.product}>
          <span className={styles.mark} aria-hidden="true">
            S
          </span>
          Sharebook
        </div>
        <section className={styles.card} aria-labelledby="entry-title">
          <h1 id="entry-title">{title}</h1>
          <p className={styles.sentence}>{sentence}</p>
          {children}
        </section>
      </main>
    </>
  );
}

/** One thing in the middle of an otherwise empty page. */
export function CenteredPage({ children }: { children: ReactNode }): ReactElement {
  return (
    <main className={styles.centered}>
      <div className={styles.middle}>{children}</div>
    </main>
  );
}
