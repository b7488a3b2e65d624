-- The class of an answer that made what a phone or a guardian must answer now. Attempts stored before have 'goes_on': the audit has the digest of their answers.

alter table desk_action_attempt drop constraint desk_action_attempt_class_check;
alter table desk_action_attempt add constraint desk_action_attempt_class_check
  check (class in ('done', 'replayed', 'started', 'goes_on', 'refused', 'not_now', 'open', 'no_answer', 'contradiction'));
