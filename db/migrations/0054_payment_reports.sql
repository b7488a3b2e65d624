-- Rows of bank reports whose date contradicts another report, and a search by the ID that a row has.

alter table payment_report_row drop constraint payment_report_row_problem_check;
alter table payment_report_row add constraint payment_report_row_problem_check
  check (problem in ('foreign', 'two_references', 'differs', 'unreadable', 'unknown_word', 'not_handed_over', 'paid_twice', 'returned_in_part', 'returned_more',
    'total_differs', 'replaced', 'dates_contradict'));
create index payment_report_row_provider on payment_report_row (game_id, provider_id) where provider_id is not null;
