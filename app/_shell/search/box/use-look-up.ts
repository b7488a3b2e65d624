import { useRouter } from 'next/navigation';
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react';
import type { LookUpStart } from '../look-up-start.ts';
import type { AskLookUp, LookUpReply } from '../look-up-words.ts';
import type { Choice } from './choices.tsx';
import { listChoices, stepTo } from './list-choices.ts';
import { onlyThing, wantsInvo } from './next-look.ts';
import { useAsking } from './use-asking.ts';

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
  const [current, setCurrent] = useState(-1);
  const [peeked, setPeeked] = useState<string | null>(null);
  const { waiting, askOnce, askSoon, forget } = useAsking(ask);

  const open = (href: string): void => {
    onClose();
    router.push(href);
  };
  const lookUp = async (of: string, asks: 'held' | 'invo'): Promise<void> => {
    const answer = await askOnce(asks, of, text);
    if (answer === null) return;
    if (asks === 'held' && wantsInvo(answer)) {
      // What is held stays in reach while Invo is asked.
      if (answer.found.length > 0) setReply(answer);
      return lookUp(of, 'invo');
    }
    const only = onlyThing(answer);
    if (only !== null) return open(only.href);
    setReply(answer);
    setCurrent(-1);
  };
  const begin = useEffectEvent(() => {
    if (start.text !== '') void lookUp(start.slug, 'held');
  });
  useEffect(() => begin(), []);

  const lookIn = (other: string): void => {
    setSlug(other);
    setReply(null);
    void lookUp(other, 'held');
  };
  const others = games.filter((game) => game.slug !== slug);
  const choices = reply === null ? [] : listChoices(reply, { others, open, askInvo: () => void lookUp(slug, 'invo'), lookIn });
  const choose = (place: number): void => choices[place]?.act();
  // While somebody types, only what was found is worth telling.
  const peek = (of: string, sought: string): void => {
    forget();
    setReply(null);
    setCurrent(-1);
    askSoon(of, sought, (held) => {
      if (held.found.length > 0) setReply(held);
      else if (held.canAsk) setPeeked(sought);
    });
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = ARROWS[event.key];
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      if (current >= 0) choose(current);
      else void lookUp(slug, 'held');
    } else if (step !== undefined && choices.length > 0) {
      setCurrent(stepTo(step, { current, count: choices.length }));
    } else return;
    event.preventDefault();
  };
  return {
    text,
    slug,
    reply,
    told: tell(reply, waiting, peeked === text && text !== ''),
    choices,
    current,
    type: (typed) => {
      setText(typed);
      peek(slug, typed);
    },
    chooseGame: (chosen) => {
      setSlug(chosen);
      peek(chosen, text);
    },
    point: setCurrent,
    choose,
    onKey,
  };
}

const ARROWS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

function tell(reply: LookUpReply | null, waiting: 'held' | 'invo' | null, isNotHeld: boolean): string {
  if (waiting === 'invo') return 'Asking Invo…';
  if (reply !== null && reply.sentence !== null) return reply.sentence;
  if (waiting === 'held') return 'Looking…';
  return isNotHeld ? 'Not held here. Enter asks Invo.' : countOf(reply);
}

function countOf(reply: LookUpReply | null): string {
  const count = reply?.found.length ?? 0;
  return count === 0 ? '' : `${count === 1 ? 'One thing is' : `${count} things are`} held.`;
}
