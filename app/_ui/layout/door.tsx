import type { ReactElement, ReactNode } from 'react';
import styles from './door.module.css';

export interface DoorProps {
  title: string;
  /** One sentence under the title. */
  sentence: string;
  isSimulated: boolean;
  children: ReactNode;
}

/** The page in front of the rooms: one card in the middle, and the name of the house. */
export function Door({ title, sentence, isSimulated, children }: DoorProps): ReactElement {
  return (
    <>
      {isSimulated && <header className={styles.simulated}>Simulated data. Nothing here was earned by anyone.</header>}
      <main className={styles.page}>
        <div className={styles.house}>
          <span className={styles.mark} aria-hidden="true">
            S
          </span>
          Sharebook
        </div>
        <section className={styles.card} aria-labelledby="door-title">
          <h1 id="door-title">{title}</h1>
          <p className={styles.sentence}>{sentence}</p>
          {children}
        </section>
      </main>
    </>
  );
}
