/**
 * The writes at Invo that a person requests on the page of a player or an order: to confirm a payment whose bank check is done, to confirm a card's
 * set-up, and to make a payment link.
 */
const ACTION_KINDS = ['payment_confirm', 'card_confirm', 'payment_link'] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

/** Kinds that are turned on and limited together. */
export type ActionGroup = 'payments';

/** Who may send the same request again: the worker by itself, a person, or nobody. */
export type Repeats = 'worker' | 'person' | 'never';

/** What counts towards a limit. */
export type ActionUnit = 'usd' | 'coins';

/** Parses the name of a kind; null for any other value. */
export function parseActionKind(text: unknown): ActionKind | null {
  return ACTION_KINDS.find((kind) => kind === text) ?? null;
}
