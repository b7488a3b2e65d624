import 'server-only';
import type { z } from 'zod';
import type { Capability } from '#lib/core/roles.ts';
import type { GameContext } from '#lib/games/game-context.ts';
import type { Actor } from '#lib/people/actor.ts';
import { checkOrigin } from './action.ts';
import { type Game, openGameContext, requireGame } from './game.ts';
import { passGates, type Refused } from './pass-gates.ts';
import { requirePerson } from './session.ts';

export type Received<Given> = { kind: 'received'; game: Game; desk: GameContext; actor: Actor; given: Given } | Refused;

/**
 * First line of every action on a game: what was given, who gives it and the means to act on it, or the refusal to answer with.
 * Nobody signed in, or not allowed: the page that says so, and nothing after this line runs.
 */
export async function receiveForm<Given extends { game: string }>(
  schema: z.ZodType<Given>,
  form: FormData,
  capability: Capability,
): Promise<Received<Given>> {
  const passed = await passGates({ checkOrigin, requirePerson, requireGame }, { schema, form, capability });
  if (passed.kind === 'refused') return passed;
  const { game, given } = passed;
  const { id, email, role } = passed.person;
  return { kind: 'received', game, desk: await openGameContext(game), actor: { id, email, role }, given };
}
