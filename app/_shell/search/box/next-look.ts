import type { FoundThing, LookUpReply } from '../look-up-words.ts';

/** Whether Enter goes on to Invo: nothing is held, or Invo may know something else of the same digits. */
export function wantsInvo({ found, canAsk, mayBeMore }: LookUpReply): boolean {
  return canAsk && (found.length === 0 || mayBeMore);
}

/** The thing Enter opens at once, when it is the only one the text can mean; null: what was found is listed. */
export function onlyThing({ found, isTrouble }: LookUpReply): FoundThing | null {
  const [only] = found;
  return only !== undefined && found.length === 1 && !isTrouble ? only : null;
}
