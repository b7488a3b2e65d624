import * as z from 'zod';
import type { Invo } from '../invo.ts';
import { count, flag, ifFits, instant, list, optionalText, readerOf, textId } from '../shapes/fields.ts';
import { maskedCode } from './loyalty.ts';

// Far above what one game offers one player; it only bounds a lie.
const ITEMS_MAX = 5_000;

/** A program that the player can do or is doing (document 1, Offer item). States are Invo's words; nothing is counted or derived. */
const offer = z.object({
  quest_id: ifFits(textId),
  quest_version: ifFits(count),
  program_id: ifFits(textId),
  campaign: flag,
  title: optionalText,
  reward_ref: optionalText,
  xp_award: ifFits(count),
  objectives_required: ifFits(count),
  objectives_complete: ifFits(count),
  progress_state: optionalText,
  window_ends_at: ifFits(instant),
  completed_at: ifFits(instant),
});

/** A reward that the player has or had (document 1, Vault item). */
const vaultEntry = z.object({
  vault_entry_id: textId,
  reward_ref: optionalText,
  program_id: ifFits(textId),
  quest_id: ifFits(textId),
  units: optionalText,
  state: optionalText,
  unlocked_at: ifFits(instant),
  expires_at: ifFits(instant),
  redeemed_at: ifFits(instant),
  code_masked: maskedCode,
});

export type LoyaltyOffer = z.infer<typeof offer>;
export type VaultEntry = z.infer<typeof vaultEntry>;

/** Reads the programs of a player, as the player. Null for one that can't be read, so that the others keep their index. Throws InvoError. */
export async function readOffers(invo: Invo, token: string, signal?: AbortSignal): Promise<(LoyaltyOffer | null)[]> {
  return await readItems(invo, 'offers', offer, { token, signal });
}

/** Reads the rewards of a player, newest first, as the player. Null for one that can't be read: its absence says nothing about it. Throws InvoError. */
export async function readVault(invo: Invo, token: string, signal?: AbortSignal): Promise<(VaultEntry | null)[]> {
  return await readItems(invo, 'vault', vaultEntry, { token, signal });
}

/** Only the value is returned, no bytes: the answers are the player's own, and a code may stand where a mask should. */
async function readItems<T extends z.ZodType>(
  { ask }: Invo,
  name: 'offers' | 'vault',
  item: T,
  { token, signal }: { token: string; signal: AbortSignal | undefined },
): Promise<(z.infer<T> | null)[]> {
  const { value } = await ask({
    route: { kind: 'loyalty' },
    family: 'loyalty_player',
    path: `/api/sdk/loyalty/me/${name}`,
    token,
    isStored: false,
    read: readerOf(z.object({ items: list(ifFits(item), ITEMS_MAX) }), () => null),
    signal,
  });
  return value.items;
}
