import { clsx } from 'clsx';
import { useRouter } from 'next/navigation';
import { type ReactElement, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { formatLocalCount, NO_LOCAL_MATCH, SHAREBOOK_UNREACHABLE } from '#lib/search/text.ts';
import styles from './search-dialog.module.css';
import {
  continuesAtInvo,
  EMPTY_REPLY,
  listOptions,
  onlyMatch,
  type SearchAction,
  type Searched,
  type SearchOption,
  type SearchReply,
} from './search-reply.ts';

/** The results of the search box: local matches while typing, Invo on Enter when nothing local matches. */
export function SearchList(props: Searched): ReactElement {
  const id = useId();
  const box = useSearch(props);
  const [active, setActive] = useState<number | null>(null);
  const { options } = box;
  const current = active === null ? undefined : options[active];

  const onInput = (): void => {
    setActive(null);
    box.type();
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.isComposing || (event.key !== 'Enter' && step === 0)) return;
    event.preventDefault();
    box.forgetEnter();
    if (step !== 0) setActive(nextIndex(active, step, options.length));
    else if (current) current.choose();
    else box.submit();
  };
  const onClose = (): void => {
    setActive(null);
    box.reset();
  };
  useBoxEvents({ onInput, onKey, onClose, onOpen: box.start, onGame: box.chooseGame });
  useEffect(() => {
    const { field } = findBox();
    field.setAttribute('aria-controls', id);
    field.setAttribute('aria-expanded', String(options.length > 0));
    if (current) field.setAttribute('aria-activedescendant', `${id}-${active}`);
    else field.removeAttribute('aria-activedescendant');
  }, [id, active, current, options.length]);

  return (
    <>
      <div id="search-status" role="status" className={box.isError ? styles.error : styles.answer}>
        {box.status}
        {box.errorId !== null && <CopyButton text={box.errorId} what="reference" />}
      </div>
      <div id={id} role="listbox" aria-label="Results" className={styles.choices} hidden={options.length === 0}>
        {options.map((option, index) => (
          <div
            key={`${option.href} ${option.title} ${option.note}`}
            id={`${id}-${index}`}
            ref={(element) => {
              if (index === active) element?.scrollIntoView({ block: 'nearest' });
            }}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            className={clsx(styles.choice, option.href === null && styles.further)}
            onPointerMove={() => setActive(index)}
            onClick={option.choose}
          >
            <bdi className={styles.title}>{option.title}</bdi>
            <span className={styles.note}>{option.note}</span>
          </div>
        ))}
      </div>
    </>
  );
}

/** From the field down to the last option and back to the field; null: the field. */
function nextIndex(active: number | null, step: 1 | -1, count: number): number | null {
  const next = (active ?? (step === 1 ? -1 : count)) + step;
  return next < 0 || next >= count ? null : next;
}

/** The box of the page with its field. It is there: this code is only drawn inside it. */
function findBox(): { box: HTMLDialogElement; field: HTMLInputElement; games: HTMLSelectElement | null } {
  const box = document.querySelector<HTMLDialogElement>('#search');
  const field = box?.querySelector('input');
  if (!box || !field) throw new Error('The page has no search box.');
  return { box, field, games: box.querySelector('select') };
}

interface BoxEvents {
  onInput: () => void;
  onKey: (event: KeyboardEvent) => void;
  onOpen: () => void;
  onClose: () => void;
  onGame: () => void;
}

/** Listens to the box and its field, which belong to the page. What happened before is handled once. */
function useBoxEvents(events: BoxEvents): void {
  const pass = useEffectEvent((name: keyof BoxEvents, event: Event) => {
    if (name === 'onKey') events.onKey(event as KeyboardEvent);
    else events[name]();
  });
  const start = useEffectEvent(() => events.onOpen());
  useEffect(() => {
    const { box, field, games } = findBox();
    const stop = new AbortController();
    const listen = (target: EventTarget | null, type: string, name: keyof BoxEvents): void =>
      target?.addEventListener(type, (event) => pass(name, event), { signal: stop.signal });
    listen(field, 'input', 'onInput');
    listen(field, 'keydown', 'onKey');
    listen(games, 'change', 'onGame');
    listen(box, 'open', 'onOpen');
    listen(box, 'close', 'onClose');
    start();
    return () => stop.abort();
  }, []);
}

const PAUSE_MS = 250;
const LENGTH_MIN = 3;

interface SearchBox {
  /** What the box says, read out when it changes. */
  status: string;
  isError: boolean;
  errorId: string | null;
  options: SearchOption[];
  /** The text of the field has changed. */
  type: () => void;
  chooseGame: () => void;
  /** Searches at once, and at Invo when nothing local matches. */
  submit: () => void;
  /** An Enter was acted on. */
  forgetEnter: () => void;
  /** The box has opened, perhaps with a text that was typed or entered already. */
  start: () => void;
  reset: () => void;
}

/** The state of the search box: searches local data after a pause in typing, and continues at Invo on Enter when nothing local matches. */
function useSearch({ action, games }: Searched): SearchBox {
  const router = useRouter();
  const [slug, setSlug] = useState('');
  const [reply, setReply] = useState<SearchReply | null>(null);
  const [isUnmatched, setUnmatched] = useState(false);
  const { waiting, request, requestSoon, cancel } = useLatestRequest(action);

  const open = (href: string): void => {
    findBox().box.close();
    router.push(href);
  };
  const searchIn = async (game: string, scope: 'local' | 'invo'): Promise<void> => {
    setSlug(game);
    setUnmatched(false);
    const answer = await request(game, findBox().field.value, scope);
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
  const chosenGame = (): string => findBox().games?.value ?? games[0]?.slug ?? '';
  const submit = (): void => {
    // What typing has just found, or found unknown, isn't searched locally again.
    const found = reply === null || continuesAtInvo(reply) ? null : onlyMatch(reply);
    if (found !== null) open(found.href);
    else void searchIn(chosenGame(), isUnmatched ? 'invo' : 'local');
  };
  const forgetEnter = (): void => {
    findBox().box.dataset['entered'] = '';
  };
  const reset = (): void => {
    cancel();
    setReply(null);
    setUnmatched(false);
  };
  const searchAsTyped = (): void => {
    reset();
    const typed = findBox().field.value;
    if (typed.trim().length < LENGTH_MIN) return;
    // While a person types, only matches are worth showing.
    requestSoon(chosenGame(), typed, (answer) => {
      if (answer.matches.length > 0) setReply(answer);
      else setUnmatched(answer.canAskInvo);
    });
  };
  const steps = {
    others: games.filter((game) => game.slug !== slug),
    open,
    askInvo: () => void searchIn(slug, 'invo'),
    searchIn: (other: string) => {
      const { games: select } = findBox();
      if (select) select.value = other;
      setReply(null);
      void searchIn(other, 'local');
    },
  };
  return {
    status: statusOf(reply, waiting, isUnmatched),
    isError: reply?.isError ?? false,
    errorId: reply?.errorId ?? null,
    options: reply === null ? [] : listOptions(reply, steps),
    type: searchAsTyped,
    chooseGame: searchAsTyped,
    submit,
    forgetEnter,
    start: () => {
      const { box, field } = findBox();
      const isEntered = field.value !== '' && box.dataset['entered'] === field.value;
      forgetEnter();
      if (isEntered) submit();
      else searchAsTyped();
    },
    reset,
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
