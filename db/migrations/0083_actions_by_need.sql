-- The register of desk actions begins with what needs action, then the newest.
create index desk_action_by_need on desk_action (game_id, (case when (state in ('awaiting_approval', 'attention') or state = 'approved' and repeats <> 'worker') then 1 else 0 end), action_id);
