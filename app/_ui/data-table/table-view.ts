import type { TableSpec } from './table-words.ts';

/** What a person chose to see of a table; it lives in the address. */
export interface TableView {
  sort: string;
  dir: 'asc' | 'desc';
  find: string;
  chip: string;
  /** Optional columns that are shown and others that are not, by key. */
  toggled: string[];
}

/** Where the rows a view leaves are to be had as a file; null when they are all rows, which the export of the month has, or when an e-mail chose them. */
export function fileAddress(spec: Pick<TableSpec, 'chips' | 'fileHref' | 'isOnlyFile'>, view: TableView): string | null {
  if (spec.fileHref === undefined || isPrivateFind(view.find)) return null;
  const isChosen = view.chip !== spec.chips[0]?.key;
  if (view.find === '' && !isChosen && !spec.isOnlyFile) return null;
  const params = new URLSearchParams({ ...(view.find === '' ? {} : { find: view.find }), ...(isChosen ? { chip: view.chip } : {}) });
  const separator = spec.fileHref.includes('?') ? '&' : '?';
  return params.size === 0 ? spec.fileHref : `${spec.fileHref}${separator}${params}`;
}

type Asked = Pick<TableSpec, 'columns' | 'chips' | 'defaultSort'>;
const FIND_LENGTH_MAX = 200;
const OWN = ['sort', 'dir', 'find', 'show', 'columns'];

/** Reads the view of an address; what does not belong to this table counts as not said. */
export function readView(spec: Asked, params: URLSearchParams): TableView {
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

/** Writes a view into the parameters of an address, leaving out what goes without saying and keeping what is not the table's. An e-mail never enters. */
export function writeView(spec: Asked, view: TableView, others = new URLSearchParams()): string {
  const params = new URLSearchParams(others);
  for (const own of OWN) params.delete(own);
  if (view.sort !== spec.defaultSort.key) params.set('sort', view.sort);
  if (view.dir !== spec.defaultSort.dir) params.set('dir', view.dir);
  if (view.find !== '' && !isPrivateFind(view.find)) params.set('find', view.find);
  if (view.chip !== spec.chips[0]?.key) params.set('show', view.chip);
  if (view.toggled.length > 0) params.set('columns', view.toggled.join(','));
  return params.toString();
}

/** Whether what was typed may be an e-mail, and so stays out of addresses and their logs. */
export function isPrivateFind(find: string): boolean {
  return /[@＠]/.test(find);
}

/** What was typed without space around it, zero bytes or more than a line of it. */
export function cleanFind(find: string): string {
  return find.replaceAll('\0', '').trim().slice(0, FIND_LENGTH_MAX);
}

/** The keys of the columns a view shows, in order. */
export function shownColumns(spec: Asked, view: TableView): string[] {
  const isShown = (key: string, isOptional: boolean): boolean => isOptional === view.toggled.includes(key);
  return spec.columns.filter((column, index) => index === 0 || isShown(column.key, column.isOptional ?? false)).map((column) => column.key);
}
