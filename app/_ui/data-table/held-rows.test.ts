import { describe, expect, test } from 'vitest';
import { createRowSource } from './row-source.ts';
import type { RowSource } from './row-store.ts';
import type { TablePage } from './table-spec.ts';

const row = (id: number) => ({ id: String(id), href: null, cells: {} });

async function settled(source: RowSource): Promise<(string | undefined)[]> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  return Array.from({ length: source.read().total?.count ?? 0 }, (_, index) => source.read().at(index)?.id);
}

describe('a list held whole', () => {
  const list = {
    row,
    order: (sort: string) => ({ net: [3, 1, 2, 0], file: [0, 1, 2, 3] })[sort] ?? null,
    chip: (key: string) =>
      ({ all: { rows: null, total: { count: 4, sums: {} } }, few: { rows: [0, 3], total: { count: 2, sums: { net: '7.00' } } } })[key] ??
      null,
  };
  const open = (view: { sort: string; dir: 'asc' | 'desc'; chip: string }, first: TablePage | null = null) =>
    createRowSource({ hold: async () => list, ...view }, first);

  test.each([
    ['net', 'asc', 'all', ['3', '1', '2', '0']],
    ['net', 'desc', 'all', ['0', '2', '1', '3']],
    ['net', 'desc', 'few', ['0', '3']],
    ['file', 'asc', 'few', ['0', '3']],
  ] as const)('shows the rows by %s %s of the chip %s', async (sort, dir, chip, ids) => {
    const source = open({ sort, dir, chip });
    source.want(0, 3);
    expect(await settled(source)).toEqual(ids);
    expect(source.read().headCount).toBe(ids.length);
  });

  test('has the sums that were stored of a chip', async () => {
    const source = open({ sort: 'net', dir: 'asc', chip: 'few' });
    source.want(0, 3);
    await settled(source);
    expect(source.read().total).toEqual({ count: 2, sums: { net: '7.00' } });
  });

  test('shows the first rows of the page until it is there', async () => {
    const source = open(
      { sort: 'file', dir: 'asc', chip: 'all' },
      { rows: [row(9)], next: null, total: { count: 4, sums: {} }, isStale: false },
    );
    expect([source.read().at(0)?.id, source.read().at(1), source.read().headCount]).toEqual(['9', undefined, 1]);
    source.want(0, 3);
    expect(await settled(source)).toEqual(['0', '1', '2', '3']);
  });

  test('fails for an order that was not stored, and loads again on a retry', async () => {
    let loads = 0;
    const source = createRowSource(
      { hold: async () => ((loads += 1) === 1 ? { ...list, order: () => null } : list), sort: 'net', dir: 'asc', chip: 'all' },
      null,
    );
    source.want(0, 3);
    await settled(source);
    expect(source.read().failure).toMatch(/order/);
    source.retry();
    expect((await settled(source)).length).toBe(4);
    expect(source.read().failure).toBeNull();
  });
});
