-- Plain names for columns of evidence. Only names change: no value, no digest and no exported file reads differently.

drop view current_snapshot;

alter table slice rename column ties_out to is_consistent; -- every line Invo counted is here and its own hard checks match; false: kept as evidence, never reused
alter table snapshot rename column standing to status; -- complete: closed, whole and every hard check matches; open: the window is not over; inconsistent: a hard check doesn't match
alter table snapshot rename constraint snapshot_standing_check to snapshot_status_check;
alter table snapshot rename column owed_back_count to negative_balance_count; -- recipients whose net is below zero
alter table snapshot rename column owed_back_usd to negative_balance_usd; -- USD, the sum of those nets, zero or negative
alter table snapshot rename column open_question_count to open_item_count; -- unattributed renewals other than the benign reason + the three counts above
alter table pull rename column doing to activity; -- what the pull is working on, as shown to people; NULL: not started
alter table pull rename column failure_sentence to failure_message; -- what went wrong, for the person who must act; NULL: no failure

create view current_snapshot as
  -- The newest complete snapshot of each window, otherwise the newest of all: the one that pages and exports read.
  select distinct on (game_id, window_start, window_end) *
  from snapshot
  order by game_id, window_start, window_end, (status = 'complete') desc, snapshot_id desc;
