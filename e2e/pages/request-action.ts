import { PASSWORD } from './turn-on-group.ts';
import { request, send, visit } from './visit.ts';

/** Submits the form of a desk action as support sees it now; `typed`: what people enter, and which player, order or transfer it is about. */
export async function submitAction(path: string, kind: string, typed: Record<string, string>): Promise<Awaited<ReturnType<typeof send>>> {
  const form = await visit(path, 'support');
  const about = { game: 'demo', kind, draftId: form.hidden('draftId'), shown: form.hidden('shown') };
  return await send('requestActionAction', path, { ...about, reason: 'requested_by_player', ticket: 'T-9', description: '', ...typed });
}

/** The same where it is stored: the path of its page, and what its actions are about. */
export async function requestAction(
  path: string,
  kind: string,
  typed: Record<string, string>,
): Promise<{ target: string; about: { game: string; actionId: string } }> {
  const { target, result } = await submitAction(path, kind, typed);
  const actionId = target?.split('/').at(-1);
  if (target === undefined || target === null || actionId === undefined)
    throw new Error(`${kind} wasn’t stored: ${JSON.stringify(result)}`);
  return { target, about: { game: 'demo', actionId } };
}

/** A second person approves an action as its page shows it; returns what the page showed them. */
export async function approveAction(target: string): Promise<Awaited<ReturnType<typeof visit>>> {
  const waiting = await visit(target, 'finance');
  const approval = { game: 'demo', actionId: target.split('/').at(-1) ?? '', contentDigest: waiting.hidden('contentDigest'), ...PASSWORD };
  const { result } = await send('approveActionAction', target, approval, 'finance');
  if (result?.kind !== 'done') throw new Error(`${target} isn’t approved: ${JSON.stringify(result)}`);
  return waiting;
}

/** The rows of the register's file with that text, by column. The file has neither reasons nor tickets, and no player's name. */
export async function listFileRows(text: string): Promise<Record<string, string>[]> {
  const file = await (await request('/demo/lists/actions/file')).text();
  if (/T-9|Asa Venn|@players/.test(file)) throw new Error('the file has what it leaves out');
  const [header = '', ...lines] = file.trimEnd().split('\r\n');
  const keys = header.split(',');
  return lines
    .filter((line) => line.includes(text))
    .map((line) => Object.fromEntries(line.split(',').map((cell, index) => [keys[index] ?? 'beyond', cell])));
}
