import { ENDED_EARLY, messageOf, openStore, type RowSource, type RowStore, range } from './row-store.ts';
import { BLOCK_ROWS, type TablePage, type TableRow } from './table-spec.ts';

/** Loads the block of rows that begins at a rank; the first one comes with the total. Throws an error whose message is shown. */
export type FetchBlock = (from: number, signal: AbortSignal) => Promise<TablePage>;

/** As many requests as a browser sends to one server at a time. */
const IN_FLIGHT = 6;

/** Blocks held at most: scrolling back over 20,000 rows needs no request, and memory doesn’t grow with the list. */
const BLOCKS_HELD = 200;

/** Frames that a request takes to be answered and drawn; a fling is met there. */
const FRAMES_AHEAD = [2, 3, 4];

/** The visible blocks first, then those that scrolling reaches next. What is no longer wanted is aborted. */
export function rankedRows(fetchBlock: FetchBlock, first: TablePage | null): RowSource {
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

  /** How many rows a block has; one in the first of an unknown list, so that it is asked for. */
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
