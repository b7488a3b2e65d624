import 'server-only';
import { isPrivateFind } from '#app/_ui/data-table/table-view.ts';
import { CursorError } from '#db/kit/paging.ts';
import type { LoadedRows } from './load-rows.ts';

const PRIVATE = { 'cache-control': 'private, no-store' };

/** The parameters of a request for rows: of the address, or of the body where an e-mail is looked for; null: an e-mail stood in an address. */
export async function readRowParams(request: Request): Promise<URLSearchParams | null> {
  const params = new URL(request.url).searchParams;
  if (request.method === 'POST') return new URLSearchParams(await request.text());
  return isPrivateFind(params.get('find') ?? '') ? null : params;
}

/** Rows as JSON; a refusal and a cursor of another list are 400 with a sentence. */
export async function answerRows(load: () => Promise<LoadedRows>): Promise<Response> {
  try {
    const loaded = await load();
    return loaded.ok ? Response.json(loaded.page, { headers: PRIVATE }) : refuseRows(400, loaded.sentence);
  } catch (error) {
    if (error instanceof CursorError) return refuseRows(400, 'This place belongs to another list. Load the page again.');
    throw error;
  }
}

/** A refusal in a sentence. */
export function refuseRows(status: number, sentence: string): Response {
  return Response.json({ sentence }, { status, headers: PRIVATE });
}
