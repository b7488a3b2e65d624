import { cleanFind } from '#app/_ui/data-table/table-view.ts';
import type { Direction, PageRequest } from '#db/kit/paging.ts';

const ROWS_MAX = 200;

/** What was asked for, read at the door and known to exist. */
export interface RowRequest<Chip extends string> {
  page: PageRequest;
  find: string;
  chip: Chip;
  /** One recipient alone; null: everybody. */
  recipient: number | null;
  /** The statement the caller is looking at; null: the newest. */
  snapshotId: number | null;
}

export type ReadRequest<Chip extends string> = { ok: true; request: RowRequest<Chip> } | { ok: false; sentence: string };

/** Reads the parameters of a request for rows; what cannot be served is refused in a sentence, nothing is guessed. */
export function readRowRequest<Chip extends string>(
  params: URLSearchParams,
  sorts: Record<string, unknown>,
  chips: readonly Chip[],
): ReadRequest<Chip> {
  const sort = params.get('sort') ?? '';
  if (!Object.hasOwn(sorts, sort))
    return refused(`There is no order by “${sort.slice(0, 40)}”. Orders are: ${Object.keys(sorts).join(', ')}.`);
  const dir = readDirection(params.get('dir'));
  if (dir === null) return refused('The direction is asc or desc.');
  const chip = chips.find((each) => each === (params.get('chip') ?? chips[0]));
  if (chip === undefined) return refused(`The choice is one of: ${chips.join(', ')}.`);
  const limit = readCount(params.get('limit') ?? String(ROWS_MAX));
  if (limit === null || limit < 1 || limit > ROWS_MAX) return refused(`The limit is a number from 1 to ${ROWS_MAX}.`);
  const [recipient, snapshotId] = [readCount(params.get('recipient')), readCount(params.get('snapshot'))];
  if ((params.has('recipient') && recipient === null) || (params.has('snapshot') && snapshotId === null))
    return refused('An id is a whole number.');
  const page = { sort, dir, limit, after: params.get('after') };
  return { ok: true, request: { page, find: cleanFind(params.get('find') ?? ''), chip, recipient, snapshotId } };
}

function refused(sentence: string): { ok: false; sentence: string } {
  return { ok: false, sentence };
}

function readDirection(text: string | null): Direction | null {
  return text === 'asc' || text === 'desc' ? text : null;
}

function readCount(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
