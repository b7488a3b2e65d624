import { Search, X } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '#app/_ui/controls/button.tsx';
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
            aria-label={canSeeEmails ? 'Email or any ID' : 'Any ID'}
            aria-autocomplete="list"
            aria-describedby="search-status"
            aria-expanded={false}
            placeholder={canSeeEmails ? 'Email or any Invo ID' : 'Any Invo ID'}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="search"
            maxLength={1_000}
          />
          <form method="dialog">
            <button className={styles.close} aria-label="Close">
              <X size={18} aria-hidden="true" />
            </button>
          </form>
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

<<<<<<< HEAD
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
=======
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
>>>>>>> s-player
  );
}
