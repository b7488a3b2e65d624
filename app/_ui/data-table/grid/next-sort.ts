import type { TableView } from '../table-view.ts';
import type { TableSpec } from '../table-words.ts';

/** A heading pressed again turns the order round; text begins at its beginning, figures at the largest. */
export function nextSort(spec: Pick<TableSpec, 'columns'>, view: TableView, key: string): Partial<TableView> {
  if (view.sort === key) return { dir: view.dir === 'asc' ? 'desc' : 'asc' };
  const shape = spec.columns.find((column) => column.key === key)?.shape;
  const isText = shape === 'identity' || shape === 'text' || shape === 'id' || shape === 'link';
  return { sort: key, dir: isText ? 'asc' : 'desc' };
}
