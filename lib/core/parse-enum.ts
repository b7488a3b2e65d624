/** The value of a closed list that a stored text is. Throws for any other text: a CHECK allows only these, so the two lists differ. */
export function knownWord<Word extends string>(words: readonly Word[], text: string): Word {
  const known = words.find((word) => word === text);
  if (known === undefined) throw new Error(`unknown stored value ${text}, expected one of ${words.join(', ')}`);
  return known;
}

/** The same for a column that can be NULL. */
export function knownWordOrNull<Word extends string>(words: readonly Word[], text: string | null): Word | null {
  return text === null ? null : knownWord(words, text);
}
