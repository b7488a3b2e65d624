import * as z from 'zod';

// What is stored of desk actions as JSON: nothing here has a name, an email, a phone, a code or a link.

const text = z.string();
const textOrNull = text.nullable();

const wallet = z.object({
  kind: z.literal('wallet'),
  player_id: z.number(),
  /** Coins, as reported; null: not reported. */
  balances: z.array(
    z.object({
      currency_id: textOrNull,
      currency_name: textOrNull,
      available_balance: text,
      reserved_balance: textOrNull,
      total_balance: textOrNull,
    }),
  ),
});

const order = z.object({
  kind: z.literal('order'),
  order_id: text,
  /** Invo's word; one of seven, or another. */
  status: textOrNull,
  transaction_id: textOrNull,
  payment_intent_id: textOrNull,
  player_id: z.number().nullable(),
  /** Under Invo's own names. */
  amounts: z.array(z.object({ field: text, amount: text })),
  currency_name: textOrNull,
});

const cards = z.object({
  kind: z.literal('cards'),
  player_id: z.number(),
  /** Newest first. */
  cards: z.array(z.object({ id: z.number(), brand: textOrNull, last_four: textOrNull })),
});

const vault = z.object({
  kind: z.literal('vault'),
  vault_entry_id: text,
  /** Invo's word; null: the player holds no such reward, or it isn't readable. */
  state: textOrNull,
  reward_ref: textOrNull,
  expires_at: textOrNull,
  /** Of a redeemed reward: whether its code can be shown again, and until when; null: not reported. */
  can_reveal_again: z.boolean().nullable(),
  reveal_until: textOrNull,
});

const status = z.object({
  kind: z.literal('status'),
  transaction_id: text,
  /** Invo's words; null: not reported, or Invo has no status of it. */
  transaction_status: textOrNull,
  verification_state: textOrNull,
  amount: textOrNull,
  net_amount: textOrNull,
  claim_expires_at: textOrNull,
});

const guardian = z.object({
  kind: z.literal('guardian'),
  transaction_id: text,
  /** Invo's word; null: not reported. */
  state: textOrNull,
});

/** What a claim can send of its player beside the code, in the order in which it is sent. */
export const CLAIM_FIELDS = ['player_email', 'player_phone'] as const;
export type ClaimField = (typeof CLAIM_FIELDS)[number];

/** The game that coins go to, as Invo lists it for the receiver's email and number together. */
const destination = z.object({ game_id: text, game_name: textOrNull, currency_name: textOrNull });

/** One reading around an action, in Invo's names. */
export type Reading = z.infer<typeof reading>;
export type ReadingKind = Reading['kind'];

const reading = z.discriminatedUnion('kind', [wallet, order, cards, vault, status, guardian]);

/** What requester and approver saw: the request, and what was read before it. `null`: not part of this kind, or the player's email isn't known. */
export type ActionFacts = z.infer<typeof facts>;

const facts = z.object({
  version: z.literal(1),
  /** The request by the names of its kind; each kind parses its own. */
  request: z.record(text, z.unknown()),
  wallet: wallet.nullable(),
  order: order.nullable(),
  cards: cards.nullable(),
  /** Left out by kinds that came before it: their digests stay what they are. */
  vault: vault.optional(),
  status: status.optional(),
  /** Wallet of the house account that sends. */
  sender: wallet.optional(),
  destination: destination.optional(),
  /** Of a claim: the fields of its player that Invo's answers to earlier ones named; left out: none. */
  claim_fields: z.array(z.enum(CLAIM_FIELDS)).optional(),
  /** What the requester's automatic approvals of 24 hours left, where a second person approves because of it alone; left out: it isn't why. */
  day_limit_left: text.optional(),
  /** By the game's clock. */
  read_at: text,
});

/** Why an action can't be requested for this player or order now. Invo states each of them. */
export type ActionBlocker =
  | 'unknown_player'
  | 'no_email'
  | 'other_player'
  | 'no_player'
  | 'order_not_found'
  | 'order_without_player'
  | 'order_of_other_player'
  | 'order_state'
  | 'no_payment_intent'
  | 'not_one_currency'
  | 'not_covered'
  | 'time_ahead'
  | 'time_too_old'
  | 'milestone_not_added'
  | 'no_identity'
  | 'no_house_account'
  | 'house_receives'
  | 'house_phone_unreadable'
  | 'no_destination'
  | 'game_not_pinned'
  | 'too_many_sends'
  | 'too_many_starts'
  | 'too_many_coins'
  | 'not_approved_on_phone'
  | 'no_reward'
  | 'reward_state'
  | 'code_shown_before'
  | 'transfer_not_found'
  | 'transfer_elsewhere'
  | 'transfer_state'
  | 'number_shared'
  | 'receiver_unknown';

/** Why an approval became void: what prevents the action now, or what it depends on that changed. */
export type FactsChange = ActionBlocker | 'changed_currencies' | 'changed_order' | 'changed_reward' | 'changed_transfer' | 'changed_sender';

/** The listed fields of Invo's answer, by Invo's names: ids, amounts, instants. */
export type ActionResult = z.infer<typeof result>;

const result = z.record(text, z.union([text, z.number(), z.boolean(), z.null()]));

/** The order that an answer named, by the ID that finds it: the order's, or its transaction's; null: neither. */
export function orderIdIn(found: ActionResult | null): string | null {
  const id = found?.['order_id'] ?? found?.['transaction_id'] ?? null;
  return typeof id === 'string' ? id : null;
}

/** Invo's transaction that a start made, by its answer, or that an approval moves, by its request; null: neither. */
export function transactionIdIn({ start_id, transaction_id }: ActionFacts['request'], found: ActionResult | null): string | null {
  const id = typeof start_id === 'number' ? transaction_id : found?.['transaction_id'];
  return typeof id === 'string' ? id : null;
}

/** Whose coins an action takes: of a send the house account's, else the player's it is for. */
export function callerOf(playerId: number, facts: ActionFacts | undefined): number {
  const house = facts?.request['house_player_id'];
  return typeof house === 'number' ? house : playerId;
}

/** Parses the facts stored with an action. Throws for JSON of another version or shape, as do both functions below. */
export function parseStoredFacts(json: unknown): ActionFacts {
  return facts.parse(json);
}

/** Parses a stored reading. */
export function parseStoredReading(json: unknown): Reading {
  return reading.parse(json);
}

/** Parses the stored fields of an answer; null: none. */
export function parseStoredResult(json: unknown): ActionResult | null {
  return json === null ? null : result.parse(json);
}
