'use client';

import { type ReactElement, useSyncExternalStore } from 'react';
import styles from './theme-switch.module.css';

type Theme = 'system' | 'light' | 'dark';

const CHOICES: { theme: Theme; word: string }[] = [
  { theme: 'system', word: 'Auto' },
  { theme: 'light', word: 'Light' },
  { theme: 'dark', word: 'Dark' },
];

/** Light, dark or the system's theme, stored in a cookie so that the first paint has the right one; `stored` is its value. */
export function ThemeSwitch({ stored }: { stored: string | undefined }): ReactElement {
  // Read from the page, because two switches on one page must agree.
  const chosen = useSyncExternalStore(watchTheme, readTheme, () => parseTheme(stored));
  return (
    <div className={styles.choices} role="group" aria-label="Theme">
      {CHOICES.map((choice) => (
        <button
          key={choice.theme}
          type="button"
          className={styles.choice}
          aria-pressed={chosen === choice.theme}
          onClick={() => applyTheme(choice.theme)}
        >
          {choice.word}
        </button>
      ))}
    </div>
  );
}

/** Any other text follows the system. */
function parseTheme(text: string | undefined): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}

function watchTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

function readTheme(): Theme {
  return parseTheme(document.documentElement.dataset.theme);
}

function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.cookie = `theme=${theme}; path=/; max-age=31536000; samesite=lax`;
}
