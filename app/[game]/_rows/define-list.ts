import 'server-only';
import type { Person } from '#app/_server/session.ts';
import type { TableColumn, TablePage, TableRow, TableSpec, TableTotal } from '#app/_ui/data-table/table-spec.ts';
import { cleanFind, isPrivateFind, parseView, type TableView } from '#app/_ui/data-table/table-view.ts';
import { type List, type ListColumn, type ListReader, sortsOf } from '#db/kit/list.ts';
import { ANCHOR_EVERY, CursorError, type Direction, type PageRequest } from '#db/kit/paging.ts';
import type { Game } from '#lib/core/game.ts';
import type { Capability } from '#lib/core/roles.ts';
import type { ChosenRows } from '#lib/evidence/reads/month-snapshot.ts';

const FIRST_ROWS = 50;
const ROWS_MAX = 200;
const PRIVATE = { 'cache-control': 'private, no-store' };

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** Who reads a list, and of which game. */
export interface Reader {
  game: Game;
  person: Person;
}

/** What a request for rows names, parsed and known to exist. */
export interface RowRequest {
  page: PageRequest;
  find: string;
  chip: string;
  /** One recipient only; null: all. */
  recipient: number | null;
  /** The rows a person selected, by id; absent: all. Only for lists that say so. */
  ids?: number[];
}

/** What makes one list that list: who may read it, its columns (in the spec), its orders and filters, the query behind them, and its file. `Source` is what the rows are read from, and for whom. */
export interface ListDefinition<Source> {
  /** What a person must be allowed to read. */
  right: Capability;
  /** What the rows are read from, by the parameters of a request; null: it doesn’t exist. */
  findSource(reader: Reader, params: URLSearchParams): Promise<Source | null>;
  /** Orders by key; the default order and the sortable columns of the spec are among them. */
  sorts: Record<string, unknown>;
  /** Ready-made filters; the first is the default on screen and in files. */
  chips: readonly string[];
  spec(source: Source): TableSpec | Promise<TableSpec>;
  /** One page, with the sums over the whole filter where `page.withTotal` is set. */
  rows(source: Source, request: RowRequest): Promise<{ rows: TableRow[]; next: string | null; total: TableTotal | null }>;
  /** Whether newer rows exist than the source has. */
  isStale?(source: Source): boolean;
  /** The filter as a condition of the sheet's query; without one no file of chosen rows is made from it. */
  condition?(source: Source, request: RowRequest): ChosenRows['condition'];
  /** Whether its rows never change, so that they are read by rank (`from`). */
  isRanked?: true;
  /** Whether `recipient` may narrow it. */
  isByRecipient?: true;
  /** Whether `ids` may narrow it, so that a selection is summed. */
  isSelectable?: true;
  /** Exports the rows that a request chooses; without it, the list has no file at its own address. */
  exportRows?(reader: Reader, request: RowRequest, params: URLSearchParams): Promise<ExportedFile>;
}

interface ExportedFile {
  ok: true;
  fileName: string;
  bytes: AsyncIterable<Uint8Array>;
}

type Refused = { ok: false; sentence: string };
type RowChoice = { ok: true; request: RowRequest; only: ChosenRows | null } | Refused;

/** A list as its page, the route of its rows and the routes of its files use it. */
export interface ServedList<Source> {
  right: Capability;
  /** The table of a page and its first rows, in the view the address names. */
  loadFirst(
    source: Source,
    search: SearchParams,
    recipient?: number,
  ): Promise<{ spec: TableSpec; first: { view: TableView; page: TablePage } }>;
  /** The answer of the route of rows. */
  respond(request: Request, reader: Reader): Promise<Response>;
  /** Which rows the parameters of a file name; `only` is null when they name none, so the file has all rows. */
  chooseRows(source: Source, params: URLSearchParams): RowChoice;
  /** The rows that the parameters choose as a file, or why it is refused; null: the list has no file at its own address. */
  exportRows(reader: Reader, params: URLSearchParams): Promise<ExportedFile | Refused | null>;
}

/** Makes the first rows of a page, the rows route, and the choice of rows for a file and its manifest from one definition. */
export function defineList<Source>(list: ListDefinition<Source>): ServedList<Source> {
  async function loadPage(source: Source, request: RowRequest): Promise<TablePage> {
    const withTotal = request.page.after === null && request.page.from === undefined;
    const page = { ...request.page, withTotal };
    return { ...(await list.rows(source, { ...request, page })), isStale: list.isStale?.(source) ?? false };
  }
  function parseChoice(params: URLSearchParams): { ok: true; request: RowRequest; named: Record<string, string> } | Refused {
    const named = namedFilters(params);
    if (isPrivateFind(named['find'] ?? '')) return refused('Filter by name or player ID: an email can’t be part of an address.');
    if (!list.isByRecipient && named['recipient'])
      return refused('This list can’t be filtered by recipient: use find instead of recipient.');
    const order = { sort: Object.keys(list.sorts)[0] ?? '', dir: 'asc' };
    const parsed = parseRowRequest(new URLSearchParams({ ...named, ...order }), list.sorts, list.chips);
    return parsed.ok ? { ...parsed, named } : parsed;
  }
  return {
    right: list.right,
    async loadFirst(source, search, recipient) {
      const spec = await list.spec(source);
      const view = parseView(spec, toParams(await search));
      const { sort, dir, find } = view;
      const chip = list.chips.find((each) => each === view.chip) ?? list.chips[0];
      if (chip === undefined) throw new Error('a list has at least one choice');
      const page = await loadPage(source, {
        page: { sort, dir, limit: FIRST_ROWS, after: null },
        find,
        chip,
        recipient: recipient ?? null,
      });
      return { spec, first: { view, page } };
    },
    async respond(request, reader) {
      const params = await readParams(request);
      if (params instanceof Response) return params;
      const source = await list.findSource(reader, params);
      if (source === null) return refuseRows(404, 'This snapshot doesn’t exist.');
      const parsed = parseRowRequest(params, list.sorts, list.chips);
      if (!parsed.ok) return refuseRows(400, parsed.sentence);
      if (parsed.request.ids !== undefined && !list.isSelectable) return refuseRows(400, 'The rows of this list can’t be selected.');
      if (parsed.request.page.from !== undefined && !list.isRanked) return refuseRows(400, 'This list has no from: use after.');
      try {
        return Response.json(await loadPage(source, parsed.request), { headers: PRIVATE });
      } catch (error) {
        if (error instanceof CursorError) return refuseRows(400, 'This position belongs to another list. Reload the page.');
        throw error;
      }
    },
    chooseRows(source, params) {
      const choice = parseChoice(params);
      if (!choice.ok) return choice;
      const { request, named } = choice;
      const condition = Object.keys(named).length === 0 ? undefined : list.condition?.(source, request);
      return { ok: true, request, only: condition === undefined ? null : { filter: named, condition } };
    },
    async exportRows(reader, params) {
      if (list.exportRows === undefined) return null;
      const choice = parseChoice(params);
      return choice.ok ? await list.exportRows(reader, choice.request, params) : choice;
    },
  };
}

/** Rows refused, in a sentence. */
export function refuseRows(status: number, sentence: string): Response {
  return Response.json({ sentence }, { status, headers: PRIVATE });
}

/** Parses the parameters of a request for rows. What can't be served is refused in a sentence; nothing is guessed. */
export function parseRowRequest(
  params: URLSearchParams,
  sorts: Record<string, unknown>,
  chips: readonly string[],
): { ok: true; request: RowRequest } | Refused {
  const sort = params.get('sort') ?? '';
  if (!Object.hasOwn(sorts, sort)) return refused(`Can’t sort by “${sort.slice(0, 40)}”. Use one of: ${Object.keys(sorts).join(', ')}.`);
  const dir = parseDirection(params.get('dir'));
  if (dir === null) return refused('Use asc or desc as the direction.');
  const chip = chips.find((each) => each === (params.get('chip') ?? chips[0]));
  if (chip === undefined) return refused(`Use one of these choices: ${chips.join(', ')}.`);
  const limit = parseCount(params.get('limit') ?? String(ROWS_MAX));
  if (limit === null || limit < 1 || limit > ROWS_MAX) return refused(`Use a limit from 1 to ${ROWS_MAX}.`);
  const recipient = parseCount(params.get('recipient'));
  if ((params.has('recipient') && recipient === null) || (params.has('snapshot') && parseCount(params.get('snapshot')) === null))
    return refused('Use a whole number as an ID.');
  const from = parseCount(params.get('from') ?? '0');
  if (from === null || from % ANCHOR_EVERY !== 0 || (from > 0 && limit % ANCHOR_EVERY !== 0))
    return refused(`Use multiples of ${ANCHOR_EVERY} as from and limit.`);
  const ids = params.get('ids');
  if (ids !== null && !IDS.test(ids)) return refused('Select from 1 to 1,000 rows by their ids.');
  const selected = ids === null ? {} : { ids: ids.split(',').map(Number) };
  const page = { sort, dir, limit, after: params.get('after'), ...(from === 0 ? {} : { from }) };
  return { ok: true, request: { page, find: cleanFind(params.get('find') ?? ''), chip, recipient, ...selected } };
}

const IDS = /^\d{1,15}(,\d{1,15}){0,999}$/;

/** Parses a whole number of at most 15 digits; null: it is none. */
export function parseCount(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The parameters of the address, or of the body where an email is searched for; or why they are refused. */
async function readParams(request: Request): Promise<URLSearchParams | Response> {
  if (request.method === 'POST') {
    const text = await readText(request);
    return text === null ? refuseRows(413, `Send at most ${BODY_BYTES_MAX} bytes.`) : new URLSearchParams(text);
  }
  const params = new URL(request.url).searchParams;
  if (isPrivateFind(params.get('find') ?? '')) return refuseRows(400, 'Send an email in the body of a POST, not in the address.');
  return params;
}

/** All parameters of a list with the longest email are a tenth of this. */
const BODY_BYTES_MAX = 16_384;

/** The body as text; null: it is too large, and the rest of it is not read. */
async function readText(request: Request): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of request.body ?? []) {
    bytes += piece.length;
    if (bytes > BODY_BYTES_MAX) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function namedFilters(params: URLSearchParams): Record<string, string> {
  const named: Record<string, string> = {};
  for (const name of ['find', 'chip', 'recipient']) if (params.get(name)) named[name] = params.get(name) ?? '';
  return named;
}

function refused(sentence: string): Refused {
  return { ok: false, sentence };
}

function parseDirection(text: string | null): Direction | null {
  return text === 'asc' || text === 'desc' ? text : null;
}

/** The parameters of an address as a page gets them; repeated ones are left out. */
export function toParams(search: Record<string, string | string[] | undefined>): URLSearchParams {
  const pairs = Object.entries(search).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : []));
  return new URLSearchParams(pairs as [string, string][]);
}

interface SpecChoice {
  /** How many rows each chip leaves; chips without rows are left out. */
  counts?: Record<string, number>;
  /** Columns that this source has no use for. */
  without?: string[];
  /** Labels that replace those of the definition. */
  labels?: Record<string, string>;
  /** Columns that come before the others. */
  lead?: string[];
}

/** “All” and the chips of a list, its default first. */
function chipsOf<Of, Row extends object>({ chips, defaultChip = 'all' }: List<Of, Row>): { key: string; label: string; sort?: string }[] {
  return [{ key: 'all', label: 'All' }, ...chips].toSorted((a, b) => Number(b.key === defaultChip) - Number(a.key === defaultChip));
}

/** The orders and chips of a list, as the requests for its rows name them. */
export function ordersAndChips<Of, Row extends object>(list: List<Of, Row>): Pick<ListDefinition<unknown>, 'sorts' | 'chips'> {
  return { sorts: sortsOf(list), chips: chipsOf(list).map(({ key }) => key) };
}

/** The table of a list: its columns, chips, search and order as a screen needs them. */
export function specOf<Of, Row extends object>(
  list: List<Of, Row>,
  reader: ListReader,
  { counts, without = [], labels = {}, lead = [] }: SpecChoice = {},
): Omit<TableSpec, 'rowsHref'> {
  const columns = [...list.columns, ...(list.added ?? [])].flatMap(toTableColumn).concat(list.composed ?? []);
  const order = [...lead, ...list.shown];
  const rank = ({ key }: TableColumn): number => (order.includes(key) ? order.indexOf(key) : order.length);
  const counted = (key: string): { count?: number } => (counts === undefined ? {} : { count: counts[key] ?? 0 });
  return {
    noun: list.noun,
    columns: columns
      .filter(({ key }) => !without.includes(key))
      .map((column) => ({ ...column, label: labels[column.key] ?? column.label }))
      .toSorted((a, b) => rank(a) - rank(b)),
    chips: chipsOf(list)
      .filter(({ key }) => key === 'all' || counts === undefined || (counts[key] ?? 0) > 0)
      .map(({ key, label, sort }) => ({ key, label, ...counted(key), ...(sort === undefined ? {} : { sort }) })),
    ...(list.isRanked ? { isRanked: true } : {}),
    defaultSort: list.order,
    findLabel: list.search.label(reader),
    findNote: list.search.note(reader),
    ends: list.ends,
    ...(list.isCompact ? { isCompact: true } : {}),
  };
}

/** A column of a list as a table shows it: instants name their zone. None: no screen has the column. */
function toTableColumn<Of>({ key, label, kind, width, shape = kind, isOptional, isKey, isDeducted, sort }: ListColumn<Of>): TableColumn[] {
  if (width === undefined) return [];
  return [
    {
      key,
      label: kind === 'instant' ? `${label}, UTC` : label,
      shape,
      width,
      ...(sort && { isSortable: true }),
      ...(isOptional && { isOptional }),
      ...(isKey && { isKey }),
      ...(isDeducted && { isDeducted }),
    },
  ];
}
