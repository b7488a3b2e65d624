/** Where a key moves the current row in a list of `count` rows; null: the key moves nothing. May lie beyond the list. */
export function keyMove(key: string, { current, count, pageRows }: { current: number; count: number; pageRows: number }): number | null {
  const page = Math.max(1, pageRows);
  const moves: Record<string, number> = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    PageDown: current + page,
    PageUp: current - page,
    Home: 0,
    End: count - 1,
  };
  return Object.hasOwn(moves, key) ? (moves[key] ?? null) : null;
}
