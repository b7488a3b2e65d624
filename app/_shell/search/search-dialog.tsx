'use client';

import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { type ReactElement, useRef } from 'react';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { DialogClose } from '#app/_ui/controls/dialog-close.tsx';
import styles from './search-dialog.module.css';
import type { SearchAction, SearchOption, SearchStart } from './search-reply.ts';
import { useSearch } from './use-search.ts';

export interface SearchGame {
  slug: string;
  label: string;
}

interface SearchDialogProps {
  action: SearchAction;
  games: SearchGame[];
  start: SearchStart;
  canSeeEmails: boolean;
  onClose: () => void;
}

/** The search box: local matches while typing, Invo on Enter when nothing local matches. */
export function SearchDialog({ action, games, start, canSeeEmails, onClose }: SearchDialogProps): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const highlighted = useRef<SearchOption | undefined>(undefined);
  const box = useSearch({ action, games, start, onClose });
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} initialFocus={input}>
          <Dialog.Title className="sr-only">Search</Dialog.Title>
          <Autocomplete.Root
            open
            inline
            mode="none"
            filter={null}
            items={box.options}
            itemToStringValue={() => box.text}
            value={box.text}
            onValueChange={(text, { reason }) => reason === 'input-change' && box.type(text)}
            onItemHighlighted={(option) => {
              highlighted.current = option;
            }}
          >
            <div className={styles.line}>
              <Search size={18} aria-hidden="true" className={styles.icon} />
              <Autocomplete.Input
                ref={input}
                className={styles.input}
                aria-label={canSeeEmails ? 'Email or any ID' : 'Any ID'}
                aria-describedby="search-status"
                placeholder={canSeeEmails ? 'Email or any Invo ID' : 'Any Invo ID'}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                enterKeyHint="search"
                maxLength={1_000}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.nativeEvent.isComposing || highlighted.current) return;
                  event.preventDefault();
                  box.submit();
                }}
              />
              <DialogClose />
            </div>
            {games.length > 1 && (
              <label className={styles.game}>
                Game{' '}
                <select value={box.slug} onChange={(event) => box.chooseGame(event.target.value)}>
                  {games.map((game) => (
                    <option key={game.slug} value={game.slug}>
                      {game.label}
                    </option>
                  ))}
                </select>
              </label>
            )}
            <div id="search-status" role="status" className={box.isError ? styles.error : styles.answer}>
              {box.status}
              {box.errorId !== null && <CopyButton text={box.errorId} what="reference" />}
            </div>
            <Autocomplete.List aria-label="Results" className={styles.choices} hidden={box.options.length === 0}>
              {(option: SearchOption) => (
                <Autocomplete.Item
                  key={`${option.href} ${option.title} ${option.note}`}
                  value={option}
                  className={clsx(styles.choice, option.href === null && styles.further)}
                  onClick={option.choose}
                >
                  <bdi className={styles.title}>{option.title}</bdi>
                  <span className={styles.note}>{option.note}</span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
          <p className={styles.help}>
            IDs of players, subscriptions, periods, transactions, orders, transfers, payments, requests and webhooks
            {canSeeEmails ? ', and emails' : ''}.{' '}
            <span className={styles.keys}>
              <kbd>↑</kbd> <kbd>↓</kbd> to move, <kbd>Enter</kbd> to open, <kbd>Esc</kbd> to close.
            </span>
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
