-- What a finding on renewals without attribution is about, and by which rule a snapshot's figures were counted.

alter table unattributed_finding add column facts digest; -- SHA-256 over the slices that had the renewals when it was recorded; NULL: recorded before this was stored, it answers snapshots made until then
alter table unattributed_finding add column period_ids text[] not null default '{}'; -- Invo's ids of the renewals that reports named by then; fewer than there were: the others were not named

alter table snapshot add column figures_version int not null default 1; -- rule by which snapshot_recipient.nets_to_zero_count was counted: 1 takes a whole attributed amount reversed for a full refund, 2 asks for the refund of the whole price
