import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import styles from '../look-up-dialog.module.css';

/** Something the box offers: a thing to open, or a way to go on looking. */
export interface Choice {
  title: string;
  note: string;
  /** Where it is; null: it goes on looking. */
  href: string | null;
  act: () => void;
}

interface ChoicesProps {
  choices: Choice[];
  current: number;
  onPoint: (place: number) => void;
  onChoose: (place: number) => void;
}

/** What was found and what one can do next, one under the other; the box holds the focus and says which one is meant. */
export function Choices({ choices, current, onPoint, onChoose }: ChoicesProps): ReactElement {
  return (
    <div id="look-up-choices" role="listbox" aria-label="Found" className={styles.choices} hidden={choices.length === 0}>
      {choices.map(({ title, note, href }, place) => (
        <div
          key={`${href} ${title} ${note}`}
          id={`look-up-${place}`}
          role="option"
          tabIndex={-1}
          aria-selected={place === current}
          className={clsx(styles.choice, href === null && styles.further)}
          onMouseMove={() => onPoint(place)}
          onClick={() => onChoose(place)}
          onKeyDown={(event) => event.key === 'Enter' && onChoose(place)}
        >
          <bdi className={styles.title}>{title}</bdi>
          <span className={styles.note}>{note}</span>
        </div>
      ))}
    </div>
  );
}
