-- A row of a bank report whose reference is that of a payment but for one letter waits for a person.

alter table payment_report_row drop constraint payment_report_row_problem_check;
alter table payment_report_row add constraint payment_report_row_problem_check
  check (problem in ('foreign', 'two_references', 'differs', 'unreadable', 'unknown_word', 'not_handed_over', 'paid_twice', 'returned_in_part', 'returned_more',
    'total_differs', 'replaced', 'dates_contradict', 'before_file', 'mistyped'));
