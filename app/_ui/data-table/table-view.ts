import type { TableColumn, TableSpec } from './table-spec.ts';

/** What is shown of a table; it lives in the address. */
export interface TableView {
  sort: string;
  dir: 'asc' | 'desc';
  find: string;
  chip: string;
  /** By key: optional columns that are shown and others that are hidden. */
  toggled: string[];
}

/** The address of a view’s rows as a file; null when it has all rows, which the page exports elsewhere, or when an email filters it. */
export function fileAddress(spec: Pick<TableSpec, 'chips' | 'fileHref' | 'isOnlyFile'>, view: TableView): string | null {
  if (spec.fileHref === undefined || isPrivateFind(view.find)) return null;
  const isChosen = view.chip !== spec.chips[0]?.key;
  if (view.find === '' && !isChosen && !spec.isOnlyFile) return null;
  const params = new URLSearchParams({ ...(view.find === '' ? {} : { find: view.find }), ...(isChosen ? { chip: view.chip } : {}) });
  const separator = spec.fileHref.includes('?') ? '&' : '?';
  return params.size === 0 ? spec.fileHref : `${spec.fileHref}${separator}${params}`;
}

type ViewSpec = Pick<TableSpec, 'columns' | 'chips' | 'defaultSort'>;
const FIND_LENGTH_MAX = 200;
const OWN = ['sort', 'dir', 'find', 'show', 'columns'];

/** Parses the view of an address; what doesn’t belong to this table is ignored. */
export function parseView(spec: ViewSpec, params: URLSearchParams): TableView {
  const sort = spec.columns.find((column) => column.isSortable && column.key === params.get('sort'))?.key;
  const chip = spec.chips.find((each) => each.key === params.get('show'))?.key;
  const dir = params.get('dir');
  const toggled = (params.get('columns') ?? '').split(',').filter((key) => spec.columns.some((column) => column.key === key));
  return {
    sort: sort ?? spec.defaultSort.key,
    dir: dir === 'asc' || dir === 'desc' ? dir : spec.defaultSort.dir,
    find: isPrivateFind(params.get('find') ?? '') ? '' : cleanFind(params.get('find') ?? ''),
    chip: chip ?? spec.chips[0]?.key ?? 'all',
    toggled: [...new Set(toggled)],
  };
}

export function writeView(spec: ViewSpec, view: TableView, others = new URLSearchParams()): string {
  const params = new URLSearchParams(others);
  for (const own of OWN) params.delete(own);
  if (view.sort !== spec.defaultSort.key) params.set('sort', view.sort);
  if (view.dir !== spec.defaultSort.dir) params.set('dir', view.dir);
  if (view.find !== '' && !isPrivateFind(view.find)) params.set('find', view.find);
  if (view.chip !== spec.chips[0]?.key) params.set('show', view.chip);
  if (view.toggled.length > 0) params.set('columns', view.toggled.join(','));
  return params.toString();
}

/** Whether the text may be an email, which stays out of addresses and their logs. */
export function isPrivateFind(find: string): boolean {
  return /[@＠]/.test(find);
}

/** The typed text, trimmed, without zero bytes, at most 200 characters. */
export function cleanFind(find: string): string {
  return find.replaceAll('\0', '').trim().slice(0, FIND_LENGTH_MAX);
}

/** Whether a view shows a column: the first always, an optional one that was chosen, another that was not hidden. */
export function isShown(
  { key, isOptional = false }: Pick<TableColumn, 'key'> & { isOptional?: boolean },
  index: number,
  view: Pick<TableView, 'toggled'>,
): boolean {
  return index === 0 || isOptional === view.toggled.includes(key);
}

/** Where a key moves the current row in a list of `count` rows; null: nowhere. May be outside the list. */
export function keyMove(key: string, { current, count, pageRows }: { current: number; count: number; pageRows: number }): number | null {
  const page = Math.max(1, pageRows);
  const moves: Record<string, number> = {
    ArrowDown: current + 1,
    j: current + 1,
    ArrowUp: current - 1,
    k: current - 1,
    PageDown: current + page,
    PageUp: current - page,
    Home: 0,
    End: count - 1,
  };
  return Object.hasOwn(moves, key) ? (moves[key] ?? null) : null;
}
