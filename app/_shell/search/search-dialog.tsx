import { Search } from 'lucide-react';
import type { ComponentProps, ReactElement } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
import { CloseButton } from '#app/_ui/controls/side-dialog.tsx';
import styles from './search-dialog.module.css';
import type { Searched } from './search-reply.ts';
import { SearchResults } from './search-results.tsx';

interface SearchDialogProps extends Searched {
  /** The game on the screen, or the first one. */
  slug: string;
  canSeeEmails: boolean;
}

/** The search box: part of the page's HTML, opened by `listenForKeys`, so that its field has every key from the first on. Nothing ever draws the field again. */
export function SearchDialog({ action, games, slug, canSeeEmails }: SearchDialogProps): ReactElement {
  return (
    <dialog id="search" className={styles.popup} aria-label="Search" data-print="no" suppressHydrationWarning>
      <div className={styles.box}>
        <div className={styles.line}>
          <Search size={18} aria-hidden="true" className={styles.icon} />
          <input
            className={styles.input}
            role="combobox"
            aria-autocomplete="list"
            aria-describedby="search-status"
            aria-expanded={false}
            {...attributesOf(canSeeEmails)}
          />
          <CloseButton />
        </div>
        {games.length > 1 && (
          <label className={styles.game}>
            Game{' '}
            <select defaultValue={slug}>
              {games.map((game) => (
                <option key={game.slug} value={game.slug}>
                  {game.label}
                </option>
              ))}
            </select>
          </label>
        )}
        <SearchResults action={action} games={games} />
        <p className={styles.help}>
          IDs of players, subscriptions, periods, transactions, orders, transfers, payments, requests and webhooks
          {canSeeEmails ? ', and emails' : ''}.{' '}
          <span className={styles.keys}>
            <kbd>↑</kbd> <kbd>↓</kbd> to move, <kbd>Enter</kbd> to open, <kbd>Esc</kbd> to close.
          </span>
        </p>
      </div>
    </dialog>
  );
}

/** What each field for a search has. */
function attributesOf(canSeeEmails: boolean): ComponentProps<'input'> {
  return {
    'aria-label': canSeeEmails ? 'Email or any ID' : 'Any ID',
    placeholder: canSeeEmails ? 'Email or any Invo ID' : 'Any Invo ID',
    autoComplete: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
    enterKeyHint: 'search',
    maxLength: 1_000,
  };
}

interface SearchFieldProps {
  canSeeEmails: boolean;
  /** Id of the text that says what happens on typing. */
  describedBy: string;
}

/** The field of a page that begins with the search. It has the focus, and `listenForKeys` continues in the search box what is typed into it. */
export function SearchField({ canSeeEmails, describedBy }: SearchFieldProps): ReactElement {
  return (
    <div className={styles.field}>
      <Search size={18} aria-hidden="true" className={styles.icon} />
      <input
        className={styles.input}
        type="search"
        aria-haspopup="dialog"
        aria-describedby={describedBy}
        {...attributesOf(canSeeEmails)}
        autoFocus
        data-search-field=""
      />
    </div>
  );
}

/** Opens the search box; `isShort` where only the icon fits. */
export function SearchButton({ isShort = false }: { isShort?: boolean }): ReactElement {
  if (isShort)
    return (
      <button type="button" className={styles.short} aria-label="Search" aria-haspopup="dialog" data-search="">
        <Search size={20} aria-hidden="true" />
      </button>
    );
  return (
    <button type="button" className={styles.button} aria-haspopup="dialog" aria-keyshortcuts="Control+K Meta+K" data-search="" data-key="/">
      Search{' '}
      <kbd className={styles.key}>
        <span className={styles.control}>Ctrl K</span>
        <span className={styles.command}>⌘K</span>
      </kbd>
    </button>
  );
}

interface SearchElsewhereProps {
  others: { slug: string; label: string }[];
  /** The text to search for. It is put into the box and into no address. */
  text: string;
}

/** Repeats a search in the other games the person can see. */
export function SearchElsewhere({ others, text }: SearchElsewhereProps): ReactElement {
  return (
    <>
      {others.map(({ slug, label }) => (
        <Button key={slug} search={{ text, game: slug }}>
          Search in {label}
        </Button>
      ))}
    </>
  );
}
