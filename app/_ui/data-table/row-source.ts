import { type FetchBlock, rankedRows } from './ranked-rows.ts';
import { ENDED_EARLY, messageOf, openStore, type RowSource, type RowStore, range } from './row-store.ts';
import type { TablePage, TableRow, TableTotal } from './table-spec.ts';

/** Loads rows from one end; `after` is where the last response from that end stopped. Throws an error whose message is shown. */
export type FetchEnd = (end: 'head' | 'tail', after: string | null) => Promise<TablePage>;

/** A list held whole. An index counts from 0 in the order of the file; orders and chips are those the server found. */
export interface HeldList {
  /** The row at an index; built when it is shown. */
  row(index: number): TableRow;
  /** The indexes of all rows in ascending order, by the key of its column; null: not known. */
  order(sort: string): readonly number[] | null;
  /** The rows that a chip leaves (null: all) and their total; null: not known. */
  chip(key: string): { rows: readonly number[] | null; total: TableTotal } | null;
}

/**
 * How rows are loaded: `hold` has the whole list at once, in the order and the chip of a view; `fetchBlock` any part by rank, for rows that
 * don’t change; `fetchEnd` from both ends, for lists that do.
 */
export type RowLoading =
  | { hold: () => Promise<HeldList>; sort: string; dir: 'asc' | 'desc'; chip: string }
  | { fetchBlock: FetchBlock }
  | { fetchEnd: FetchEnd };

/** Opens the rows of one view; the page’s first rows are shown until others are there. */
export function createRowSource(loading: RowLoading, first: TablePage | null): RowSource {
  if ('hold' in loading) return heldRows(loading, first);
  return 'fetchBlock' in loading ? rankedRows(loading.fetchBlock, first) : rowsOfEnds(loading.fetchEnd, first);
}

function heldRows({ hold, sort, dir, chip }: Extract<RowLoading, { hold: unknown }>, first: TablePage | null): RowSource {
  let places: readonly number[] | null = null;
  let row: HeldList['row'] | null = null;
  const built = new Map<number, TableRow>();
  let state: 'idle' | 'loading' | 'done' = 'idle';
  const store = openStore(first, {
    headCount: () => places?.length ?? first?.rows.length ?? 0,
    at: (index) => {
      const place = places?.[dir === 'asc' ? index : places.length - 1 - index];
      if (row === null) return first?.rows[index];
      if (place === undefined) return undefined;
      const known = built.get(place) ?? row(place);
      built.set(place, known);
      return known;
    },
  });

  async function load(): Promise<void> {
    if (state !== 'idle') return;
    state = 'loading';
    try {
      const list = await hold();
      const [order, kept] = [list.order(sort), list.chip(chip)];
      if (order === null || kept === null) throw new Error('Couldn’t load this order. Reload the page.');
      const isKept = kept.rows === null ? null : new Set(kept.rows);
      places = isKept === null ? order : order.filter((place) => isKept.has(place));
      row = list.row;
      state = 'done';
      store.change({ total: kept.total });
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

/** The list must not change order meanwhile; rows that come are new ones at an end. */
function rowsOfEnds(fetchEnd: FetchEnd, first: TablePage | null): RowSource {
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
