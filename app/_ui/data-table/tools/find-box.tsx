import { Search, X } from 'lucide-react';
import { type ReactElement, type Ref, useEffect, useRef, useState } from 'react';
import { cleanFind } from '../table-view.ts';
import styles from './table-tools.module.css';

const PAUSE_MS = 200;

interface FindBoxProps {
  ref: Ref<HTMLInputElement>;
  label: string;
  find: string;
  onFind: (text: string) => void;
}

/** The filter; it acts after a short pause in typing, at once on Enter, and Escape clears it. */
export function FindBox({ ref, label, find, onFind }: FindBoxProps): ReactElement {
  const [typed, setTyped] = useState(find);
  const acted = useRef(find);
  const act = (text: string): void => {
    acted.current = cleanFind(text);
    onFind(acted.current);
  };
  useEffect(() => {
    // Cleared or changed from elsewhere: the box follows, unless the change is the box's own.
    if (find !== acted.current) {
      acted.current = find;
      setTyped(find);
    }
  }, [find]);
  useEffect(() => {
    if (cleanFind(typed) === acted.current) return;
    const timer = setTimeout(() => act(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  });
  const clear = (): void => {
    setTyped('');
    act('');
  };
  return (
    <div className={styles.find}>
      <Search size={14} aria-hidden="true" className={styles.icon} />
      <input
        ref={ref}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') act(typed);
          if (event.key === 'Escape') clear();
        }}
      />
      {typed === '' ? (
        <kbd className={styles.key}>/</kbd>
      ) : (
        <button type="button" className={styles.clear} aria-label="Clear the filter" onClick={clear}>
          <X size={14} aria-hidden="true" />
        </button>
      )}
    </div>
  );
}
