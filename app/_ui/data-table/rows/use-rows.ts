import { useMemo, useSyncExternalStore } from 'react';
import type { TableView } from '../table-view.ts';
import type { TablePage } from '../table-words.ts';
import { requestRows } from './request-rows.ts';
import { createRowLoader, type LoadedRows, type RowLoader } from './row-loader.ts';

/** The rows of a view as they come in; the page's own first rows serve the view they were made for. */
export function useRows(
  href: string,
  view: TableView,
  first: { view: TableView; page: TablePage },
): { loader: RowLoader; rows: LoadedRows } {
  const { sort, dir, find, chip } = view;
  const loader = useMemo(() => {
    const asked = { sort, dir, find, chip, toggled: [] };
    return createRowLoader(requestRows(href, asked), isSameList(asked, first.view) ? first.page : null);
  }, [href, sort, dir, find, chip, first]);
  const rows = useSyncExternalStore(loader.subscribe, loader.read, loader.read);
  return { loader, rows };
}

function isSameList(one: TableView, other: TableView): boolean {
  return one.sort === other.sort && one.dir === other.dir && one.find === other.find && one.chip === other.chip;
}
