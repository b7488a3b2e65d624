-- When a person requested to cancel a payment file. The audit has it of requests made before.

drop trigger payout_batch_kept on payout_batch;
alter table payout_batch add column cancel_requested_at timestamptz; -- when it was requested to cancel it; NULL: nobody did
update payout_batch batch set cancel_requested_at = (select max(entry.at) from audit entry
    where entry.game_id = batch.game_id and entry.subject = 'payment file ' || batch.batch_no and entry.act = 'requested to cancel a payment file')
  where batch.cancel_requested_by is not null;
alter table payout_batch add constraint payout_batch_cancel_requested check ((cancel_requested_by is null) = (cancel_requested_at is null));
create trigger payout_batch_kept before update or delete on payout_batch for each row
  execute function keep_set_once('handed_over_by,handed_over_at,provider_reference,cancelled_by,cancelled_at', 'cancel_requested_by,cancel_requested_at,cancel_reason');
