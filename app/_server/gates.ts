import type { z } from 'zod';

/** What stands between a request and the verb it asks for. A gate that lets nobody through does not return. */
export interface Gates<Given, Person, Game> {
  /** The refusal of a request that did not come from a page of this Sharebook; null: it did. */
  checkOrigin: () => Promise<FormRefusal | null>;
  requirePerson: () => Promise<Person>;
  requireGame: (given: Given) => Promise<Game>;
}

export type Passed<Given, Person, Game> = { kind: 'received'; person: Person; game: Game; given: Given } | FormRefusal;

/** Fits every form's result as it is. */
export interface FormRefusal {
  kind: 'refused';
  sentence: string;
}

/** For input that arrived incomplete, or that no page of Sharebook sends. */
export const INCOMPLETE_FORM: FormRefusal = {
  kind: 'refused',
  sentence: 'The form arrived incomplete. Nothing was changed. Reload the page and try again.',
};

/**
 * Passes the input of an action through its gates, in this order: origin, person and role, schema, game. Nothing of the input is
 * read before the person is known.
 */
export async function passGates<Given, Person, Game>(
  { checkOrigin, requirePerson, requireGame }: Gates<Given, Person, Game>,
  { schema, input }: { schema: z.ZodType<Given>; input: unknown },
): Promise<Passed<Given, Person, Game>> {
  const refusal = await checkOrigin();
  if (refusal) return refusal;
  const person = await requirePerson();
  const parsed = schema.safeParse(input instanceof FormData ? Object.fromEntries(input) : input);
  if (!parsed.success) return INCOMPLETE_FORM;
  return { kind: 'received', person, game: await requireGame(parsed.data), given: parsed.data };
}

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether a request that changes something came from a page of this Sharebook, by headers that browsers send and pages can't forge.
 * Unlike Next, it refuses a missing Origin and ignores a forwarded host. Under a loopback public origin, every loopback name
 * with the same scheme and port counts as the same place.
 */
export function isOwnOrigin(headers: { get(name: string): string | null }, publicOrigin: string): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  const given = URL.parse(headers.get('origin') ?? '');
  const own = new URL(publicOrigin);
  if (given === null || given.origin !== headers.get('origin')) return false;
  if (given.origin === own.origin) return true;
  const areLoopback = LOOPBACK_HOSTS.includes(given.hostname) && LOOPBACK_HOSTS.includes(own.hostname);
  return areLoopback && given.protocol === own.protocol && given.port === own.port;
}
