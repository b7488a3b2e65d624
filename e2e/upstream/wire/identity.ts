import type { Recipient } from '../model.ts';
import type { Json } from './json.ts';

/** The recipient object: identity fields are null when the player record cannot be found. */
export function recipientObject(recipient: Recipient): Json {
  return {
    player_id: recipient.playerId,
    resolved: recipient.identity !== null,
    player_email: recipient.identity?.email ?? null,
    player_name: recipient.identity?.name ?? null,
    identity_id: recipient.identity?.identityId ?? null,
  };
}
