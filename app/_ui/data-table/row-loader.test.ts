import { expect, test } from 'vitest';
import { createRowLoader, type FetchRows, type RowLoader } from './row-loader.ts';
import type { TablePage } from './table-spec.ts';

const PAGE = 10;
const row = (id: number) => ({ id: String(id), href: null, cells: {} });

function listOf(count: number): { fetchRows: FetchRows; asked: string[] } {
  const asked: string[] = [];
  const fetchRows: FetchRows = async (end, after) => {
    asked.push(`${end} ${after ?? 'start'}`);
    const from = Number(after ?? 0);
    const ids = Array.from({ length: Math.min(PAGE, count - from) }, (_, index) =>
      end === 'head' ? from + index : count - 1 - from - index,
    );
    const total = after === null && end === 'head' ? { count, sums: {} } : null;
    return { rows: ids.map(row), next: from + PAGE < count ? String(from + PAGE) : null, total, isStale: false };
  };
  return { fetchRows, asked };
}

async function settled(loader: RowLoader): Promise<(string | undefined)[]> {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
  return Array.from({ length: loader.read().total?.count ?? 0 }, (_, index) => loader.read().at(index)?.id);
}

test('only the wanted rows are loaded', async () => {
  const { fetchRows, asked } = listOf(100);
  const loader = createRowLoader(fetchRows, null);
  loader.want(0, 12);
  const ids = await settled(loader);
  expect(ids.slice(0, 21)).toEqual([...Array.from({ length: 20 }, (_, index) => String(index)), undefined]);
  expect(asked).toEqual(['head start', 'head 10']);
});

test('the last rows are loaded from the other end, without the middle', async () => {
  const { fetchRows, asked } = listOf(1000);
  const loader = createRowLoader(fetchRows, null);
  loader.want(0, 5);
  await settled(loader);
  loader.want(985, 999);
  const ids = await settled(loader);
  expect(ids.slice(979)).toEqual([undefined, ...Array.from({ length: 20 }, (_, index) => String(980 + index))]);
  expect(asked).toEqual(['head start', 'tail start', 'tail 10']);
});

test('every index holds its own row when both ends meet', async () => {
  const { fetchRows } = listOf(47);
  const loader = createRowLoader(fetchRows, null);
  loader.want(0, 46);
  expect(await settled(loader)).toEqual(Array.from({ length: 47 }, (_, index) => String(index)));
});

test('the first page from the server isn’t loaded again', async () => {
  const { fetchRows, asked } = listOf(30);
  const first: TablePage = { rows: [row(0), row(1)], next: '2', total: { count: 30, sums: {} }, isStale: false };
  const loader = createRowLoader(fetchRows, first);
  loader.want(0, 1);
  await settled(loader);
  expect(asked).toEqual([]);
  loader.want(0, 3);
  await settled(loader);
  expect(asked).toEqual(['head 2']);
});

test('an empty list is loaded once', async () => {
  const { fetchRows, asked } = listOf(0);
  const loader = createRowLoader(fetchRows, null);
  loader.want(0, 20);
  await settled(loader);
  expect([loader.read().total?.count, loader.read().failure, asked.length]).toEqual([0, null, 1]);
});

test('after a failure nothing is loaded until a retry', async () => {
  const { fetchRows, asked } = listOf(5);
  let isDown = true;
  const loader = createRowLoader(
    (end, after) => (isDown ? Promise.reject(new Error('The database is unavailable.')) : fetchRows(end, after)),
    null,
  );
  loader.want(0, 5);
  await settled(loader);
  expect(loader.read().failure).toBe('The database is unavailable.');
  isDown = false;
  loader.want(0, 5);
  await settled(loader);
  expect(asked).toEqual([]);
  loader.retry();
  expect((await settled(loader)).length).toBe(5);
});

test('a list that ends before its count fails instead of looping', async () => {
  const loader = createRowLoader(async () => ({ rows: [], next: null, total: { count: 3, sums: {} }, isStale: false }), null);
  loader.want(0, 3);
  await settled(loader);
  expect(loader.read().failure).toMatch(/ended before/);
});
