'use client';

import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { clsx } from 'clsx';
import { Search } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactElement, useEffect, useEffectEvent, useRef, useState } from 'react';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { DialogClose } from '#app/_ui/controls/side-dialog-sheet.tsx';
import { formatLocalCount, NO_LOCAL_MATCH, SHAREBOOK_UNREACHABLE } from '#lib/search/text.ts';
import styles from './search-dialog.module.css';
import {
  continuesAtInvo,
  EMPTY_REPLY,
  listOptions,
  onlyMatch,
  type SearchAction,
  type SearchOption,
  type SearchReply,
  type SearchStart,
} from './search-reply.ts';

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

const PAUSE_MS = 250;
const LENGTH_MIN = 3;

interface SearchBox {
  text: string;
  slug: string;
  /** What the box says, read out when it changes. */
  status: string;
  isError: boolean;
  errorId: string | null;
  options: SearchOption[];
  type: (text: string) => void;
  chooseGame: (slug: string) => void;
  /** Searches at once, and at Invo when nothing local matches. */
  submit: () => void;
}

/** The state of the search box: searches local data after a pause in typing, and continues at Invo on Enter when nothing local matches. */
function useSearch({ action, games, start, onClose }: Omit<SearchDialogProps, 'canSeeEmails'>): SearchBox {
  const router = useRouter();
  const [text, setText] = useState(start.text);
  const [slug, setSlug] = useState(start.slug);
  const [reply, setReply] = useState<SearchReply | null>(null);
  const [unmatched, setUnmatched] = useState<string | null>(null);
  const { waiting, request, requestSoon, cancel } = useLatestRequest(action);

  const open = (href: string): void => {
    onClose();
    router.push(href);
  };
  const searchIn = async (game: string, scope: 'local' | 'invo'): Promise<void> => {
    const answer = await request(game, text, scope);
    if (answer === null) return;
    if (scope === 'local' && continuesAtInvo(answer)) {
      // Local matches stay in reach during the call to Invo.
      if (answer.matches.length > 0) setReply(answer);
      return searchIn(game, 'invo');
    }
    const only = onlyMatch(answer);
    if (only !== null) return open(only.href);
    setReply(answer);
  };

  const requestTyped = (game: string, typed: string): void => {
    if (typed.trim().length < LENGTH_MIN) return;
    // While a person types, only matches are worth showing.
    requestSoon(game, typed, (answer) => {
      if (answer.matches.length > 0) setReply(answer);
      else if (answer.canAskInvo) setUnmatched(typed);
    });
  };
  const searchAsTyped = (game: string, typed: string): void => {
    cancel();
    setReply(null);
    requestTyped(game, typed);
  };
  const searchStart = useEffectEvent(() => {
    if (start.isTyped) requestTyped(start.slug, start.text);
    else if (start.text !== '') void searchIn(start.slug, 'local');
  });
  useEffect(() => searchStart(), []);
  const steps = {
    others: games.filter((game) => game.slug !== slug),
    open,
    askInvo: () => void searchIn(slug, 'invo'),
    searchIn: (other: string) => {
      setSlug(other);
      setReply(null);
      void searchIn(other, 'local');
    },
  };
  return {
    text,
    slug,
    status: statusOf(reply, waiting, unmatched === text && text !== ''),
    isError: reply?.isError ?? false,
    errorId: reply?.errorId ?? null,
    options: reply === null ? [] : listOptions(reply, steps),
    type: (typed) => {
      setText(typed);
      searchAsTyped(slug, typed);
    },
    chooseGame: (game) => {
      setSlug(game);
      searchAsTyped(game, text);
    },
    submit: () => {
      // What typing has just found, or found unknown, isn't searched locally again.
      const found = reply === null || continuesAtInvo(reply) ? null : onlyMatch(reply);
      if (found !== null) open(found.href);
      else void searchIn(slug, unmatched === text ? 'invo' : 'local');
    },
  };
}

function statusOf(reply: SearchReply | null, waiting: 'local' | 'invo' | null, isUnmatched: boolean): string {
  if (waiting === 'invo') return 'Searching Invo…';
  if (reply !== null && reply.sentence !== null) return reply.sentence;
  if (waiting === 'local') return 'Searching…';
  return isUnmatched ? NO_LOCAL_MATCH : formatLocalCount(reply?.matches.length ?? 0);
}

interface LatestRequest {
  /** The scope of the search on its way; null: none. */
  waiting: 'local' | 'invo' | null;
  /** Searches now; null when a later search replaced this one. */
  request: (slug: string, text: string, scope: 'local' | 'invo') => Promise<SearchReply | null>;
  /** Searches local data once typing has paused. */
  requestSoon: (slug: string, text: string, use: (reply: SearchReply) => void) => void;
  /** Ignores the reply that is on its way. */
  cancel: () => void;
}

/** Sends one search at a time and ignores replies to earlier ones. */
function useLatestRequest(action: SearchAction): LatestRequest {
  const [waiting, setWaiting] = useState<'local' | 'invo' | null>(null);
  const latest = useRef(0);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(pause.current);
      latest.current += 1;
    },
    [],
  );
  const request: LatestRequest['request'] = async (slug, text, scope) => {
    // Enter cancels the search that typing was about to start.
    clearTimeout(pause.current);
    latest.current += 1;
    const mine = latest.current;
    setWaiting(scope);
    const reply = await action(slug, text, scope).catch(() => UNREACHABLE);
    if (mine !== latest.current) return null;
    setWaiting(null);
    return 'kind' in reply ? { ...EMPTY_REPLY, sentence: reply.sentence, isError: true } : reply;
  };
  return {
    waiting,
    request,
    requestSoon: (slug, text, use) => {
      clearTimeout(pause.current);
      pause.current = setTimeout(async () => {
        const reply = await request(slug, text, 'local');
        if (reply !== null) use(reply);
      }, PAUSE_MS);
    },
    cancel: () => {
      clearTimeout(pause.current);
      latest.current += 1;
      setWaiting(null);
    },
  };
}

const UNREACHABLE: SearchReply = { ...EMPTY_REPLY, sentence: SHAREBOOK_UNREACHABLE, isError: true };
