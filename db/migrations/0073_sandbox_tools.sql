-- Sandbox tools: test purchases, test cards, client events and pages of rewards, in games of the sandbox only.

alter table desk_action drop constraint desk_action_kind;
alter table desk_action add constraint desk_action_kind check ((kind, repeats) in (('payment_confirm', 'person'), ('card_confirm', 'person'),
  ('payment_link', 'never'), ('milestone', 'worker'), ('item_sale', 'worker'), ('redeem', 'never'), ('send_start', 'person'), ('send_approve', 'never'),
  ('owner_text', 'never'), ('phone_enrolment', 'never'), ('transfer_start', 'person'), ('transfer_approve', 'never'), ('receipt', 'never'),
  ('claim', 'never'), ('purchase', 'person'), ('card_setup', 'person'), ('client_event', 'person'), ('rewards_page', 'never')));

create function refuse_sandbox_tool() returns trigger language plpgsql as $$
begin
  if not exists (select from game where game.game_id = new.game_id and game.environment = 'sandbox') then
    raise exception 'a sandbox tool needs a game of the sandbox' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger desk_action_sandbox before insert on desk_action for each row
  when (new.kind in ('purchase', 'card_setup', 'client_event', 'rewards_page')) execute function refuse_sandbox_tool();
