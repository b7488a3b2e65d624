import { END_ROWS, type LoadedRows, type RowLoader } from './row-loader.ts';
import type { TablePage, TableRow, TableTotal } from './table-spec.ts';
import type { TableView } from './table-view.ts';

/** A list held whole in the browser. Places count from 0 in the order it was sent in. */
export interface MemoryList {
  count: number;
  /** The row at a place; built when it is shown. */
  row(place: number): TableRow;
  /** The places of all rows in an ascending order, by the key of its column. */
  order(sort: string): Uint32Array;
  /** Which places a search text and a ready-made filter leave; null: all. */
  filter(find: string, chip: string): ((place: number) => boolean) | null;
  /** The exact sums over some places, or all. */
  total(places: Uint32Array | null): TableTotal;
}

/** The rows of one view of a list in memory. Until the list is there, the page's first rows are shown. */
export function createMemoryRows(loadAll: () => Promise<MemoryList>, view: TableView, first: TablePage | null): RowLoader {
  const listeners = new Set<() => void>();
  let rows: LoadedRows = firstRows(first);
  let state: 'idle' | 'loading' | 'done' = 'idle';

  function change(next: LoadedRows): void {
    rows = next;
    for (const listener of listeners) listener();
  }

  async function load(): Promise<void> {
    if (state !== 'idle') return;
    state = 'loading';
    try {
      change(selectRows(await loadAll(), view));
      state = 'done';
    } catch (error) {
      change({ ...rows, failure: error instanceof Error ? error.message : String(error) });
    }
  }

  return {
    read: () => rows,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    want: () => void load(),
    retry: () => {
      state = 'idle';
      change({ ...rows, failure: null });
      void load();
    },
  };
}

function firstRows(first: TablePage | null): LoadedRows {
  const head = first?.rows ?? [];
  return {
    total: first?.total ?? null,
    isStale: first?.isStale ?? false,
    failure: null,
    headCount: head.length,
    at: (index) => head[index],
    ends: () => head,
  };
}

/** The rows of a view: those its filter leaves, in its order. The descending order is the exact reverse of the ascending one. */
export function selectRows(list: MemoryList, { sort, dir, find, chip }: TableView): LoadedRows {
  const keeps = list.filter(find, chip);
  const ordered = list.order(sort);
  const places = keeps === null ? ordered : ordered.filter(keeps);
  const built = new Map<number, TableRow>();
  const at = (index: number): TableRow | undefined => {
    const place = places[dir === 'asc' ? index : places.length - 1 - index];
    if (place === undefined) return undefined;
    const known = built.get(place) ?? list.row(place);
    built.set(place, known);
    return known;
  };
  const ends = (): TableRow[] => {
    const count = places.length;
    const indexes = [...range(0, Math.min(END_ROWS, count)), ...range(Math.max(END_ROWS, count - END_ROWS), count)];
    return indexes.flatMap((index) => at(index) ?? []);
  };
  return { total: list.total(keeps === null ? null : places), isStale: false, failure: null, headCount: places.length, at, ends };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
