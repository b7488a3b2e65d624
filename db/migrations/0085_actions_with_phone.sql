-- The register of desk actions begins with what needs action and with the starts that wait for a phone, then the newest.
drop index desk_action_by_need;
create index desk_action_by_need on desk_action (game_id, (case when (state in ('awaiting_approval', 'attention', 'with_player') or state = 'approved' and repeats <> 'worker') then 1 else 0 end), action_id);
-- What the phone of an action answered last.
create index device_grant_newest on device_grant (game_id, action_id, grant_id);
