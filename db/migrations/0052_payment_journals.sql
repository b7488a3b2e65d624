-- Journals of payments and of what came back, and the notice that a report may show a payment twice.

alter table journal_entry drop constraint journal_entry_kind_check;
alter table journal_entry add constraint journal_entry_kind_check check (kind in ('accrual', 'card_fees', 'reversal', 'payments', 'returns'));
drop index journal_entry_once;
create unique index journal_entry_once on journal_entry (game_id, run_id, kind) where kind in ('accrual', 'reversal');

alter table journal_transfer drop constraint journal_transfer_kind_check;
alter table journal_transfer add constraint journal_transfer_kind_check check (kind in ('revenue_settled', 'service_fee', 'revenue_reversed', 'shares_earned',
  'shares_reversed', 'adjusted_up', 'adjusted_down', 'paid_elsewhere', 'paid_elsewhere_corrected', 'brought_forward', 'brought_forward_negative',
  'negative_balances_grew', 'negative_balances_shrank', 'card_fees', 'items_paid', 'items_returned', 'return_fees'));
alter table journal_transfer drop constraint journal_transfer_debit_check;
alter table journal_transfer add constraint journal_transfer_debit_check check (debit in ('invo_receivable', 'service_fee', 'revenue', 'refunds_revenue', 'card_fees',
  'revenue_share', 'recipients_payable', 'recipients_receivable', 'adjustments', 'opening_balances', 'payout_clearing', 'bank_fees'));
alter table journal_transfer drop constraint journal_transfer_credit_check;
alter table journal_transfer add constraint journal_transfer_credit_check check (credit in ('invo_receivable', 'service_fee', 'revenue', 'refunds_revenue', 'card_fees',
  'revenue_share', 'recipients_payable', 'recipients_receivable', 'adjustments', 'opening_balances', 'payout_clearing', 'bank_fees'));

alter table notice drop constraint notice_kind_check;
alter table notice add constraint notice_kind_check check (kind in ('month_ready', 'run_submitted', 'run_approved', 'run_rejected', 'run_returned', 'run_voided', 'drift_found',
  'payment_alarm', 'person_invited', 'person_confirmed', 'roles_requested', 'roles_changed', 'password_link', 'factor_reset', 'factor_requirement', 'person_disabled', 'person_enabled', 'limit_requested', 'limit_changed'));
alter table notice_setting drop constraint notice_setting_kind_check;
alter table notice_setting add constraint notice_setting_kind_check check (kind in ('month_ready', 'run_submitted', 'run_approved', 'run_rejected', 'run_returned', 'run_voided', 'drift_found',
  'payment_alarm', 'person_invited', 'person_confirmed', 'roles_requested', 'roles_changed', 'password_link', 'factor_reset', 'factor_requirement', 'person_disabled', 'person_enabled', 'limit_requested', 'limit_changed'));

-- A row that was listed by an earlier report isn't listed again.
create index payment_report_row_digest on payment_report_row (game_id, row_digest);

-- Payments that another one replaced are few among all of a game.
create index payout_item_reissued on payout_item (game_id, run_id, replaces_item_no) where replaces_item_no is not null and confirmed_at is not null;

-- Its plan stays in the session, and one that was made for a few payments would compare each of many with each.
alter function check_changed_items() set enable_nestloop = off;

-- A report derives the states of a hundred thousand payments again, and derived columns need no comparison of whole rows.
drop trigger payout_item_kept on payout_item;
create trigger payout_item_kept before delete or update of game_id, run_id, item_no, recipient_player_id, amount_usd, replaces_item_no, proposed_by, proposed_at, reason,
  confirmed_by, confirmed_at, withdrawn_by, withdrawn_at, detail_no, batch_no, amount_file, trace on payout_item for each row
  execute function keep_set_once('confirmed_by,confirmed_at,withdrawn_by,withdrawn_at,detail_no,batch_no,amount_file,trace', 'state,returned_in_run_id');
