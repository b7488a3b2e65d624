import { isPrivateFind, type TableView } from '../table-view.ts';
import type { TablePage } from '../table-words.ts';
import type { FetchRows } from './row-loader.ts';

const PAGE_ROWS = 200;

/** Asks the server for rows of a view. What may be an e-mail goes in the body of a POST and never in an address. */
export function requestRows(href: string, view: TableView): FetchRows {
  return async (end, after) => {
    const [path = '', query] = href.split('?');
    const params = new URLSearchParams(query);
    params.set('sort', view.sort);
    params.set('dir', end === 'head' ? view.dir : view.dir === 'asc' ? 'desc' : 'asc');
    params.set('chip', view.chip);
    params.set('limit', String(PAGE_ROWS));
    if (view.find !== '') params.set('find', view.find);
    if (after !== null) params.set('after', after);
    return await readAnswer(await send(path, params, isPrivateFind(view.find)));
  };
}

async function send(path: string, params: URLSearchParams, isPrivate: boolean): Promise<Response> {
  try {
    return await (isPrivate ? fetch(path, { method: 'POST', body: params }) : fetch(`${path}?${params}`));
  } catch {
    throw new Error('Sharebook did not answer. What is on the screen is as it was; try again.');
  }
}

async function readAnswer(answer: Response): Promise<TablePage> {
  if (answer.redirected || !answer.headers.get('content-type')?.includes('application/json')) {
    throw new Error(
      answer.redirected || answer.status === 403 ? 'You are signed out. Load the page again.' : 'The rows could not be read. Try again.',
    );
  }
  const body = (await answer.json()) as TablePage | { sentence: string };
  if ('sentence' in body) throw new Error(body.sentence);
  return body;
}
