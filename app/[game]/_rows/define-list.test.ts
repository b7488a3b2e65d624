import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { BLOCK_ROWS, type TableSpec } from '#app/_ui/data-table/table-spec.ts';
import { CursorError } from '#db/kit/paging.ts';
import { defineList, parseRowRequest, type Reader, type RowRequest } from './define-list.ts';

const SORTS = { net: [], name: [] };
const parse = (text: string) => parseRowRequest(new URLSearchParams(text), SORTS, ['all', 'negative']);

test('every parameter of a request for rows is parsed', () => {
  expect(parse('sort=net&dir=desc&chip=negative&limit=60&find=%20Bo%20&recipient=7&snapshot=41&after=abc')).toEqual({
    ok: true,
    request: { page: { sort: 'net', dir: 'desc', limit: 60, after: 'abc' }, find: 'Bo', chip: 'negative', recipient: 7 },
  });
});

test('a request that names only an order returns all rows in full pages', () => {
  expect(parse('sort=name&dir=asc')).toEqual({
    ok: true,
    request: { page: { sort: 'name', dir: 'asc', limit: 200, after: null }, find: '', chip: 'all', recipient: null },
  });
});

test('a request for a selection names its rows', () => {
  expect(parse('sort=net&dir=asc&ids=7,9')).toMatchObject({ ok: true, request: { ids: [7, 9] } });
});

test('a request by rank names how many rows come before', () => {
  expect(parse('sort=net&dir=asc&limit=100&from=60000')).toMatchObject({
    ok: true,
    request: { page: { sort: 'net', dir: 'asc', limit: 100, after: null, from: 60_000 } },
  });
});

test.each([
  'sort=net&dir=asc&from=50',
  'sort=net&dir=asc&from=-100',
  'sort=net&dir=asc&from=100&limit=50',
  'dir=asc',
  'sort=toString&dir=asc',
  'sort=net&dir=up',
  'sort=net&dir=asc&chip=some',
  'sort=net&dir=asc&limit=201',
  'sort=net&dir=asc&limit=0',
  'sort=net&dir=asc&limit=1e2',
  'sort=net&dir=asc&recipient=-1',
  'sort=net&dir=asc&snapshot=1.5',
  'sort=net&dir=asc&snapshot=99999999999999999999',
  'sort=net&dir=asc&ids=',
  'sort=net&dir=asc&ids=1,x',
  `sort=net&dir=asc&ids=${Array.from({ length: 1_001 }, (_, id) => id).join()}`,
])('a request for rows with %s is refused in a sentence', (text) => {
  expect(parse(text)).toMatchObject({ ok: false, sentence: expect.stringMatching(/\.$/) });
});

/** A source of a test is the name of the person who reads it. */
const SOURCE = { right: 'figures.read', findSource: async ({ person }: Reader) => person.name || null } as const;

function readerOf(source: string | null): Reader {
  const game = { gameId: 1, slug: 'demo', name: 'Demo', environment: 'production', timeZone: 'UTC', invoGameId: null } as const;
  return {
    game,
    person: { id: '1', name: source ?? '', email: 'a@b.example', roles: [], accountRefusal: null, hasShortcuts: true, may: () => true },
  };
}

describe('a list made from a definition', () => {
  const requested: RowRequest[] = [];
  const spec: TableSpec = {
    noun: ['row', 'rows'],
    columns: [{ key: 'name', label: 'Name', shape: 'text', width: 100, isSortable: true }],
    chips: [
      { key: 'all', label: 'All' },
      { key: 'negative', label: 'Negative balance' },
    ],
    rowsHref: '/rows',
    defaultSort: { key: 'net', dir: 'desc' },
    findLabel: 'Search',
    findNote: 'All of it matches anywhere.',
    ends: { first: 'First', last: 'Last' },
  };
  const list = defineList<string>({
    ...SOURCE,
    sorts: SORTS,
    chips: ['all', 'negative'],
    spec: () => spec,
    rows: async (_, request) => {
      requested.push(request);
      if (request.page.after === 'elsewhere') throw new CursorError('of another list');
      return { rows: [], next: null, total: null };
    },
    isStale: (source) => source === 'old',
    condition: () => sql`true`,
  });

  test('loads the first rows of the view the address names', async () => {
    const { first } = await list.loadFirst('new', Promise.resolve({ sort: 'name', dir: 'asc', show: 'negative', find: 'Bo' }));
    expect(first.view).toMatchObject({ sort: 'name', dir: 'asc', chip: 'negative', find: 'Bo' });
    expect(requested.at(-1)).toEqual({
      page: { sort: 'name', dir: 'asc', limit: 50, after: null, withTotal: true },
      find: 'Bo',
      chip: 'negative',
      recipient: null,
    });
  });

  test.each([
    ['sort=net&dir=asc', 200],
    ['sort=net&dir=asc&after=elsewhere', 400],
    ['sort=net&dir=asc&from=100', 400],
    ['sort=other&dir=asc', 400],
    ['sort=net&dir=asc&ids=1,2', 400],
    ['sort=net&dir=asc&find=a@b.example', 400],
  ])('answers a request with %s with %d', async (query, status) => {
    const answer = await list.respond(new Request(`http://localhost/rows?${query}`), readerOf('new'));
    expect(answer.status).toBe(status);
  });

  test('reads by rank where its rows never change, and sums only with the first of them', async () => {
    const ranked = defineList<string>({
      ...SOURCE,
      sorts: SORTS,
      chips: ['all'],
      spec: () => spec,
      rows: async (_, { page }) => ({
        rows: [{ id: String(page.from ?? 0), href: null, cells: {} }],
        next: null,
        total: page.withTotal ? { count: 300, sums: {} } : null,
      }),
      isRanked: true,
    });
    const ask = async (from: number): Promise<unknown> =>
      await (
        await ranked.respond(new Request(`http://localhost/rows?sort=net&dir=asc&limit=${BLOCK_ROWS}&from=${from}`), readerOf('new'))
      ).json();
    expect(await ask(0)).toMatchObject({ rows: [{ id: '0' }], total: { count: 300 } });
    expect(await ask(2 * BLOCK_ROWS)).toMatchObject({ rows: [{ id: String(2 * BLOCK_ROWS) }], total: null });
  });

  test('takes an email from the body of a POST', async () => {
    const request = new Request('http://localhost/rows', {
      method: 'POST',
      body: new URLSearchParams('sort=net&dir=asc&find=a@b.example'),
    });
    expect(await (await list.respond(request, readerOf('old'))).json()).toMatchObject({ isStale: true });
    expect(requested.at(-1)?.find).toBe('a@b.example');
  });

  test('refuses a body that is longer than any search, without reading it to its end', async () => {
    let taken = 0;
    const body = new ReadableStream({
      pull(controller) {
        taken += 1;
        controller.enqueue(new TextEncoder().encode('x'.repeat(1_000)));
      },
    });
    const request = new Request('http://localhost/rows', { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect((await list.respond(request, readerOf('old'))).status).toBe(413);
    expect(taken).toBeLessThan(30);
  });

  test('answers 404 without a source', async () => {
    expect((await list.respond(new Request('http://localhost/rows?sort=net&dir=asc'), readerOf(null))).status).toBe(404);
  });

  test('exports the rows that the parameters choose, and nothing where it has no file', async () => {
    const chosen: RowRequest[] = [];
    const exportRows = async (_: Reader, request: RowRequest) => {
      chosen.push(request);
      return { ok: true, fileName: 'rows.csv', bytes: (async function* () {})() } as const;
    };
    const filed = defineList<string>({
      ...SOURCE,
      sorts: SORTS,
      chips: ['all', 'negative'],
      spec: () => spec,
      rows: async () => ({ rows: [], next: null, total: null }),
      exportRows,
    });
    const params = new URLSearchParams('chip=negative&find=Bo');
    expect(await filed.exportRows(readerOf('new'), params)).toMatchObject({ ok: true, fileName: 'rows.csv' });
    expect(chosen).toMatchObject([{ chip: 'negative', find: 'Bo' }]);
    expect(await filed.exportRows(readerOf('new'), new URLSearchParams('find=a@b.example'))).toMatchObject({ ok: false });
    expect(await list.exportRows(readerOf('new'), params)).toBeNull();
  });

  test('names the filter of a file, and none for all rows', () => {
    expect(list.chooseRows('new', new URLSearchParams('chip=negative&incomplete=1'))).toMatchObject({
      ok: true,
      only: { filter: { chip: 'negative' } },
    });
    expect(list.chooseRows('new', new URLSearchParams('incomplete=1'))).toMatchObject({ ok: true, only: null });
    expect(list.chooseRows('new', new URLSearchParams('find=a@b.example'))).toMatchObject({ ok: false });
    expect(list.chooseRows('new', new URLSearchParams('recipient=7'))).toMatchObject({ ok: false });
  });
});
