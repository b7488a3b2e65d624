-- A listed row about a whole payment file names it, so that a bank's debit of a file holds back what would pay its payments again.
alter table payment_report_row add column batch_no int; -- the payment file that it is about as a whole; NULL: none, or a row from before files were stored here
alter table payment_report_row add constraint payment_report_row_batch_no_fkey foreign key (game_id, batch_no) references payout_batch;
alter table payment_report_row add constraint payment_report_row_batch_no_check check (batch_no is null or item_no is null);

-- A report is matched again only by the rules that it was matched by.
alter table payment_report add column rules_version int check (rules_version >= 1); -- version of the rules that it was read and matched by; NULL: earlier than version 1
