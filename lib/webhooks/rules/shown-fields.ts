import { isPhoneName, isSecretName, maskPhonesIn } from '#lib/core/hidden-names.ts';
import { maskEmailsIn } from '#lib/core/typed-input.ts';
import { isObject, NumberText, type SignedJson } from './parse-body.ts';

/** One field of an event by its path in Invo's names, such as `data.refund.card_refunded_usd`. */
export interface ShownField {
  path: string;
  /** As it was signed; an amount has its original digits. */
  text: string;
}

const HIDDEN = '•••';

const TEXT = /"((?:[^"\\]|\\.)*)"(\s*:)?/gs;

/** Whether signed bytes carry what must not be stored, by their names: in the data or beside it, and in bytes that can't be read as an event too. */
export function holdsSecret(body: Uint8Array): boolean {
  for (const [, text = '', isName] of new TextDecoder().decode(body).matchAll(TEXT))
    if (isName && isSecretName(unescaped(text))) return true;
  return false;
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

/** The fields of an event as a person may see them: emails masked without the right to see them, phone numbers always. */
export function showFields(data: SignedJson, { canSeeEmails }: { canSeeEmails: boolean }): ShownField[] {
  return data === null ? [] : listFields(data, '', canSeeEmails);
}

function listFields(value: SignedJson, path: string, canSeeEmails: boolean): ShownField[] {
  if (Array.isArray(value))
    return value.length === 0
      ? [{ path, text: '[]' }]
      : value.flatMap((each, index) => listFields(each, `${path}[${index}]`, canSeeEmails));
  if (isObject(value)) {
    const names = Object.keys(value);
    if (names.length === 0) return [{ path, text: '{}' }];
    return names.flatMap((name) => {
      // Emails and phones can be names: an event may have an object by email.
      const shown = maskPhonesIn(canSeeEmails ? name : maskEmailsIn(name), () => HIDDEN);
      return listFields(value[name] ?? null, path === '' ? shown : `${path}.${shown}`, canSeeEmails);
    });
  }
  return [{ path, text: textOf(value, path, canSeeEmails) }];
}

function textOf(value: string | boolean | null | NumberText, path: string, canSeeEmails: boolean): string {
  if (value === null || typeof value === 'boolean') return String(value);
  const names = namesOf(path);
  if (names.some((name) => isPhoneName(name) || isSecretName(name))) return HIDDEN;
  if (value instanceof NumberText) return value.text;
  const text = maskPhonesIn(value, () => HIDDEN, names.at(-1));
  return canSeeEmails ? text : maskEmailsIn(text);
}

/** The names along a path, outermost first: what is under a hidden name is hidden too. */
function namesOf(path: string): string[] {
  return path.split('.').map((name) => name.replace(/(\[\d+\])+$/, ''));
}

/** Two events under one key, field by field. */
export interface ComparedField {
  path: string;
  /** null: this one has no such field. */
  one: string | null;
  other: string | null;
}

/** Compares the fields of two events by their paths, in the order of the first. */
export function compareFields(one: readonly ShownField[], other: readonly ShownField[]): ComparedField[] {
  const second = new Map(other.map(({ path, text }) => [path, text]));
  const first = new Set(one.map(({ path }) => path));
  return [
    ...one.map(({ path, text }) => ({ path, one: text, other: second.get(path) ?? null })),
    ...other.filter(({ path }) => !first.has(path)).map(({ path, text }) => ({ path, one: null, other: text })),
  ];
}
