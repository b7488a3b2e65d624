-- Plain names for columns of refunds. Only names change: no stored value, no digest and no exported file changes.

alter table refund rename column owner_id to assignee_id; -- the person working on the refund
alter table refund rename column wants_second_person to needs_second_approver; -- it exceeded the requester's limit when requested: another person approves it, whatever role or limit changes later
alter table refund rename constraint refund_owner_id_fkey to refund_assignee_id_fkey;
alter index refund_owner rename to refund_assignee;
alter index refund_for_people rename to refund_needing_action;

alter table refund_stop rename to refund_pause;
alter table refund_pause rename column stop_no to pause_no; -- 1, 2, 3 …
alter table refund_pause rename column stopped_by to paused_by; -- who paused refunds
alter table refund_pause rename column stopped_at to paused_at; -- when
alter table refund_pause rename column lift_asked_by to resume_requested_by; -- the first person who asked to resume; NULL: nobody yet
alter table refund_pause rename column lifted_by to resumed_by; -- the second person; NULL: still paused
alter table refund_pause rename column lifted_at to resumed_at; -- when refunds were resumed; NULL: still paused
alter table refund_pause rename constraint refund_stop_pkey to refund_pause_pkey;
alter table refund_pause rename constraint refund_stop_game_id_fkey to refund_pause_game_id_fkey;
alter table refund_pause rename constraint refund_stop_stopped_by_fkey to refund_pause_paused_by_fkey;
alter table refund_pause rename constraint refund_stop_lift_asked_by_fkey to refund_pause_resume_requested_by_fkey;
alter table refund_pause rename constraint refund_stop_lifted_by_fkey to refund_pause_resumed_by_fkey;
alter table refund_pause rename constraint refund_stop_check to refund_pause_check;
alter table refund_pause rename constraint refund_stop_check1 to refund_pause_check1;
alter table refund_pause rename constraint refund_stop_check2 to refund_pause_check2;
alter table refund_pause rename constraint refund_stop_why_check to refund_pause_why_check;
alter index refund_stop_holds rename to refund_pause_open;
alter trigger refund_stop_kept on refund_pause rename to refund_pause_kept;
alter trigger refund_stop_wakes on refund_pause rename to refund_pause_wakes;
alter sequence refund_stop_stop_no_seq rename to refund_pause_pause_no_seq;
