-- Orders and transfers that Invo was asked about. Invo lists neither, so what was read once is found again here.

alter table detail_read drop constraint detail_read_kind_check;
alter table detail_read add check (kind in ('subscription', 'subscriptions', 'balances', 'cards', 'order', 'item_order', 'item_history', 'transfer', 'approval'));

create table known_order (
  game_id int not null references game, -- its game
  book text not null check (book in ('currency', 'items')), -- which of Invo's two order books answered
  order_id text not null check (char_length(order_id) between 1 and 300), -- Invo's id of the order
  player_id bigint, -- the player who bought, where the answer names one that is known; NULL: not known
  status text, -- Invo's word when it was last read; NULL: not reported
  transaction_id text, -- Invo's id of the payment; NULL: not reported
  payment_intent_id text, -- the card processor's id of the payment; NULL: not reported
  purchase_reference text, -- the game's idempotency key of the purchase; NULL: not reported
  amount_field text, -- Invo's name of the amount, such as usd_amount; NULL: no amount was reported
  amount coins, -- the first amount reported, in the unit its name says; NULL: none was
  read_at timestamptz not null, -- when it was last read from Invo
  primary key (game_id, book, order_id),
  check ((amount_field is null) = (amount is null))
);
create index known_order_player on known_order (game_id, player_id, read_at desc) where player_id is not null;
create index known_order_transaction on known_order (game_id, transaction_id) where transaction_id is not null;
create index known_order_payment_intent on known_order (game_id, payment_intent_id) where payment_intent_id is not null;
create index known_order_reference on known_order (game_id, purchase_reference) where purchase_reference is not null;

create table known_transfer (
  game_id int not null references game, -- its game; the two games of one transfer have a row each
  transaction_id text not null check (char_length(transaction_id) between 1 and 300), -- Invo's id of the transfer
  transaction_status text, -- Invo's word when it was last read; NULL: not reported
  verification_state text, -- Invo's word when it was last read; NULL: not reported
  amount coins, -- currency units the sender gave, as reported; NULL: not reported
  net_amount coins, -- currency units after fees, as reported; NULL: not reported
  claim_expires_at timestamptz, -- until when it can be collected; NULL: not reported
  is_destination boolean not null, -- Invo answered as to the game that receives
  read_at timestamptz not null, -- when it was last read from Invo
  primary key (game_id, transaction_id)
);
create index known_transfer_read on known_transfer (game_id, read_at desc, transaction_id);

-- The orders that charged a subscription's periods, for the page of its player.
create index known_id_subscription on known_id (game_id, subscription_id, period_id desc) where kind = 'order';
