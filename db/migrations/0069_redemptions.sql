-- Redemptions: sent once, and settled by what the player's vault says.

alter table desk_action drop constraint desk_action_kind;
alter table desk_action add constraint desk_action_kind check ((kind, repeats) in (('payment_confirm', 'person'), ('card_confirm', 'person'),
  ('payment_link', 'never'), ('milestone', 'worker'), ('item_sale', 'worker'), ('redeem', 'never')));
alter table desk_action_read drop constraint desk_action_read_kind_check;
alter table desk_action_read add constraint desk_action_read_kind_check check (kind in ('wallet', 'order', 'cards', 'vault'));
