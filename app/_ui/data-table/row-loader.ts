import type { TablePage, TableRow, TableTotal } from './table-spec.ts';
import { isPrivateFind, type TableView } from './table-view.ts';

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

/** Loads rows from one end; `after` is where the last response from that end stopped. Throws an error whose message is shown. */
export type FetchRows = (end: 'head' | 'tail', after: string | null) => Promise<TablePage>;

/** Where the rows of one view come from: loaded in parts as they are scrolled to, or held whole in memory. */
export interface RowLoader {
  read(): LoadedRows;
  subscribe(listener: () => void): () => void;
  /** Loads the rows from one index to another unless they are loaded or loading. */
  want(from: number, to: number): void;
  /** Loads again after a failure. */
  retry(): void;
}

/** Rows of each end that are looked at for the width of a column. */
export const END_ROWS = 60;

/** Rows held from both ends of one list. `tail` is counted from the last row backwards. */
interface HeldRows {
  head: TableRow[];
  tail: TableRow[];
  total: TableTotal | null;
  isStale: boolean;
  failure: string | null;
}

function view({ head, tail, total, isStale, failure }: HeldRows): LoadedRows {
  return {
    total,
    isStale,
    failure,
    headCount: head.length,
    at: (index) => head[index] ?? (total === null ? undefined : tail[total.count - 1 - index]),
    ends: () => [...head.slice(0, END_ROWS), ...tail.slice(0, END_ROWS)],
  };
}

/** Loads one list from whichever end is nearer to what is wanted. The list must not change meanwhile; evidence never does. */
export function createRowLoader(fetchRows: FetchRows, first: TablePage | null): RowLoader {
  let held: HeldRows = {
    head: first?.rows ?? [],
    tail: [],
    total: first?.total ?? null,
    isStale: first?.isStale ?? false,
    failure: null,
  };
  let rows = view(held);
  const next: Record<'head' | 'tail', string | null> = { head: first?.next ?? null, tail: null };
  const listeners = new Set<() => void>();
  let wanted: [number, number] = [0, 0];
  let isBusy = false;

  function change(part: Partial<HeldRows>): void {
    held = { ...held, ...part };
    rows = view(held);
    for (const listener of listeners) listener();
  }

  function missingEnd(): 'head' | 'tail' | null {
    if (rows.total === null) return 'head';
    const { count } = rows.total;
    for (let index = wanted[0]; index <= Math.min(wanted[1], count - 1); index += 1) {
      if (rows.at(index)) continue;
      return index - held.head.length <= count - held.tail.length - 1 - index ? 'head' : 'tail';
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
        throw new Error('The list ended before its count. Reload the page.');
      change({ [end]: [...held[end], ...page.rows], total: page.total ?? rows.total, isStale: rows.isStale || page.isStale });
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

const PAGE_ROWS = 200;

/** Requests the rows of a view. A text that may be an email goes in the body of a POST, never in an address. */
export function requestRows(href: string, view: TableView): FetchRows {
  return async (end, after) => {
    const [path = '', query] = href.split('?');
    const params = new URLSearchParams(query);
    params.set('sort', view.sort);
    params.set('dir', end === 'head' ? view.dir : view.dir === 'asc' ? 'desc' : 'asc');
    params.set('chip', view.chip);
    params.set('limit', String(PAGE_ROWS));
    if (view.find !== '') params.set('find', view.find);
    if (after !== null) params.set('after', after);
    return await readAnswer(await send(path, params, isPrivateFind(view.find)));
  };
}

async function send(path: string, params: URLSearchParams, isPrivate: boolean): Promise<Response> {
  try {
    return await (isPrivate ? fetch(path, { method: 'POST', body: params }) : fetch(`${path}?${params}`));
  } catch {
    throw new Error('Couldn’t reach Sharebook. The rows on the screen are unchanged. Try again.');
  }
}

async function readAnswer(answer: Response): Promise<TablePage> {
  if (answer.redirected || !answer.headers.get('content-type')?.includes('application/json')) {
    throw new Error(
      answer.redirected || answer.status === 403 ? 'You’re signed out. Reload the page to sign in.' : 'Couldn’t load the rows. Try again.',
    );
  }
  const body = (await answer.json()) as TablePage | { sentence: string };
  if ('sentence' in body) throw new Error(body.sentence);
  return body;
}
