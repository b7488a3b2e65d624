/** A whole number for a person: thousands separated. */
export function formatCount(count: number): string {
  return String(count)
    .replace(/\B(?=(\d{3})+$)/g, ',')
    .replace('-', '−');
}

/** A whole number with its noun: `1 line`, `2,000 lines`. */
export function countNoun(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}
