import { describe, expect, test } from 'vitest';
import { createRowSource, type FetchBlock } from './row-source.ts';
import type { FetchEnd, RowSource } from './row-store.ts';
import { BLOCK_ROWS, type TablePage } from './table-spec.ts';

const PAGE = 10;
const row = (id: number) => ({ id: String(id), href: null, cells: {} });

function listOf(count: number): { fetchEnd: FetchEnd; requests: string[] } {
  const requests: string[] = [];
  const fetchEnd: FetchEnd = async (end, after) => {
    requests.push(`${end} ${after ?? 'start'}`);
    const from = Number(after ?? 0);
    const ids = Array.from({ length: Math.min(PAGE, count - from) }, (_, index) =>
      end === 'head' ? from + index : count - 1 - from - index,
    );
    const total = after === null && end === 'head' ? { count, sums: {} } : null;
    return { rows: ids.map(row), next: from + PAGE < count ? String(from + PAGE) : null, total, isStale: false };
  };
  return { fetchEnd, requests };
}

async function settled(loader: RowSource): Promise<(string | undefined)[]> {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
  return Array.from({ length: loader.read().total?.count ?? 0 }, (_, index) => loader.read().at(index)?.id);
}

test('only the wanted rows are loaded', async () => {
  const { fetchEnd, requests } = listOf(100);
  const loader = createRowSource({ fetchEnd }, null);
  loader.want(0, 12);
  const ids = await settled(loader);
  expect(ids.slice(0, 21)).toEqual([...Array.from({ length: 20 }, (_, index) => String(index)), undefined]);
  expect(requests).toEqual(['head start', 'head 10']);
});

test('the last rows are loaded from the other end, without the middle', async () => {
  const { fetchEnd, requests } = listOf(1000);
  const loader = createRowSource({ fetchEnd }, null);
  loader.want(0, 5);
  await settled(loader);
  loader.want(985, 999);
  const ids = await settled(loader);
  expect(ids.slice(979)).toEqual([undefined, ...Array.from({ length: 20 }, (_, index) => String(980 + index))]);
  expect(requests).toEqual(['head start', 'tail start', 'tail 10']);
});

test('every index holds its own row when both ends meet', async () => {
  const { fetchEnd } = listOf(47);
  const loader = createRowSource({ fetchEnd }, null);
  loader.want(0, 46);
  expect(await settled(loader)).toEqual(Array.from({ length: 47 }, (_, index) => String(index)));
});

test('the first page from the server isn’t loaded again', async () => {
  const { fetchEnd, requests } = listOf(30);
  const first: TablePage = { rows: [row(0), row(1)], next: '2', total: { count: 30, sums: {} }, isStale: false };
  const loader = createRowSource({ fetchEnd }, first);
  loader.want(0, 1);
  await settled(loader);
  expect(requests).toEqual([]);
  loader.want(0, 3);
  await settled(loader);
  expect(requests).toEqual(['head 2']);
});

test('an empty list is loaded once', async () => {
  const { fetchEnd, requests } = listOf(0);
  const loader = createRowSource({ fetchEnd }, null);
  loader.want(0, 20);
  await settled(loader);
  expect([loader.read().total?.count, loader.read().failure, requests.length]).toEqual([0, null, 1]);
});

test('after a failure nothing is loaded until a retry', async () => {
  const { fetchEnd, requests } = listOf(5);
  let isDown = true;
  const loader = createRowSource(
    { fetchEnd: (end, after) => (isDown ? Promise.reject(new Error('The database is unavailable.')) : fetchEnd(end, after)) },
    null,
  );
  loader.want(0, 5);
  await settled(loader);
  expect(loader.read().failure).toBe('The database is unavailable.');
  isDown = false;
  loader.want(0, 5);
  await settled(loader);
  expect(requests).toEqual([]);
  loader.retry();
  expect((await settled(loader)).length).toBe(5);
});

test('a list that ends before its count fails instead of looping', async () => {
  const loader = createRowSource({ fetchEnd: async () => ({ rows: [], next: null, total: { count: 3, sums: {} }, isStale: false }) }, null);
  loader.want(0, 3);
  await settled(loader);
  expect(loader.read().failure).toMatch(/ended before/);
});

describe('a list loaded by rank', () => {
  const COUNT = 120_000;

  /** A source that answers on command, in any order. */
  function source(count = COUNT) {
    const requests = new Map<number, { answer: () => void; fail: (message: string) => void; signal: AbortSignal }>();
    const log: number[] = [];
    const fetchBlock: FetchBlock = (from, signal) => {
      log.push(from);
      return new Promise((resolve, reject) => {
        const ids = Array.from({ length: Math.min(BLOCK_ROWS, count - from) }, (_, index) => from + index);
        const page = { rows: ids.map(row), next: null, total: from === 0 ? { count, sums: {} } : null, isStale: false };
        requests.set(from, { answer: () => resolve(page), fail: (message) => reject(new Error(message)), signal });
      });
    };
    const tell = async (how: 'answer' | 'fail', froms: number[]): Promise<void> => {
      for (const from of froms) {
        const one = requests.get(from);
        if (!one) throw new Error(`${from} was not requested`);
        one[how]('The database is unavailable.');
        for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      }
    };
    const open = (): number[] => [...requests].filter(([, { signal }]) => !signal.aborted).map(([from]) => from);
    return { fetchBlock, requests, log, open, tell };
  }
  const firstPage = (count = COUNT): TablePage => ({
    rows: Array.from({ length: Math.min(50, count) }, (_, index) => row(index)),
    next: null,
    total: { count, sums: {} },
    isStale: false,
  });
  const idsAt = (loader: RowSource, from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => loader.read().at(from + index)?.id);
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

  test('requests the visible block first, then its neighbours', async () => {
    const { fetchBlock, log, tell } = source();
    const loader = createRowSource({ fetchBlock }, firstPage());
    loader.want(60_010, 60_030);
    expect(log).toEqual([60_000]);
    await tell('answer', [60_000]);
    expect(log).toEqual([60_000, 60_100, 60_200, 59_900]);
  });

  test('puts every row at its own index, whatever the order of the answers', async () => {
    const { fetchBlock, tell } = source();
    const loader = createRowSource({ fetchBlock }, firstPage());
    loader.want(60_090, 60_110);
    await tell('answer', [60_100, 60_000, 60_300, 59_900, 60_200]);
    expect(idsAt(loader, 59_900, 60_399)).toEqual(numbers(59_900, 60_399));
    expect(idsAt(loader, 0, 50)).toEqual([...numbers(0, 49), undefined]);
    expect(loader.read()).toMatchObject({ failure: null, headCount: 50, total: { count: COUNT } });
  });

  test('aborts what is no longer wanted after a jump, and never shows its late answer elsewhere', async () => {
    const { fetchBlock, requests, open, tell } = source();
    const loader = createRowSource({ fetchBlock }, firstPage());
    loader.want(60_010, 60_030);
    const late = requests.get(60_000);
    loader.want(119_980, 119_999);
    expect(late?.signal.aborted).toBe(true);
    expect(open().filter((from) => from < 119_000)).toEqual([]);
    late?.answer();
    await tell('answer', [119_900]);
    expect(idsAt(loader, 119_980, 119_999)).toEqual(numbers(119_980, 119_999));
    expect(loader.read().at(60_010)).toBeUndefined();
  });

  test('a bounded number of requests is in flight', () => {
    const { fetchBlock, open } = source();
    const loader = createRowSource({ fetchBlock }, firstPage());
    for (let from = 0; from < COUNT - 1_000; from += 937) {
      loader.want(from, from + 30);
      expect(open().length).toBeLessThanOrEqual(6);
      expect(open()).toContain(Math.floor(from / BLOCK_ROWS) * BLOCK_ROWS);
    }
  });

  test('is ahead of a steady fling, so that no visible row is missing', async () => {
    const { fetchBlock, open, tell } = source();
    const loader = createRowSource({ fetchBlock }, firstPage());
    const blank: number[] = [];
    // Answers come two frames after their request.
    const frames: number[][] = [[], []];
    for (let from = 0; from < COUNT - 4_000; from += 1_000) {
      loader.want(from, from + 30);
      if (from > 4_000 && idsAt(loader, from, from + 30).includes(undefined)) blank.push(from);
      frames.push(open());
      await tell(
        'answer',
        (frames.shift() ?? []).filter((start) => open().includes(start)),
      );
    }
    expect(blank).toEqual([]);
  });

  test('holds a bounded number of blocks, those around the visible one', async () => {
    const { fetchBlock, open, tell } = source(30_000);
    const loader = createRowSource({ fetchBlock }, firstPage(30_000));
    for (let from = 0; from < 30_000; from += 100) {
      loader.want(from, from + 30);
      await tell('answer', open());
    }
    const held = Array.from({ length: 30_000 / BLOCK_ROWS }, (_, block) => loader.read().at(block * BLOCK_ROWS)).filter(Boolean);
    expect(held.length).toBeLessThanOrEqual(201);
    expect(loader.read().at(30_000 - 1)?.id).toBe(String(30_000 - 1));
    expect(loader.read().at(5_000)).toBeUndefined();
  });

  test('after a failure nothing is requested until a retry, and loaded rows stay', async () => {
    const { fetchBlock, log, tell } = source();
    const loader = createRowSource({ fetchBlock }, firstPage());
    loader.want(500, 520);
    await tell('fail', [500]);
    expect(loader.read().failure).toBe('The database is unavailable.');
    const before = log.length;
    loader.want(9_000, 9_020);
    expect([log.length, loader.read().at(10)?.id]).toEqual([before, '10']);
    loader.retry();
    expect(loader.read().failure).toBeNull();
    await tell('answer', [9_000]);
    expect(idsAt(loader, 9_000, 9_020)).toEqual(numbers(9_000, 9_020));
  });

  test('everything is aborted when another order or filter replaces it in mid-flight', async () => {
    const { fetchBlock, requests, open, tell } = source();
    const loader = createRowSource({ fetchBlock }, firstPage());
    const changes: number[] = [];
    const leave = loader.subscribe(() => changes.push(1));
    loader.want(60_010, 60_030);
    leave();
    expect(open()).toEqual([]);
    await tell('answer', [...requests.keys()]);
    expect([changes.length, loader.read().at(60_010)]).toEqual([0, undefined]);
  });

  test('a list of unknown length is requested from its first row, and an empty one once', async () => {
    const { fetchBlock, log, tell } = source(0);
    const loader = createRowSource({ fetchBlock }, null);
    loader.want(0, 20);
    await tell('answer', [0]);
    loader.want(0, 0);
    expect([log, loader.read().total?.count, loader.read().failure]).toEqual([[0], 0, null]);
  });

  test('a whole first page is not requested again', () => {
    const { fetchBlock, log } = source(40);
    const loader = createRowSource({ fetchBlock }, firstPage(40));
    loader.want(0, 39);
    expect([log, loader.read().headCount]).toEqual([[], 40]);
  });

  test('a list that ends before its count fails instead of looping', async () => {
    const log: number[] = [];
    const loader = createRowSource(
      {
        fetchBlock: async (from) => {
          log.push(from);
          return { rows: [row(from)], next: null, total: null, isStale: false };
        },
      },
      firstPage(150),
    );
    loader.want(0, 20);
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    expect([loader.read().failure, log.length]).toEqual(['The list ended before its count. Reload the page.', 1]);
  });
});
