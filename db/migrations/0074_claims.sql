-- Claims: a transfer is collected with its code, and its status settles what became of that.

alter table desk_action_read drop constraint desk_action_read_kind_check;
alter table desk_action_read add constraint desk_action_read_kind_check check (kind in ('wallet', 'order', 'cards', 'vault', 'status', 'guardian'));
