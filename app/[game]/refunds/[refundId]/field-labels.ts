/** What the figures of a receipt are called for people, by Invo's names. */
export const FIELD_LABELS: Readonly<Record<string, string>> = {
  refunded_amount_usd: 'Refunded',
  card_refunded_usd: 'To the card',
  balance_delta_coins: 'Coins moved',
  new_balance: 'Wallet afterwards',
  is_full_refund: 'Completes the period',
  total_refunded_amount_usd: 'Refunded of the period in all',
  remaining_refundable_usd: 'Left of the period',
  partner_revenue_reversed_usd: 'Your revenue reversed',
  partner_revenue_reversal_mode: 'How it was reversed',
  card_fee_charged_to_partner_usd: 'Card fee charged to you',
  invo_fee_retained: 'Invo keeps its fee',
  recipient_player_id: 'Recipient, player',
  original_attributed_amount_usd: 'Attributed to the recipient',
  refunded_attributed_amount_usd: 'Of it taken back in all',
  net_attributed_amount_usd: 'Left to pay the recipient',
};
