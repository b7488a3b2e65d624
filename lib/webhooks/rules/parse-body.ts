import type { BodyProblem } from './delivery.ts';

/** A JSON value whose numbers have the digits they were signed with. */
export type SignedJson = string | boolean | null | NumberText | SignedJson[] | SignedObject;
export interface SignedObject {
  [key: string]: SignedJson;
}

/** A number as it was written: as a number of JavaScript it could lose digits, and two events would look like one. */
export class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What was signed, and around it what changes with each attempt. */
export interface Envelope {
  /** In the envelope, another one at each attempt; null: none. */
  eventId: string | null;
  eventType: string;
  /** As Invo wrote it; null: none. */
  createdAt: string | null;
  /** The game's id as text, whether it was signed as text or as a number; null: none. */
  tenantId: string | null;
  /** An object in every event the documents describe; null: none. */
  data: SignedJson;
}

const DEPTH_MAX = 32;
const TOKEN = /\s*(?:([{}[\],:])|("(?:[^"\\]|\\.)*")|([^\s{}[\],:"]+))/gy;

/** Parses signed bytes as the envelope of an event (document 2, Webhook envelope), or returns why they can't be followed. */
export function parseBody(bytes: Uint8Array): Envelope | Exclude<BodyProblem, 'no_id'> {
  const value = parseJson(bytes);
  if (value === 'not_json' || value === 'duplicate_key') return value;
  if (!isObject(value) || typeof value['event_type'] !== 'string' || !isName(value['event_type'])) return 'not_an_envelope';
  return {
    eventId: idText(value['event_id']),
    eventType: value['event_type'],
    createdAt: typeof value['created_at'] === 'string' ? value['created_at'] : null,
    tenantId: idText(value['tenant_id']),
    data: value['data'] ?? null,
  };
}

/** The facts of an event as one text: equal for any order of keys and any attempt, and different if any fact differs. */
export function canonicalMeaning({ eventType, tenantId, data }: Pick<Envelope, 'eventType' | 'tenantId' | 'data'>): string {
  return `{"event_type":${JSON.stringify(eventType)},"tenant_id":${JSON.stringify(tenantId)},"data":${canonical(data)}}`;
}

function canonical(value: SignedJson): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${pairs.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`;
}

/** Whether a value is an object of JSON. */
export function isObject(value: SignedJson | undefined): value is SignedObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText);
}

/** An id as text, whether it was written as text or as a whole number; null for anything else, and for text no index holds. */
export function idText(value: SignedJson | undefined): string | null {
  const text = value instanceof NumberText && /^-?\d+$/.test(value.text) ? value.text : value;
  return typeof text === 'string' && isName(text) ? text : null;
}

function isName(text: string): boolean {
  return text.length > 0 && text.length <= 255 && text.isWellFormed() && !/\p{Cc}/u.test(text);
}

/** A byte order mark isn't part of JSON and is ignored. A duplicate name is ambiguous, so neither value is used. */
function parseJson(bytes: Uint8Array): SignedJson | 'not_json' | 'duplicate_key' {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    JSON.parse(text);
    return buildValue(text);
  } catch (error) {
    return error instanceof DuplicateKey ? 'duplicate_key' : 'not_json';
  }
}

class DuplicateKey extends Error {}

/** Builds the value of a text that is known to be JSON. Text that starts with one of our own markers can't be mistaken, because strings stay strings. */
function buildValue(text: string): SignedObject | SignedJson[] {
  const tokens = text.matchAll(TOKEN);
  const next = (): string => {
    const [, mark, string, word] = tokens.next().value ?? [];
    return mark ?? string ?? word ?? '';
  };
  const build = (token: string, depth: number): SignedJson => {
    if (depth > DEPTH_MAX) throw new Error('nested too deep');
    if (token === '[') return buildList(depth);
    if (token === '{') return buildObject(depth);
    if (token.startsWith('"')) return String(JSON.parse(token));
    if (token === 'true' || token === 'false') return token === 'true';
    return token === 'null' ? null : new NumberText(token);
  };
  const buildList = (depth: number): SignedJson[] => {
    const list: SignedJson[] = [];
    for (let token = next(); token !== ']'; token = next()) if (token !== ',') list.push(build(token, depth + 1));
    return list;
  };
  const buildObject = (depth: number): SignedObject => {
    const object: SignedObject = Object.create(null);
    for (let token = next(); token !== '}'; token = next()) {
      if (token === ',') continue;
      const key = String(JSON.parse(token));
      if (key in object) throw new DuplicateKey(key);
      next();
      object[key] = build(next(), depth + 1);
    }
    return object;
  };
  const value = build(next(), 0);
  if (Array.isArray(value) || isObject(value)) return value;
  throw new Error('no object');
}
