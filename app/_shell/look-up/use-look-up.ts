import { useRouter } from 'next/navigation';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Choice } from './choices.tsx';
import type { LookUpStart } from './look-up-start.ts';
import type { AskLookUp, LookUpReply } from './look-up-words.ts';
import { onlyThing, wantsInvo } from './next-look.ts';

const PAUSE_MS = 250;
const LENGTH_MIN = 3;

interface LookUpSettings {
  ask: AskLookUp;
  games: { slug: string; label: string }[];
  start: LookUpStart;
  onClose: () => void;
}

export interface LookUpBox {
  text: string;
  slug: string;
  reply: LookUpReply | null;
  /** What is said beneath the box. */
  told: string;
  choices: Choice[];
  /** The choice the keys act on; −1: none, Enter looks up. */
  current: number;
  type: (text: string) => void;
  chooseGame: (slug: string) => void;
  point: (place: number) => void;
  choose: (place: number) => void;
  onKey: (event: KeyboardEvent) => void;
}

/** What the look-up box does: looks in what is held after a pause in typing, and on Enter goes on to Invo when nothing is held. */
export function useLookUp({ ask, games, start, onClose }: LookUpSettings): LookUpBox {
  const router = useRouter();
  const [text, setText] = useState(start.text);
  const [slug, setSlug] = useState(start.slug);
  const [reply, setReply] = useState<LookUpReply | null>(null);
  const [waiting, setWaiting] = useState<'held' | 'invo' | null>(null);
  const [current, setCurrent] = useState(-1);
  const [peeked, setPeeked] = useState<string | null>(null);
  const turn = useRef(0);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);

  const go = (href: string): void => {
    onClose();
    router.push(href);
  };
  // An answer that comes after something else was typed or asked is dropped.
  const askOnce = async (asks: 'held' | 'invo', of: string, sought: string): Promise<LookUpReply | null> => {
    // Whoever pressed Enter is not overtaken by the look that typing began.
    clearTimeout(pause.current);
    turn.current += 1;
    const mine = turn.current;
    setWaiting(asks);
    const answer = await ask(of, sought, asks).catch(() => UNREACHED);
    if (mine !== turn.current) return null;
    setWaiting(null);
    return answer;
  };
  const show = (answer: LookUpReply): void => {
    const only = onlyThing(answer);
    if (only !== null) return go(only.href);
    setReply(answer);
    setCurrent(-1);
  };
  const lookUp = async (of: string, asks: 'held' | 'invo'): Promise<void> => {
    const held = await askOnce(asks, of, text);
    if (held === null) return;
    if (asks === 'invo' || !wantsInvo(held)) return show(held);
    // What is held stays in reach while Invo is asked.
    if (held.found.length > 0) setReply(held);
    await lookUp(of, 'invo');
  };
  // While somebody types, only what was found is worth telling.
  const peekSoon = (of: string, sought: string): void => {
    clearTimeout(pause.current);
    if (sought.trim().length < LENGTH_MIN) return;
    pause.current = setTimeout(async () => {
      const held = await askOnce('held', of, sought);
      if (held === null) return;
      if (held.found.length > 0) setReply(held);
      else if (held.canAsk) setPeeked(sought);
    }, PAUSE_MS);
  };
  const begin = useEffectEvent(() => {
    if (start.text !== '') void lookUp(start.slug, 'held');
  });
  useEffect(() => {
    begin();
    return () => {
      clearTimeout(pause.current);
      turn.current += 1;
    };
  }, []);

  const choices: Choice[] = reply === null ? [] : choicesOf(reply);
  function choicesOf({ found, canAsk, isNotHere, isTrouble }: LookUpReply): Choice[] {
    const others = isNotHere ? games.filter((game) => game.slug !== slug) : [];
    return [
      ...found.map((thing) => ({ ...thing, act: () => go(thing.href) })),
      ...(canAsk
        ? [
            {
              title: isTrouble ? 'Ask Invo again' : 'Ask Invo too',
              note: 'what is held may not be all',
              href: null,
              act: () => void lookUp(slug, 'invo'),
            },
          ]
        : []),
      ...others.map((other) => ({
        title: `Look in ${other.label}`,
        note: 'another game or environment',
        href: null,
        act: () => elsewhere(other.slug),
      })),
    ];
  }
  function elsewhere(other: string): void {
    setSlug(other);
    setReply(null);
    void lookUp(other, 'held');
  }
  const choose = (place: number): void => choices[place]?.act();
  const forget = (): void => {
    turn.current += 1;
    setWaiting(null);
    setReply(null);
    setCurrent(-1);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      if (current >= 0) choose(current);
      else void lookUp(slug, 'held');
    } else if (step !== undefined && choices.length > 0) {
      setCurrent((current + step + choices.length + (current < 0 && step < 0 ? 1 : 0)) % choices.length);
    } else return;
    event.preventDefault();
  };
  return {
    text,
    slug,
    reply,
    told:
      waiting === 'invo'
        ? 'Asking Invo…'
        : (reply?.sentence ??
          (waiting === 'held' ? 'Looking…' : peeked === text && text !== '' ? 'Not held here. Enter asks Invo.' : countOf(reply))),
    choices,
    current,
    type: (typed) => {
      setText(typed);
      forget();
      peekSoon(slug, typed);
    },
    chooseGame: (chosen) => {
      setSlug(chosen);
      forget();
      peekSoon(chosen, text);
    },
    point: setCurrent,
    choose,
    onKey,
  };
}

const UNREACHED: LookUpReply = {
  found: [],
  sentence: 'Sharebook itself did not answer. Try again in a moment.',
  isTrouble: true,
  canAsk: false,
  mayBeMore: false,
  errorId: null,
  isNotHere: false,
};

function countOf(reply: LookUpReply | null): string {
  const count = reply?.found.length ?? 0;
  return count === 0 ? '' : `${count === 1 ? 'One thing is' : `${count} things are`} held.`;
}
