/**
 * The writes at Invo that a person requests on the page of a player or an order: to confirm a payment whose bank check is done, to confirm a card's
 * set-up, to make a payment link, to report a milestone, to sell an item for coins, to redeem a reward, to collect a transfer, and, each in two steps, to
 * send coins of a house account and to transfer a player's own; in games of the sandbox also to buy coins, save a card, report an event as the player's
 * client, and open the page of rewards.
 */
export const ACTION_KINDS = [
  'payment_confirm',
  'card_confirm',
  'payment_link',
  'milestone',
  'item_sale',
  'redeem',
  'claim',
  'receipt',
  'send_start',
  'send_approve',
  'transfer_start',
  'transfer_approve',
  'owner_text',
  'phone_enrolment',
  'purchase',
  'card_setup',
  'client_event',
  'rewards_page',
] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

/** Groups of kinds that are turned on and off together, game by game; sandbox tools have no switch. A check of the database repeats the list. */
export const SWITCHED_GROUPS = ['payments', 'milestones', 'items', 'sends', 'rewards', 'transfers'] as const;
export type SwitchedGroup = (typeof SWITCHED_GROUPS)[number];

/** Whether a group is on until someone sets its switch: in the sandbox each is, in production payments alone. */
export function isOnByDefault(group: SwitchedGroup, environment: string): boolean {
  return environment === 'sandbox' || group === 'payments';
}

/** Kinds that are turned on and limited together. */
export type ActionGroup = SwitchedGroup | 'sandbox';

/** Who may send the same request again: the worker by itself, a person, or nobody. */
export type Repeats = 'worker' | 'person' | 'never';

/** What counts towards a limit. */
export type ActionUnit = 'usd' | 'coins';

/** Parses the name of a kind; null for any other value. */
export function parseActionKind(text: unknown): ActionKind | null {
  return ACTION_KINDS.find((kind) => kind === text) ?? null;
}

/** What Sharebook reports as a milestone: Invo's types of event (document 1, events); another check of the database repeats them. */
export const MILESTONE_EVENTS = ['game.milestone.reached', 'game.custom.recorded'] as const;
export type MilestoneEvent = (typeof MILESTONE_EVENTS)[number];

const MILESTONE_NAME = /^[!-~]([ -~]{0,98}[!-~])?$/;

/** Parses the name of a milestone as it is registered with Invo: 1 to 100 printable ASCII characters; null for anything else. */
export function parseMilestoneName(typed: string): string | null {
  const name = typed.trim();
  return MILESTONE_NAME.test(name) ? name : null;
}
