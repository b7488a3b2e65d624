import 'server-only';
import type { z } from 'zod';
import { findGameConfig } from '#lib/config.ts';
import type { Game } from '#lib/core/game.ts';
import type { Actor, Capability } from '#lib/core/roles.ts';
import type { GameContext } from '#lib/games/game-context.ts';
import { type Received, receiveGameForm } from './receive-form.ts';
import { config, db, now, pool } from './wiring.ts';

/** A stored game with its database, its clock and its configuration, for the operations a page starts. The secret stays inside. */
export function openGameContext(game: Game): GameContext {
  const configured = findGameConfig(config(), game.slug);
  if (configured === null) throw new Error(`the game ${game.slug} is not configured`);
  return {
    game: { ...game, db: db(), pool: pool(), settleLag_minutes: config().settleLag_minutes, isSimulated: config().isSimulated, now },
    config: configured,
  };
}

/** The same for what a person looks up, which counts against their share of the calls. */
export function openLookUp(game: Game, person: { id: string }): GameContext {
  return { ...openGameContext(game), lookUpBy: person.id };
}

/**
 * First line of every action that asks Invo: the input, who gives it and the game to act on, or the refusal to answer with. When nobody is
 * signed in or the role doesn't allow it, the page that says so is shown and nothing after this line runs.
 */
export async function receiveForm<Given extends { game: string }>(
  schema: z.ZodType<Given>,
  input: unknown,
  capability: Capability,
): Promise<Received<Given, { game: Game; context: GameContext; actor: Actor }>> {
  const received = await receiveGameForm(schema, input, capability);
  return received.kind === 'refused' ? received : { ...received, context: openGameContext(received.game) };
}
