-- The orders and chips of a table are found by SQL when its snapshot is rendered, and stored beside its columns.
alter table rendition add column orders_sha256 digest; -- of the uncompressed orders; NULL as table_sha256, and in what an earlier version rendered
alter table rendition_part drop constraint rendition_part_kind_check;
alter table rendition_part add constraint rendition_part_kind_check check (kind in ('file', 'table', 'orders')); -- the CSV; the columns of a table; its orders, chips and sums
