import type { TablePage, TableRow, TableTotal } from '../table-words.ts';

/** Rows held from both ends of one list. `tail` is counted from the last row backwards. */
export interface LoadedRows {
  head: TableRow[];
  tail: TableRow[];
  /** Null until the first answer. */
  total: TableTotal | null;
  isStale: boolean;
  /** Why rows are missing, in a sentence; null: nothing is wrong. */
  failure: string | null;
}

/** Asks for rows from one end; `after` is where the last answer from that end stopped. Throws an error whose message is for the person. */
export type FetchRows = (end: 'head' | 'tail', after: string | null) => Promise<TablePage>;

export interface RowLoader {
  read(): LoadedRows;
  subscribe(listener: () => void): () => void;
  /** Sees to it that the rows from one place to another are there or on their way. */
  want(from: number, to: number): void;
  /** Asks again after a failure. */
  retry(): void;
}

const NOTHING: LoadedRows = { head: [], tail: [], total: null, isStale: false, failure: null };

/** The row at a place in the list; undefined while it is not loaded. */
export function rowAt({ head, tail, total }: LoadedRows, index: number): TableRow | undefined {
  return head[index] ?? (total === null ? undefined : tail[total.count - 1 - index]);
}

/** Loads one list from whichever end is nearer to what is wanted. The list must not change while it is read, which evidence never does. */
export function createRowLoader(fetchRows: FetchRows, first: TablePage | null): RowLoader {
  let rows: LoadedRows = first ? { ...NOTHING, head: first.rows, total: first.total, isStale: first.isStale } : NOTHING;
  const next: Record<'head' | 'tail', string | null> = { head: first?.next ?? null, tail: null };
  const listeners = new Set<() => void>();
  let wanted: [number, number] = [0, 0];
  let isBusy = false;

  function change(part: Partial<LoadedRows>): void {
    rows = { ...rows, ...part };
    for (const listener of listeners) listener();
  }

  function missingEnd(): 'head' | 'tail' | null {
    if (rows.total === null) return 'head';
    const { count } = rows.total;
    for (let index = wanted[0]; index <= Math.min(wanted[1], count - 1); index += 1) {
      if (rowAt(rows, index)) continue;
      return index - rows.head.length <= count - rows.tail.length - 1 - index ? 'head' : 'tail';
    }
    return null;
  }

  async function load(): Promise<void> {
    const end = missingEnd();
    if (isBusy || end === null || rows.failure !== null) return;
    isBusy = true;
    try {
      const page = await fetchRows(end, next[end]);
      next[end] = page.next;
      if (page.rows.length === 0 && (page.total ?? rows.total)?.count !== 0)
        throw new Error('The list ended before its count. Load the page again.');
      change({ [end]: [...rows[end], ...page.rows], total: page.total ?? rows.total, isStale: rows.isStale || page.isStale });
    } catch (error) {
      change({ failure: error instanceof Error ? error.message : String(error) });
    }
    isBusy = false;
    await load();
  }

  return {
    read: () => rows,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    want: (from, to) => {
      wanted = [Math.max(0, from), to];
      void load();
    },
    retry: () => {
      change({ failure: null });
      void load();
    },
  };
}
