/** One thing a look-up found, in words, and where it is. */
export interface FoundThing {
  href: string;
  title: string;
  /** What it is, so that it is told from another. */
  note: string;
}

/** What the box is told. `canAsk`: Invo was not asked and can be. `mayBeMore`: and may know something else of the same digits. */
export interface LookUpReply {
  found: FoundThing[];
  /** What happened, in a sentence; null when the things found say enough. */
  sentence: string | null;
  isTrouble: boolean;
  canAsk: boolean;
  mayBeMore: boolean;
  /** Invo's reference to quote. */
  errorId: string | null;
  /** Offered only on Invo's own word that it is not in this game. */
  isNotHere: boolean;
}

/** How the box asks: the game, what was typed, and whether Invo is asked too. */
export type AskLookUp = (slug: string, text: string, asks: 'held' | 'invo') => Promise<LookUpReply>;
