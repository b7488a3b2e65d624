/** What a state means: the colour of its label. */
export type Tone = 'good' | 'wait' | 'bad' | 'busy' | 'quiet';

/** A text with a capital first letter. */
export function capitalise(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** A key in words: `payable_usd` is `payable USD`, `pullId` is `pull ID`. */
export function inWords(key: string): string {
  return key
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/^is_/, '')
    .split('_')
    .map((word) => ({ usd: 'USD', id: 'ID', no: 'number', nos: 'numbers', sha256: 'SHA-256' })[word] ?? word)
    .join(' ');
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The value of a closed list that a stored text is. Throws for any other text: a CHECK allows only these, so the two lists differ. */
export function parseEnum<Value extends string>(values: readonly Value[], text: string): Value {
  const value = values.find((value) => value === text);
  if (value === undefined) throw new Error(`unknown stored value ${text}, expected one of ${values.join(', ')}`);
  return value;
}

/** The same for a column that can be NULL. */
export function parseEnumOrNull<Value extends string>(values: readonly Value[], text: string | null): Value | null {
  return text === null ? null : parseEnum(values, text);
}

/** A whole number with thousands separated. */
export function formatCount(count: number): string {
  return String(count)
    .replace(/\B(?=(\d{3})+$)/g, ',')
    .replace('-', '−');
}

/** A whole number with its noun: `1 line`, `2,000 lines`. */
export function countNoun(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}
