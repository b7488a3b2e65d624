-- Why a refund needs attention: two reasons more.

alter table refund drop constraint refund_attention_reason_check;
alter table refund add constraint refund_attention_reason_check check (attention_reason in ('invo_asks_for_a_person', 'receipt_contradicts', 'receipt_of_another', 'content_altered', 'cannot_be_read', 'looks_landed', 'looks_not_landed', 'period_unclear', 'not_shown', 'other_subscription', 'reported_after_all'));
