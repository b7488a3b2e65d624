import { BLOCK_ROWS, type TablePage, type TableRow, type TableTotal } from './table-spec.ts';
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

/** Loads the block of rows that begins at a rank; the first one comes with the total. Throws an error whose message is shown. */
export type FetchBlock = (from: number, signal: AbortSignal) => Promise<TablePage>;

/** As many requests as a browser sends to one server at a time. */
const IN_FLIGHT = 6;

/** Blocks held at most: scrolling back over 20,000 rows needs no request, and memory doesn’t grow with the list. */
const BLOCKS_HELD = 200;

/** Frames that a request takes to be answered and drawn; a fling is met there. */
const FRAMES_AHEAD = [2, 3, 4];

/**
 * Loads any part of one list by rank: the visible blocks first, then those that scrolling reaches next. What is no longer wanted is
 * aborted. For rows that never change.
 */
export function createRankedLoader(fetchBlock: FetchBlock, first: TablePage | null): RowLoader {
  const listeners = new Set<() => void>();
  const blocks = new Map<number, TableRow[]>();
  const loading = new Map<number, AbortController>();
  const facts = { total: first?.total ?? null, isStale: first?.isStale ?? false, failure: null as string | null };
  let wanted = [0];
  let urgent = 1;
  let middle: number | null = null;
  if (first !== null && first.rows.length >= sizeOf(0)) blocks.set(0, first.rows);
  let rows = look();

  function look(): LoadedRows {
    const at = (index: number): TableRow | undefined =>
      blocks.get(Math.floor(index / BLOCK_ROWS))?.[index % BLOCK_ROWS] ?? first?.rows[index];
    const count = facts.total?.count ?? 0;
    let whole = 0;
    while (blocks.has(whole)) whole += 1;
    const headCount = whole === 0 ? (first?.rows.length ?? 0) : Math.min(count, whole * BLOCK_ROWS);
    const ends = (): TableRow[] => {
      const tail = range(Math.max(END_ROWS, count - END_ROWS), count - 1);
      return [...range(0, Math.min(END_ROWS, count) - 1), ...tail].flatMap((index) => at(index) ?? []);
    };
    return { ...facts, headCount, at, ends };
  }

  function change(part: Partial<typeof facts>): void {
    Object.assign(facts, part);
    rows = look();
    for (const listener of listeners) listener();
  }

  /** How many rows a block has; one in the first of an unknown list, so that it is asked for. */
  function sizeOf(block: number): number {
    return facts.total === null ? (block === 0 ? 1 : 0) : Math.min(BLOCK_ROWS, facts.total.count - block * BLOCK_ROWS);
  }

  function load(): void {
    const missing = facts.failure === null ? wanted.filter((block) => !blocks.has(block) && block >= 0 && sizeOf(block) > 0) : [];
    // Neighbours wait until everything visible is there: beside it, they would only make it late.
    const soon = missing.filter((block) => wanted.indexOf(block) < urgent);
    const next = (soon.length > 0 ? soon : missing).slice(0, IN_FLIGHT);
    for (const [block, controller] of loading) {
      if (next.includes(block)) continue;
      loading.delete(block);
      controller.abort();
    }
    for (const block of next) if (!loading.has(block)) void loadBlock(block);
  }

  async function loadBlock(block: number): Promise<void> {
    const controller = new AbortController();
    loading.set(block, controller);
    const isDropped = (): boolean => loading.get(block) !== controller;
    try {
      const page = await fetchBlock(block * BLOCK_ROWS, controller.signal);
      if (isDropped()) return;
      facts.total = page.total ?? facts.total;
      if (page.rows.length < sizeOf(block)) throw new Error('The list ended before its count. Reload the page.');
      blocks.set(block, page.rows);
      loading.delete(block);
      dropFarthest();
      change({ isStale: facts.isStale || page.isStale });
    } catch (error) {
      if (isDropped()) return;
      loading.delete(block);
      change({ failure: error instanceof Error ? error.message : String(error) });
    }
    load();
  }

  function dropFarthest(): void {
    if (blocks.size <= BLOCKS_HELD) return;
    const here = wanted[0] ?? 0;
    const [farthest] = [...blocks.keys()].filter((block) => block !== 0).toSorted((a, b) => Math.abs(b - here) - Math.abs(a - here));
    if (farthest !== undefined) blocks.delete(farthest);
  }

  return {
    read: () => rows,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        // Nobody looks at this order or filter any more.
        if (listeners.size > 0) return;
        wanted = [];
        load();
      };
    },
    want: (from, to) => {
      const here = (from + to) / 2;
      ({ wanted, urgent } = rankBlocks(Math.max(0, from), to, here - (middle ?? here)));
      middle = here;
      load();
    },
    retry: () => {
      change({ failure: null });
      load();
    },
  };
}

/** The blocks to have, in order: the visible ones and those where a fling is in some frames, which are urgent, and the neighbours. */
function rankBlocks(from: number, to: number, step: number): { wanted: number[]; urgent: number } {
  const blockOf = (index: number): number => Math.floor(index / BLOCK_ROWS);
  const [first, last] = [blockOf(from), blockOf(to)];
  const isFling = Math.abs(step) >= BLOCK_ROWS / 2;
  const met = isFling ? FRAMES_AHEAD.map((frames) => blockOf((from + to) / 2 + step * frames)) : [];
  const neighbours = step < 0 ? [first - 1, first - 2, last + 1] : [last + 1, last + 2, first - 1];
  const urgent = new Set([...range(first, last), ...met]);
  return { wanted: [...new Set([...urgent, ...neighbours])], urgent: urgent.size };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

const PAGE_ROWS = 200;

/** Requests the rows of a view from one end. A text that may be an email goes in the body of a POST, never in an address. */
export function requestRows(href: string, view: TableView): FetchRows {
  return async (end, after) =>
    await request(href, view, {
      dir: end === 'head' ? view.dir : view.dir === 'asc' ? 'desc' : 'asc',
      limit: String(PAGE_ROWS),
      ...(after === null ? {} : { after }),
    });
}

/** Requests the rows of a view by rank; an email as `requestRows` does. */
export function requestBlocks(href: string, view: TableView): FetchBlock {
  return async (from, signal) => await request(href, view, { dir: view.dir, limit: String(BLOCK_ROWS), from: String(from) }, signal);
}

async function request(href: string, view: TableView, asked: Record<string, string>, signal?: AbortSignal): Promise<TablePage> {
  const [path = '', query] = href.split('?');
  const found = view.find === '' ? {} : { find: view.find };
  const params = new URLSearchParams({
    ...Object.fromEntries(new URLSearchParams(query)),
    sort: view.sort,
    chip: view.chip,
    ...asked,
    ...found,
  });
  const init = isPrivateFind(view.find) ? { method: 'POST', body: params } : {};
  const address = isPrivateFind(view.find) ? path : `${path}?${params}`;
  let answer: Response;
  try {
    answer = await fetch(address, { ...init, ...(signal ? { signal } : {}) });
  } catch {
    throw new Error('Couldn’t reach Sharebook. The rows on the screen are unchanged. Try again.');
  }
  return await readAnswer(answer);
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
