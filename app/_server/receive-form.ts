import 'server-only';
import { headers } from 'next/headers';
import { z } from 'zod';
import { isLoopback } from '#lib/core/game.ts';
import { parseNumericId, SUBSCRIPTION_ID } from '#lib/core/ids.ts';
import type { Actor, Capability } from '#lib/core/roles.ts';
import { type Game, requireGame } from './game.ts';
import { requirePerson, requireSelf } from './session.ts';
import { config } from './wiring.ts';

export type Received<Given, With = unknown> = ({ kind: 'received'; given: Given } & With) | FormRefusal;

/** First line of an action on a game that asks Invo nothing itself: the input, who gives it and the game, or the refusal to answer with. */
export async function receiveGameForm<Given extends { game: string }>(
  schema: z.ZodType<Given>,
  input: unknown,
  capability: Capability,
): Promise<Received<Given, { game: Game; actor: Actor }>> {
  const passed = await passGates(
    { checkOrigin, requirePerson: () => requirePerson(capability), requireGame: (given) => requireGame(given.game) },
    { schema, input },
  );
  return passed.kind === 'refused' ? passed : { ...passed, actor: actorOf(passed.person) };
}

/** First line of an action that is about no game: the input and who gives it, or the refusal to answer with. */
export async function receivePersonForm<Given>(
  schema: z.ZodType<Given>,
  input: unknown,
  capability: Capability,
): Promise<Received<Given, { actor: Actor }>> {
  const passed = await passGates({ checkOrigin, requirePerson: () => requirePerson(capability), requireGame: noGame }, { schema, input });
  return passed.kind === 'refused' ? passed : { kind: 'received', given: passed.given, actor: actorOf(passed.person) };
}

/** First line of an action of the signed-in person about their own second factor, which they may have to set up before anything else. */
export async function receiveSelfForm<Given>(schema: z.ZodType<Given>, input: unknown): Promise<Received<Given, { actor: Actor }>> {
  const passed = await passGates({ checkOrigin, requirePerson: () => requireSelf('database'), requireGame: noGame }, { schema, input });
  return passed.kind === 'refused' ? passed : { kind: 'received', given: passed.given, actor: actorOf(passed.person) };
}

/** First line of an action for people who are not signed in: the input, or the refusal to answer with. */
export async function receivePublicForm<Given>(schema: z.ZodType<Given>, input: unknown): Promise<Received<Given>> {
  return await passGates({ checkOrigin, requirePerson: async () => null, requireGame: noGame }, { schema, input });
}

/** The refusal of a request that did not come from a page of this Sharebook; null: it did. */
export async function checkOrigin(): Promise<FormRefusal | null> {
  if (isOwnOrigin(await headers(), config().origin)) return null;
  return {
    kind: 'refused',
    sentence: `This request didn’t come from ${config().origin}. Nothing was changed. Open Sharebook there and try again.`,
  };
}

async function noGame(): Promise<null> {
  return null;
}

function actorOf({ id, email, roles }: Actor): Actor {
  return { id, email, roles };
}

/** The checks between a request and the verb it asks for. A refused request does not return. */
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
  const areLoopback = isLoopback(given.hostname) && isLoopback(own.hostname);
  return areLoopback && given.protocol === own.protocol && given.port === own.port;
}

/** The game a form is about, as its address names it. */
export const slugShape = z.string().max(40);

/** One of our numbers or of Invo's, as a form carries it. */
export const idShape = z
  .string()
  .refine((text) => parseNumericId(text) !== null)
  .transform(Number);

/** A subscription id, fit for the path of a call. */
export const subscriptionIdShape = z.string().regex(SUBSCRIPTION_ID);

/** A digest of what stood on the page when the form was drawn. */
export const digestShape = z.string().regex(/^[0-9a-f]{64}$/);
