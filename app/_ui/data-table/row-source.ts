import { messageOf } from '#lib/core/strings.ts';
import {
  ENDED_EARLY,
  type FetchEnd,
  type HeldView,
  heldRows,
  openStore,
  type RowSource,
  type RowStore,
  range,
  rowsOfEnds,
} from './row-store.ts';
import { BLOCK_ROWS, type TablePage, type TableRow } from './table-spec.ts';
import { isPrivateFind, type TableView } from './table-view.ts';

/** Loads the block of rows that begins at a rank; the first one comes with the total. Throws an error whose message is shown. */
export type FetchBlock = (from: number, signal: AbortSignal) => Promise<TablePage>;

/**
 * How rows are loaded: `hold` has the whole list at once, in the order and the chip of a view; `fetchBlock` any part by rank, for rows that
 * don’t change; `fetchEnd` from both ends, for lists that do.
 */
export type RowLoading = HeldView | { fetchBlock: FetchBlock } | { fetchEnd: FetchEnd };

/** Opens the rows of one view; the page’s first rows are shown until others are there. */
export function createRowSource(loading: RowLoading, first: TablePage | null): RowSource {
  if ('hold' in loading) return heldRows(loading, first);
  return 'fetchBlock' in loading ? rankedRows(loading.fetchBlock, first) : rowsOfEnds(loading.fetchEnd, first);
}

/** As many requests as a browser sends to one server at a time. */
const IN_FLIGHT = 6;

/** Blocks held at most: scrolling back over 20,000 rows needs no request, and memory doesn’t grow with the list. */
const BLOCKS_HELD = 200;

/** Frames that a request takes to be answered and drawn; a fling is met there. */
const FRAMES_AHEAD = [2, 3, 4];

/** The visible blocks first, then those that scrolling reaches next. What is no longer wanted is aborted. */
function rankedRows(fetchBlock: FetchBlock, first: TablePage | null): RowSource {
  const blocks = new Map<number, TableRow[]>();
  const loading = new Map<number, AbortController>();
  let wanted = [0];
  let urgent = 1;
  let middle: number | null = null;
  const isWhole = first !== null && first.rows.length >= Math.min(BLOCK_ROWS, first.total?.count ?? 1);
  if (isWhole) blocks.set(0, first.rows);
  const store: RowStore = openStore(
    first,
    {
      headCount: (count) => {
        let whole = 0;
        while (blocks.has(whole)) whole += 1;
        return whole === 0 ? (first?.rows.length ?? 0) : Math.min(count ?? 0, whole * BLOCK_ROWS);
      },
      at: (index) => blocks.get(Math.floor(index / BLOCK_ROWS))?.[index % BLOCK_ROWS] ?? first?.rows[index],
    },
    // Nobody looks at this order or filter any more.
    () => {
      wanted = [];
      load();
    },
  );

  /** How many rows a block has; one in the first of an unknown list, so that it is requested. */
  function sizeOf(block: number): number {
    const { total } = store.read();
    return total === null ? (block === 0 ? 1 : 0) : Math.min(BLOCK_ROWS, total.count - block * BLOCK_ROWS);
  }

  function load(): void {
    const isFailed = store.read().failure !== null;
    const missing = isFailed ? [] : wanted.filter((block) => !blocks.has(block) && block >= 0 && sizeOf(block) > 0);
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
      const { total, isStale } = store.read();
      const count = (page.total ?? total)?.count;
      const size = count === undefined ? 1 : Math.min(BLOCK_ROWS, count - block * BLOCK_ROWS);
      if (page.rows.length < size) throw new Error(ENDED_EARLY);
      blocks.set(block, page.rows);
      loading.delete(block);
      dropFarthest();
      store.change({ total: page.total ?? total, isStale: isStale || page.isStale });
    } catch (error) {
      if (isDropped()) return;
      loading.delete(block);
      store.change({ failure: messageOf(error) });
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
    ...store,
    want: (from, to) => {
      const here = (from + to) / 2;
      ({ wanted, urgent } = rankBlocks(Math.max(0, from), to, here - (middle ?? here)));
      middle = here;
      load();
    },
    retry: () => {
      store.change({ failure: null });
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

const PAGE_ROWS = 200;

/** Requests the rows of a view from one end. A text that may be an email goes in the body of a POST, never in an address. */
export function requestEnds(href: string, view: TableView): FetchEnd {
  return async (end, after) =>
    await request(href, view, {
      dir: end === 'head' ? view.dir : view.dir === 'asc' ? 'desc' : 'asc',
      limit: String(PAGE_ROWS),
      ...(after === null ? {} : { after }),
    });
}

/** Requests the rows of a view by rank; an email as `requestEnds` does. */
export function requestBlocks(href: string, view: TableView): FetchBlock {
  return async (from, signal) => await request(href, view, { dir: view.dir, limit: String(BLOCK_ROWS), from: String(from) }, signal);
}

/** Requests the sums over some rows of a list, by their ids, from the server; ids go in the body of a POST, which has room for them. */
export async function requestSums(href: string, sort: string, ids: string[]): Promise<Record<string, string>> {
  const [path = '', query] = href.split('?');
  const body = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(query)), sort, dir: 'asc', limit: '1', ids: ids.join() });
  return (await readAnswer(await fetch(path, { method: 'POST', body }))).total?.sums ?? {};
}

async function request(href: string, view: TableView, page: Record<string, string>, signal?: AbortSignal): Promise<TablePage> {
  const [path = '', query] = href.split('?');
  const found = view.find === '' ? {} : { find: view.find };
  const params = new URLSearchParams({
    ...Object.fromEntries(new URLSearchParams(query)),
    sort: view.sort,
    chip: view.chip,
    ...page,
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
