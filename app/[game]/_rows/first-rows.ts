import 'server-only';
import { readView, type TableView } from '#app/_ui/data-table/table-view.ts';
import type { TablePage, TableSpec } from '#app/_ui/data-table/table-words.ts';
import type { LoadedRows } from './load-rows.ts';

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

const FIRST_ROWS = 50;

/** The first rows of the view an address says, so that the page arrives with them. */
export async function loadFirstRows(
  spec: TableSpec,
  search: SearchParams,
  load: (params: URLSearchParams) => Promise<LoadedRows>,
): Promise<{ view: TableView; page: TablePage }> {
  const view = readView(spec, toParams(await search));
  const { sort, dir, find, chip } = view;
  const params = new URLSearchParams({
    ...Object.fromEntries(new URLSearchParams(spec.rowsHref.split('?')[1])),
    sort,
    dir,
    find,
    chip,
    limit: String(FIRST_ROWS),
  });
  const loaded = await load(params);
  if (!loaded.ok) throw new Error(loaded.sentence);
  return { view, page: loaded.page };
}

function toParams(search: Record<string, string | string[] | undefined>): URLSearchParams {
  const pairs = Object.entries(search).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : []));
  return new URLSearchParams(pairs as [string, string][]);
}
