/** The farthest a list of Invo can be asked for (document 2, limits). */
export const OFFSET_MAX = 100_000;

/** Where a page of a list begins, from an address: a whole number within what Invo answers, else the beginning. */
export function readOffset(text: string | string[] | undefined): number {
  const offset = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return offset <= OFFSET_MAX ? offset : 0;
}
