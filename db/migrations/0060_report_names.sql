-- Banks name their files by account. A report's name is stored in clear, so it has no digits but those of a day and of its ending, and no email.
alter table payment_report disable trigger payment_report_kept;
update payment_report set file_name = '…' || coalesce(substring(file_name from '\.[A-Za-z]*[0-9]{0,3}[A-Za-z]*$'), '') where file_name ~ '[0-9@]';
alter table payment_report enable trigger payment_report_kept;
alter table payment_report add constraint payment_report_file_name_check
  check (regexp_replace(file_name, '20[0-9]{2}-[0-9]{2}-[0-9]{2}|\.[A-Za-z]*[0-9]{0,3}[A-Za-z]*$', '', 'g') !~ '[0-9@]');
