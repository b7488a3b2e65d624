import type { Game } from '#app/_server/game.ts';
import { showControls } from '#app/_ui/data-table/cells/visible-text.ts';
import { coverCardNumbers } from '#lib/subscriptions/rules/card.ts';

/** What a person knows a saved card by, as Invo gives it. */
export interface CardWords {
  brand: string | null;
  last_four: string | null;
}

/** A card as a person knows it. Its brand is free text of Invo's: a card number in it is never shown beyond its last four digits. */
export function formatCard({ brand, last_four }: CardWords): string {
  return `${sayBrand(brand)} •••• ${last_four ?? '????'}`;
}

function sayBrand(brand: string | null): string {
  if (brand === null || brand.trim() === '') return 'Card';
  const masked = coverCardNumbers(brand);
  return showControls(`${masked.charAt(0).toUpperCase()}${masked.slice(1)}`);
}

/** A game by its name, told from its sandbox. */
export function formatGameName({ name, environment }: Pick<Game, 'name' | 'environment'>): string {
  return environment === 'sandbox' ? `${name}, sandbox` : name;
}
