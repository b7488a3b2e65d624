import { formatInstant } from '../instant.ts';
import type { SavedCard } from '../model.ts';
import type { Json } from './json.ts';

/** The saved card of the contract; its id is the handle. */
export function cardObject(card: SavedCard): Json {
  return {
    id: card.id,
    last_four: card.lastFour,
    brand: card.brand,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    created_at: formatInstant(card.createdMs),
  };
}
