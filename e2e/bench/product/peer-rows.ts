import type { PeerRows } from './peer-pages.ts';

/** The columns a peer shows: those of the product's own table. */
export const PEER_COLUMNS = {
  '2k': [
    'recipient_player_id',
    'player_name',
    'renewal_count',
    'subscription_count',
    'gross_attributed_usd',
    'reversed_attributed_usd',
    'net_attributed_usd',
    'first_paid_at',
    'last_paid_at',
    'identity_id',
  ],
  '20k': [
    'recipient_player_id',
    'paid_at_reported',
    'amount_usd',
    'invo_fee_usd',
    'base_usd',
    'percent_at_renewal',
    'attributed_amount_usd',
    'period_id',
    'subscription_id',
    'item_name',
  ],
} as const;

/** The rows of the newest month for the peers, in the order of the product's tables. */
export function fillPeers(gameId: number): PeerRows {
  const newest = `(select max(snapshot_id) from snapshot where game_id = ${gameId})`;
  return {
    '/rows-2k.json': `select ${PEER_COLUMNS['2k'].join(', ')} from snapshot_recipient
      where game_id = ${gameId} and snapshot_id = ${newest} order by net_attributed_usd desc, recipient_player_id`,
    '/rows-20k.json': `select ${PEER_COLUMNS['20k'].join(', ')} from renewal_line
      where game_id = ${gameId} and slice_id in (select slice_id from snapshot_slice where game_id = ${gameId} and snapshot_id = ${newest})
      order by recipient_player_id, paid_at, period_id`,
  };
}
