import { messageOf } from '#lib/core/strings.ts';
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

/** Rows of each end that are inspected for the width of a column. */
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
    const rowAt = (index: number): TableRow | undefined => rows.at(index, known);
    const ends = (): TableRow[] => {
      const tail = range(Math.max(END_ROWS, count - END_ROWS), count - 1);
      return [...range(0, Math.min(END_ROWS, count) - 1), ...tail].flatMap((index) => rowAt(index) ?? []);
    };
    return { ...facts, headCount: rows.headCount(known), at: rowAt, ends };
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

/** The whole numbers from one to another, both included. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/** A list held whole. An index counts from 0 in the order of the file; orders and chips are those the server found. */
export interface HeldList {
  /** The row at an index; built when it is shown. */
  row(index: number): TableRow;
  /** The indexes of all rows in ascending order, by the key of its column; null: not known. */
  order(sort: string): readonly number[] | null;
  /** The rows that a chip leaves (null: all) and their total; null: not known. */
  chip(key: string): { rows: readonly number[] | null; total: TableTotal } | null;
}

/** A view of a list held whole, and how to load the list. */
export interface HeldView {
  hold: () => Promise<HeldList>;
  sort: string;
  dir: 'asc' | 'desc';
  chip: string;
}

/** The rows of a view of a list held whole. */
export function heldRows({ hold, sort, dir, chip }: HeldView, first: TablePage | null): RowSource {
  let positions: readonly number[] | null = null;
  let row: HeldList['row'] | null = null;
  const built = new Map<number, TableRow>();
  let state: 'idle' | 'loading' | 'done' = 'idle';
  const store = openStore(first, {
    headCount: () => positions?.length ?? first?.rows.length ?? 0,
    at: (index) => {
      const rowIndex = positions?.[dir === 'asc' ? index : positions.length - 1 - index];
      if (row === null) return first?.rows[index];
      if (rowIndex === undefined) return undefined;
      const known = built.get(rowIndex) ?? row(rowIndex);
      built.set(rowIndex, known);
      return known;
    },
  });

  async function load(): Promise<void> {
    if (state !== 'idle') return;
    state = 'loading';
    try {
      const list = await hold();
      const [order, chosen] = [list.order(sort), list.chip(chip)];
      if (order === null || chosen === null) throw new Error('Couldn’t load this order. Reload the page.');
      const visible = chosen.rows === null ? null : new Set(chosen.rows);
      positions = visible === null ? order : order.filter((rowIndex) => visible.has(rowIndex));
      row = list.row;
      state = 'done';
      store.change({ total: chosen.total });
    } catch (error) {
      store.change({ failure: messageOf(error) });
    }
  }

  return {
    ...store,
    want: () => void load(),
    retry: () => {
      state = 'idle';
      store.change({ failure: null });
      void load();
    },
  };
}

/** Rows loaded from both ends. The list must not change order meanwhile; rows that come are new ones at an end. */
export function rowsOfEnds(fetchEnd: FetchEnd, first: TablePage | null): RowSource {
  // `tail` is counted from the last row backwards.
  const held: Record<'head' | 'tail', TableRow[]> = { head: first?.rows ?? [], tail: [] };
  const next: Record<'head' | 'tail', string | null> = { head: first?.next ?? null, tail: null };
  let wanted: [number, number] = [0, 0];
  let isBusy = false;
  const countOf = (): number | null => store.read().total?.count ?? null;
  const store: RowStore = openStore(first, {
    headCount: () => held.head.length,
    at: (index, count) => held.head[index] ?? (count === null ? undefined : held.tail[count - 1 - index]),
  });

  function missingEnd(): 'head' | 'tail' | null {
    const count = countOf();
    if (count === null) return 'head';
    const index = range(wanted[0], Math.min(wanted[1], count - 1)).find((each) => store.read().at(each) === undefined);
    if (index === undefined) return null;
    return index - held.head.length <= count - held.tail.length - 1 - index ? 'head' : 'tail';
  }

  async function load(): Promise<void> {
    const end = missingEnd();
    if (isBusy || end === null || store.read().failure !== null) return;
    isBusy = true;
    try {
      const page = await fetchEnd(end, next[end]);
      const { total, isStale } = store.read();
      next[end] = page.next;
      if (page.rows.length === 0 && (page.total ?? total)?.count !== 0) throw new Error(ENDED_EARLY);
      held[end] = [...held[end], ...page.rows];
      store.change({ total: page.total ?? total, isStale: isStale || page.isStale });
    } catch (error) {
      store.change({ failure: messageOf(error) });
    }
    isBusy = false;
    await load();
  }

  return {
    ...store,
    want: (from, to) => {
      wanted = [Math.max(0, from), to];
      void load();
    },
    retry: () => {
      store.change({ failure: null });
      void load();
    },
  };
}

/** Loads rows from one end; `after` is where the last response from that end stopped. Throws an error whose message is shown. */
export type FetchEnd = (end: 'head' | 'tail', after: string | null) => Promise<TablePage>;
