import 'server-only';
import { headers } from 'next/headers';
import type { z } from 'zod';
import type { Capability } from '#lib/core/roles.ts';
import type { Actor } from '#lib/people/rules/person.ts';
import { type Game, requireGame } from './game.ts';
import { type FormRefusal, isOwnOrigin, passGates } from './gates.ts';
import { requirePerson } from './session.ts';
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

/** First line of an action for people who are not signed in: the input, or the refusal to answer with. */
export async function receivePublicForm<Given>(schema: z.ZodType<Given>, input: unknown): Promise<Received<Given>> {
  return await passGates({ checkOrigin, requirePerson: async () => null, requireGame: noGame }, { schema, input });
}

/** The refusal of a request that did not come from a page of this Sharebook; null: it did. */
export async function checkOrigin(): Promise<FormRefusal | null> {
  if (isOwnOrigin(await headers(), config().origin)) return null;
  return {
    kind: 'refused',
    sentence: `This request didn't come from ${config().origin}. Nothing was changed. Open Sharebook there and try again.`,
  };
}

async function noGame(): Promise<null> {
  return null;
}

function actorOf({ id, email, role }: Actor): Actor {
  return { id, email, role };
}
