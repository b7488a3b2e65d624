import type { IdentityCell } from '#app/_ui/data-table/table-words.ts';

/** The recipient of a line: the name where there is one, and always the player id. */
export function lineIdentity(slug: string, row: { recipient_player_id: number; recipientName: string | null }): IdentityCell {
  const playerId = row.recipient_player_id;
  return { name: row.recipientName, playerId, note: String(playerId), isShort: true, href: `/${slug}/recipients/${playerId}` };
}
