import type { FetchBlock } from './ranked-rows.ts';
import type { FetchEnd } from './row-source.ts';
import { BLOCK_ROWS, type TablePage } from './table-spec.ts';
import { isPrivateFind, type TableView } from './table-view.ts';

const PAGE_ROWS = 200;

/** Requests the rows of a view from one end. A text that may be an email goes in the body of a POST, never in an address. */
export function requestEnds(href: string, view: TableView): FetchEnd {
  return async (end, after) =>
    await request(href, view, {
      dir: end === 'head' ? view.dir : view.dir === 'asc' ? 'desc' : 'asc',
      limit: String(PAGE_ROWS),
      ...(after === null ? {} : { after }),
    });
}

/** Requests the rows of a view by rank; an email as `requestEnds` does. */
export function requestBlocks(href: string, view: TableView): FetchBlock {
  return async (from, signal) => await request(href, view, { dir: view.dir, limit: String(BLOCK_ROWS), from: String(from) }, signal);
}

/** Requests the sums over some rows of a list, by their ids, from the server; ids go in the body of a POST, which has room for them. */
export async function requestSums(href: string, sort: string, ids: string[]): Promise<Record<string, string>> {
  const [path = '', query] = href.split('?');
  const body = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(query)), sort, dir: 'asc', limit: '1', ids: ids.join() });
  return (await readAnswer(await fetch(path, { method: 'POST', body }))).total?.sums ?? {};
}

async function request(href: string, view: TableView, asked: Record<string, string>, signal?: AbortSignal): Promise<TablePage> {
  const [path = '', query] = href.split('?');
  const found = view.find === '' ? {} : { find: view.find };
  const params = new URLSearchParams({
    ...Object.fromEntries(new URLSearchParams(query)),
    sort: view.sort,
    chip: view.chip,
    ...asked,
    ...found,
  });
  const init = isPrivateFind(view.find) ? { method: 'POST', body: params } : {};
  const address = isPrivateFind(view.find) ? path : `${path}?${params}`;
  let answer: Response;
  try {
    answer = await fetch(address, { ...init, ...(signal ? { signal } : {}) });
  } catch {
    throw new Error('Couldn’t reach Sharebook. The rows on the screen are unchanged. Try again.');
  }
  return await readAnswer(answer);
}

async function readAnswer(answer: Response): Promise<TablePage> {
  if (answer.redirected || !answer.headers.get('content-type')?.includes('application/json')) {
    throw new Error(
      answer.redirected || answer.status === 403 ? 'You’re signed out. Reload the page to sign in.' : 'Couldn’t load the rows. Try again.',
    );
  }
  const body = (await answer.json()) as TablePage | { sentence: string };
  if ('sentence' in body) throw new Error(body.sentence);
  return body;
}
