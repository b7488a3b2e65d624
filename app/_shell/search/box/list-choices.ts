import type { LookUpReply } from '../look-up-words.ts';
import type { Choice } from './choices.tsx';

interface Ways {
  /** Games and environments the text was not looked for in. */
  others: { slug: string; label: string }[];
  open: (href: string) => void;
  askInvo: () => void;
  lookIn: (slug: string) => void;
}

/** What the box offers under an answer: what was found, Invo where it may know more, and the other games where Invo says it is not here. */
export function listChoices({ found, canAsk, isNotHere, isTrouble }: LookUpReply, { others, open, askInvo, lookIn }: Ways): Choice[] {
  const invo = { title: isTrouble ? 'Ask Invo again' : 'Ask Invo too', note: 'what is held may not be all', href: null, act: askInvo };
  return [
    ...found.map((thing) => ({ ...thing, act: () => open(thing.href) })),
    ...(canAsk ? [invo] : []),
    ...(isNotHere ? others : []).map(({ slug, label }) => ({
      title: `Look in ${label}`,
      note: 'another game or environment',
      href: null,
      act: () => lookIn(slug),
    })),
  ];
}

/** The choice the arrow keys come to; −1 is none of them. */
export function stepTo(step: 1 | -1, { current, count }: { current: number; count: number }): number {
  return (current + step + count + (current < 0 && step < 0 ? 1 : 0)) % count;
}
