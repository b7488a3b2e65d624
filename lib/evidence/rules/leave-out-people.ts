import { namesEmail } from '#lib/core/typed-input.ts';

/** People who were erased from a game. */
export interface ErasedPeople {
  /** Invo's player IDs, as text. */
  playerIds: ReadonlySet<string>;
  /** Emails of those being erased, in lower case; once they are erased nothing has them. */
  emails: readonly string[];
  /** Their identities, as `emails`. */
  identities: ReadonlySet<string>;
}

const PLAYER_ID = /(?:^|_)player_?id$/i;
/** Fields that name the player whose ID is beside them. Names of items and currencies are not among them. */
const NAMING =
  /^(?:(?:player|recipient|sender|receiver|user|account|display|first|last|full)_?)?names?$|user_?name|nick_?name|e-?mail|phone|msisdn|identity/i;
const LEFT_OUT = '(erased)';

/**
 * JSON without what names these people: the naming fields of an object that has the ID of one of them, down to objects with the ID of another person,
 * and any text with one of their emails or identities. The same value when it names none of them.
 */
export function leaveOutPeople(value: unknown, people: ErasedPeople, isTheirs = false): unknown {
  if (typeof value === 'string') return namesByText(value, people) ? LEFT_OUT : value;
  if (Array.isArray(value)) {
    const left = value.map((each) => leaveOutPeople(each, people, isTheirs));
    return left.some((each, index) => each !== value[index]) ? left : value;
  }
  if (!isPlain(value)) return value;
  const ids = Object.entries(value).flatMap(([name, id]) => (PLAYER_ID.test(name) && id !== null ? [String(id)] : []));
  const isInside = ids.length === 0 ? isTheirs : ids.some((id) => people.playerIds.has(id));
  let isChanged = false;
  const left = Object.entries(value).map(([name, each]): [string, unknown] => {
    const rest = isInside && NAMING.test(name) && !PLAYER_ID.test(name) ? null : leaveOutPeople(each, people, isInside);
    const key = namesByText(name, people) ? LEFT_OUT : name;
    isChanged ||= rest !== each || key !== name;
    return [key, rest];
  });
  return isChanged ? Object.fromEntries(left) : value;
}

/** Whether JSON text could name one of them: a quick look before it is parsed. */
export function mayName(bytes: Uint8Array, people: ErasedPeople): boolean {
  const text = new TextDecoder().decode(bytes);
  const has = (part: string): boolean => text.includes(part);
  return [...people.playerIds].some(has) || [...people.identities].some(has) || namesEmail(bytes, people.emails);
}

function namesByText(text: string, { emails, identities }: ErasedPeople): boolean {
  if (identities.has(text)) return true;
  const lower = text.toLowerCase();
  return emails.some((email) => lower.includes(email)) && namesEmail(new TextEncoder().encode(text), emails);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
