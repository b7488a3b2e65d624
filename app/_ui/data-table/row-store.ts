import type { TablePage, TableRow, TableTotal } from './table-spec.ts';

/** What is loaded of a list. */
export interface LoadedRows {
  /** Null until the first response. */
  total: TableTotal | null;
  isStale: boolean;
  /** Why rows are missing, in a sentence; null: none are. */
  failure: string | null;
  /** How many rows are loaded from the first one without a gap. */
  headCount: number;
  /** The row at an index; undefined until it is loaded. */
  at(index: number): TableRow | undefined;
  /** Loaded rows of both ends: an amount is as long as the longest known one. */
  ends(): TableRow[];
}

/** Where the rows of one view come from. */
export interface RowSource {
  read(): LoadedRows;
  subscribe(listener: () => void): () => void;
  /** Loads the rows from one index to another unless they are loaded or loading. */
  want(from: number, to: number): void;
  /** Loads again after a failure. */
  retry(): void;
}

/** Rows of each end that are looked at for the width of a column. */
const END_ROWS = 60;

/** What is known of a list of so many rows; null: of unknown length. */
interface KnownRows {
  at(index: number, count: number | null): TableRow | undefined;
  headCount(count: number | null): number;
}

export interface RowStore extends Pick<RowSource, 'read' | 'subscribe'> {
  change(part: Partial<Pick<LoadedRows, 'total' | 'isStale' | 'failure'>>): void;
}

/** What is loaded, and who looks at it. `left` is called when nobody does any more. */
export function openStore(first: TablePage | null, rows: KnownRows, left = (): void => undefined): RowStore {
  const listeners = new Set<() => void>();
  let facts = { total: first?.total ?? null, isStale: first?.isStale ?? false, failure: null as string | null };
  const look = (): LoadedRows => {
    const known = facts.total?.count ?? null;
    const count = known ?? 0;
    // A new function, so that what is drawn from these rows is drawn again.
    const at = (index: number): TableRow | undefined => rows.at(index, known);
    const ends = (): TableRow[] => {
      const tail = range(Math.max(END_ROWS, count - END_ROWS), count - 1);
      return [...range(0, Math.min(END_ROWS, count) - 1), ...tail].flatMap((index) => at(index) ?? []);
    };
    return { ...facts, headCount: rows.headCount(known), at, ends };
  };
  let shown = look();
  return {
    read: () => shown,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) left();
      };
    },
    change: (part) => {
      facts = { ...facts, ...part };
      shown = look();
      for (const listener of listeners) listener();
    },
  };
}

export const ENDED_EARLY = 'The list ended before its count. Reload the page.';

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The whole numbers from one to another, both included. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
