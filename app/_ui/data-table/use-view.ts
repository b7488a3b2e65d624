import { usePathname, useSearchParams } from 'next/navigation';
import { useMemo, useState } from 'react';
import { isPrivateFind, readView, type TableView, writeView } from './table-view.ts';
import type { TableSpec } from './table-words.ts';

/** The view the address says, and how to change it. A filter that may be an e-mail is kept here and not in the address. */
export function useView(spec: TableSpec): [TableView, (change: Partial<TableView>) => void] {
  const pathname = usePathname();
  const params = useSearchParams();
  const [privateFind, setPrivateFind] = useState('');
  const view = useMemo(() => {
    const said = readView(spec, new URLSearchParams(params.toString()));
    return privateFind === '' ? said : { ...said, find: privateFind };
  }, [spec, params, privateFind]);
  const change = (part: Partial<TableView>): void => {
    const next = { ...view, ...part };
    setPrivateFind(isPrivateFind(next.find) ? next.find : '');
    const query = writeView(spec, next, new URLSearchParams(window.location.search));
    // A change of view is no new page: nothing is asked of the server but rows.
    window.history.replaceState(null, '', query === '' ? pathname : `${pathname}?${query}`);
  };
  return [view, change];
}
