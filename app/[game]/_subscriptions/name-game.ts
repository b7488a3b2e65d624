import type { Game } from '#app/_server/game.ts';

/** A game by its name, told from its sandbox. */
export function nameGame({ name, environment }: Pick<Game, 'name' | 'environment'>): string {
  return environment === 'sandbox' ? `${name}, sandbox` : name;
}
