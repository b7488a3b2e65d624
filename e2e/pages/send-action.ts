import fs from 'node:fs';
import path from 'node:path';

export interface ActionCall {
  origin: string;
  /** The page whose form it is. */
  path: string;
  /** The name under which the action is exported. */
  action: string;
  /** What the form holds, or what a script passes. */
  fields?: Record<string, string>;
  args?: unknown[];
  cookie?: string;
}

export interface ActionAnswer {
  headers: Headers;
  /** Where the browser goes next; null: it stays. */
  target: string | null;
  /** What the form shows; null when the browser goes elsewhere. */
  result: Record<string, unknown> | null;
}

const MANIFEST = path.resolve(import.meta.dirname, '../../.next/server/server-reference-manifest.json');

/** Calls an action as the browser does. The action of a form gets the form's result so far and its fields. */
export async function sendAction({ origin, path: page, action, fields, args, cookie = '' }: ActionCall): Promise<ActionAnswer> {
  const answer = await fetch(new URL(page, origin), {
    method: 'POST',
    redirect: 'manual',
    headers: { 'next-action': idOf(action), accept: 'text/x-component', origin, cookie },
    body: args ? JSON.stringify(args) : encodeForm(fields ?? {}),
  });
  const text = await answer.text();
  if (answer.status >= 400) throw new Error(`${action}: ${answer.status} ${text.slice(0, 300)}`);
  const target = answer.headers.get('x-action-redirect')?.split(';')[0] ?? null;
  return { headers: answer.headers, target, result: target === null ? readResult(text) : null };
}

function encodeForm(fields: Record<string, string>): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(`_1_${name}`, value);
  body.append('0', JSON.stringify([{ kind: 'idle' }, '$K1']));
  return body;
}

/** The rows of React's answer: row 0 names the row of the result. */
function readResult(text: string): Record<string, unknown> {
  const rows = new Map(
    text.split('\n').map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
  const { a } = JSON.parse(rows.get('0') ?? '{}') as { a?: string };
  return JSON.parse(rows.get(a?.replace('$@', '') ?? '') ?? 'null') as Record<string, unknown>;
}

function idOf(action: string): string {
  const { node } = JSON.parse(fs.readFileSync(MANIFEST, 'utf8')) as { node: Record<string, { exportedName: string }> };
  const ids = Object.keys(node).filter((id) => node[id]?.exportedName === action);
  if (ids.length !== 1) throw new Error(`${ids.length} actions are named ${action}.`);
  return ids[0] ?? '';
}
