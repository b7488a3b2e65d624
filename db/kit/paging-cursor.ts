import type { KeyType } from './paging.ts';

/** What a cursor is bound to: the list (sheet and statement), its order and its filter. */
export interface CursorScope {
  list: string;
  sort: string;
  dir: string;
}

const LENGTH_MAX = 4000;
const GRAMMAR: Record<KeyType, RegExp> = {
  numeric: /^(-?\d{1,30}(\.\d{1,18})?|-?Infinity)$/,
  bigint: /^-?\d{1,18}$/,
  timestamptz: /^(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?\+00|-infinity)$/,
  text: /^[^\0]{0,500}$/s,
};

/** Writes where a page ended, for the next request; opaque to whoever carries it. */
export function encodeCursor(scope: CursorScope, values: string[]): string {
  return Buffer.from(JSON.stringify([scope.list, scope.sort, scope.dir, ...values])).toString('base64url');
}

/** Reads a cursor back; null when it is damaged, forged or of another list or order. Values fit their types. */
export function decodeCursor(cursor: string, scope: CursorScope, types: KeyType[]): string[] | null {
  if (cursor.length > LENGTH_MAX || !/^[\w-]+$/.test(cursor)) return null;
  const parts = parseTexts(Buffer.from(cursor, 'base64url').toString());
  if (!parts || parts.length !== types.length + 3) return null;
  const [list, sort, dir, ...values] = parts;
  if (list !== scope.list || sort !== scope.sort || dir !== scope.dir) return null;
  return types.every((type, index) => GRAMMAR[type].test(values[index] ?? '')) ? values : null;
}

function parseTexts(text: string): string[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : null;
  } catch {
    return null;
  }
}
