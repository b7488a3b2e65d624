/** The word of a closed list that a stored text is. Throws for any other text: the table checks its words, so the two lists have parted. */
export function knownWord<Word extends string>(words: readonly Word[], text: string): Word {
  const known = words.find((word) => word === text);
  if (known === undefined) throw new Error(`a word nobody knows is stored: ${text} is none of ${words.join(', ')}`);
  return known;
}

/** The same of a text that may not be recorded; then it is null. */
export function knownWordOrNull<Word extends string>(words: readonly Word[], text: string | null): Word | null {
  return text === null ? null : knownWord(words, text);
}
