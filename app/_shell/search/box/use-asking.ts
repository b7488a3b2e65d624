import { useEffect, useRef, useState } from 'react';
import type { AskLookUp, LookUpReply } from '../look-up-words.ts';

const PAUSE_MS = 250;
const LENGTH_MIN = 3;

interface Asking {
  /** What is being asked; null: nothing is. */
  waiting: 'held' | 'invo' | null;
  /** Asks now; null when something else was typed or asked before the answer came. */
  askOnce: (asks: 'held' | 'invo', of: string, sought: string) => Promise<LookUpReply | null>;
  /** Looks in what is held once nobody has typed for a moment. */
  askSoon: (of: string, sought: string, use: (held: LookUpReply) => void) => void;
  /** Drops the answer that is on its way. */
  forget: () => void;
}

/** Asks one thing at a time. An answer that comes after something else was typed or asked is dropped. */
export function useAsking(ask: AskLookUp): Asking {
  const [waiting, setWaiting] = useState<'held' | 'invo' | null>(null);
  const turn = useRef(0);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(pause.current);
      turn.current += 1;
    },
    [],
  );
  const askOnce: Asking['askOnce'] = async (asks, of, sought) => {
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
  return {
    waiting,
    askOnce,
    askSoon: (of, sought, use) => {
      clearTimeout(pause.current);
      if (sought.trim().length < LENGTH_MIN) return;
      pause.current = setTimeout(async () => {
        const held = await askOnce('held', of, sought);
        if (held !== null) use(held);
      }, PAUSE_MS);
    },
    forget: () => {
      turn.current += 1;
      setWaiting(null);
    },
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
