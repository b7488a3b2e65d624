import * as z from 'zod';
import { parseInstant } from '#lib/core/instant.ts';
import type { Invo } from '../invo.ts';
import { requireEmail } from '../request-path.ts';
import { type AnswerTree, isFields, parseAnswerTree } from '../shapes/answer-tree.ts';
import { count, flag, ifFits, instant, list, optionalText, prose, readerOf, textId } from '../shapes/fields.ts';

// Far above what one game offers one player; they only bound a lie.
const CARDS_MAX = 500;
const STEPS_MAX = 500;
const REWARDS_MAX = 1_000;

/** The version whose fields Sharebook interprets (document 1, Versioning). */
const CARD_VERSION = 1;

/** Text of a field that could hold a code: only its last four characters, behind bullets, whatever Invo sent. */
export function maskCode(text: string): string {
  return `••••${[...text.replaceAll(/[•*\s]/g, '')].slice(-4).join('')}`;
}

/** A field that holds the mask of a code, or in a broken answer the code. */
export const maskedCode = z.transform<unknown, string | null>((value) =>
  typeof value === 'string' && value !== '' ? maskCode(value) : null,
);

const step = z.object({
  step_id: ifFits(textId),
  index: ifFits(count),
  action: optionalText,
  label: optionalText,
  summary: optionalText,
  window_hours: ifFits(count),
  state: optionalText,
  progress: ifFits(z.object({ current: count, target: count })),
});

const reward = z.object({
  vault_entry_id: ifFits(textId),
  reward_id: ifFits(textId),
  state: optionalText,
  unlocked_at: ifFits(instant),
  expires_at: ifFits(instant),
  redeemed_at: ifFits(instant),
  code_masked: maskedCode,
  can_redeem: flag,
  can_reveal_again: flag,
  reveal_until: ifFits(instant),
});

/** One program of a player (document 1, Card). States and statuses are Invo's words; nothing is counted or derived. */
const card = z.object({
  mode: optionalText,
  program_id: ifFits(textId),
  quest_id: ifFits(textId),
  quest_version: ifFits(count),
  campaign_id: ifFits(textId),
  title: optionalText,
  description: optionalText,
  brand: ifFits(z.object({ name: optionalText, logo_url: optionalText })),
  art_url: optionalText,
  reward: ifFits(z.object({ reward_id: ifFits(textId), name: optionalText })),
  order_mode: optionalText,
  status: optionalText,
  starts_at: ifFits(instant),
  ends_at: ifFits(instant),
  completion_hours: ifFits(count),
  completion_note: optionalText,
  window_ends_at: ifFits(instant),
  completed_at: ifFits(instant),
  steps_required: ifFits(count),
  steps_complete: ifFits(count),
  // Null for one that can't be read, so that the others keep their index.
  steps: ifFits(list(ifFits(step), STEPS_MAX)),
  rewards: ifFits(list(ifFits(reward), REWARDS_MAX)),
});

export type LoyaltyCard = z.infer<typeof card>;
export type LoyaltyStep = z.infer<typeof step>;
export type LoyaltyReward = z.infer<typeof reward>;

/** A card as Invo sent it, without codes: for a version whose fields may have another meaning. */
export interface RawCard {
  title: string | null;
  card_version: number | null;
  fields: AnswerTree;
}

/** A player's cards: those of the version that is understood, and the others with their raw fields. */
export interface LoyaltyCards {
  card_version: number | null;
  /** `unreadable`: the lists that Invo reported and that can't be read. */
  cards: ({ kind: 'known'; card: LoyaltyCard; unreadable: ('steps' | 'rewards')[] } | { kind: 'other_version'; raw: RawCard })[];
}

const cardList = z.object({ card_version: prose, cards: z.array(z.unknown()).max(CARDS_MAX) });

/** The shape of a player's cards; one that does not fit is shown raw, and takes no other with it. */
const loyaltyCards: z.ZodType<LoyaltyCards> = z.transform<unknown, LoyaltyCards>((json, context) => {
  const outer = cardList.safeParse(json);
  const cards = outer.success ? outer.data.cards.map((each) => readCard(each, outer.data.card_version)) : [];
  const sound = cards.filter((each) => each !== null);
  if (outer.success && sound.length === cards.length) return { card_version: numberOf(outer.data.card_version), cards: sound };
  context.issues.push({ code: 'custom', input: null, path: ['cards'], message: 'expected a list of cards' });
  return z.NEVER;
});

/** Null: the card is too large to be shown. */
function readCard(json: unknown, listVersion: unknown): LoyaltyCards['cards'][number] | null {
  const reading = card.safeParse(json);
  const fields: Record<string, unknown> = typeof json === 'object' && json !== null ? { ...json } : {};
  const versions = [fields['card_version'], listVersion].filter((version) => (version ?? null) !== null);
  if (reading.success && versions.length > 0 && versions.every((version) => numberOf(version) === CARD_VERSION)) {
    const unreadable = (['steps', 'rewards'] as const).filter((name) => (fields[name] ?? null) !== null && reading.data[name] === null);
    return { kind: 'known', card: reading.data, unreadable };
  }
  const tree = parseAnswerTree(json);
  if (!tree.isSound) return null;
  const title = reading.success ? reading.data.title : null;
  return { kind: 'other_version', raw: { title, card_version: numberOf(versions[0]), fields: maskCodes(tree.value) } };
}

/** A version as a whole number, or as the text of one; null for anything else, which is no version that is understood. */
function numberOf(version: unknown): number | null {
  const text = typeof version === 'number' ? String(version) : version;
  return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

const CODE_NAME = /code|promo|coupon|voucher|gift|serial/i;
const KNOWN_NAMES = new Set([card, step, reward].flatMap(({ shape }) => Object.keys(shape)).concat('name', 'logo_url'));

// In a version that isn't understood a code may stand under any name: what speaks of one, and what may be one under a name that is new.
function maskCodes(tree: AnswerTree, name = ''): AnswerTree {
  if (Array.isArray(tree)) return tree.map((each) => maskCodes(each, name));
  if (isFields(tree)) return Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, maskCodes(value, key)]));
  if (typeof tree !== 'string' && typeof tree !== 'number') return tree;
  return CODE_NAME.test(name) || (typeof tree === 'string' && !KNOWN_NAMES.has(name) && mayBeCode(tree)) ? maskCode(String(tree)) : tree;
}

/** Whether a text may be a code: one word that is neither plain lower case, as states are, nor an instant. */
function mayBeCode(text: string): boolean {
  return /^\S+$/.test(text) && !/^[a-z_]+$/.test(text) && parseInstant(text) === null;
}

/**
 * Reads a player's cards. The answer is `no-store`: only the value is returned, no bytes. Throws InvoError not_found for a player Invo doesn't
 * know, and `rejected` with status 409 where the game has no loyalty.
 */
export async function readLoyaltyCards({ ask }: Invo, playerEmail: string, signal?: AbortSignal): Promise<LoyaltyCards> {
  const path = '/api/sdk/loyalty/players/rewards';
  const { value } = await ask({
    route: { kind: 'loyalty' },
    family: 'loyalty_read',
    path,
    query: { player_email: requireEmail(playerEmail) },
    shown: `${path}?player_email=•`,
    read: readerOf(loyaltyCards, () => null),
    signal,
  });
  return value;
}
