-- Webhooks: what Invo delivers by itself. A delivery is kept as it was signed and opens a reading; no figure and no state comes from it.

create table delivery (
  game_id int not null references game, -- the game whose address was called
  delivery_id bigint generated always as identity, -- one signed meaning; repeats of it are in delivery_repeat
  idempotency_key text check (char_length(idempotency_key) between 1 and 255), -- X-Service-Idempotency-Key as received; NULL: no usable key came, see key_problem
  key_problem text check (key_problem in ('missing', 'repeated', 'too_long', 'not_ascii')), -- why the key was not usable; NULL: it was. The key is not signed
  meaning_digest digest not null, -- SHA-256 over the signed event type, game id and data; of a body that can't be read, over its bytes
  event_type text, -- type of the event as Invo names it; NULL: the body can't be read
  tenant_id text, -- id of the game at Invo as the event names it; NULL: the body names none
  event_id text, -- id in the envelope, another one at each attempt; NULL: the body names none
  header_event_id text, -- X-Service-Event-Id, another one at each attempt; NULL: no such header
  event_created_at timestamptz, -- when the event happened, as Invo reports it; NULL: not reported, or no instant
  signed_at timestamptz not null, -- the signed time of the signature header, whole seconds
  received_at timestamptz not null default clock_timestamp(), -- when it arrived, by the database clock
  secret_slot text not null check (secret_slot in ('current', 'previous', 'both')), -- which configured signing secret verified it; both: Invo signs with either during a rotation
  secret_version text, -- X-Service-Secret-Version as received; NULL: no such header
  signature_count int not null check (signature_count between 1 and 4), -- v1 values in the signature header
  body bytea, -- the signed bytes, gzip; NULL: removed after 90 days, or never kept because they carry a code or token; the digest remains
  body_sha256 digest not null, -- SHA-256 over the signed bytes
  body_bytes int not null check (body_bytes between 0 and 262144), -- length of the signed bytes
  body_problem text check (body_problem in ('not_json', 'duplicate_key', 'not_an_envelope', 'no_id')), -- why it can't be followed; no_id: names nothing to read. NULL: it can
  is_test boolean not null default false, -- posted by Sharebook to itself to check the set-up
  state text not null check (state in ('received', 'processed', 'failing', 'conflict', 'other_game', 'stale', 'unknown_type')), -- received: its reading is still to come; failing: it couldn't be made for a day or contradicts what is stored, or the body can't be followed; stale: signed more than 5 minutes from its arrival
  conflict_with bigint, -- the first delivery under the same key, which says something else; NULL: none
  read_kind text check (read_kind in ('refund', 'period', 'subscription', 'order', 'transfer')), -- what it opens a reading of; NULL: nothing
  read_subject text, -- what is read, see delivery_read; NULL: nothing
  settled_at timestamptz, -- when a person settled a conflict or marked it as known; NULL: nobody did
  settled_by text references person, -- who did; NULL: nobody
  settled_reason text check (char_length(settled_reason) between 1 and 500), -- why, in their words; NULL: nobody did
  primary key (game_id, delivery_id),
  unique (game_id, meaning_digest),
  foreign key (game_id, conflict_with) references delivery (game_id, delivery_id),
  check ((idempotency_key is null) = (key_problem is not null)),
  check (state <> 'conflict' or conflict_with is not null),
  check ((read_kind is null) = (read_subject is null)),
  check ((settled_at is null) = (settled_by is null) and (settled_at is null) = (settled_reason is null))
);
-- Deliveries under one key agree; the others refer to the first.
create unique index delivery_key on delivery (game_id, idempotency_key) where conflict_with is null;
create index delivery_conflict on delivery (game_id, conflict_with) where conflict_with is not null;
create index delivery_received on delivery (game_id, received_at);
create index delivery_state on delivery (game_id, state, delivery_id);
create index delivery_type on delivery (game_id, event_type, delivery_id);
create index delivery_opens on delivery (game_id, read_kind, read_subject, delivery_id);
create index delivery_open on delivery (game_id, delivery_id) where settled_at is null and state in ('failing', 'conflict', 'other_game');
create index delivery_body on delivery (game_id, received_at) where body is not null;

create table delivery_subject (
  game_id int not null, -- its game
  kind text not null check (kind in ('order', 'transfer', 'transaction', 'subscription', 'subscription_period', 'period', 'client_request', 'player', 'identity', 'payment_intent', 'charge', 'dispute')), -- what the id names; subscription_period: a subscription and the number of its period, with a space between
  id_text text not null check (char_length(id_text) between 1 and 300), -- the id as the event names it
  delivery_id bigint not null, -- the delivery that names it
  primary key (game_id, kind, id_text, delivery_id),
  foreign key (game_id, delivery_id) references delivery
);
create index delivery_subject_delivery on delivery_subject (game_id, delivery_id);

create table delivery_repeat (
  game_id int not null, -- its game
  repeat_id bigint generated always as identity, -- one further receipt
  delivery_id bigint not null, -- the delivery it repeats: the same signed meaning
  idempotency_key text check (char_length(idempotency_key) between 1 and 255), -- key it came under; NULL: no usable one
  event_id text, -- id in the envelope; NULL: the body names none
  header_event_id text, -- X-Service-Event-Id; NULL: no such header
  signed_at timestamptz not null, -- the signed time of the signature header
  received_at timestamptz not null default clock_timestamp(), -- when it arrived, by the database clock
  secret_slot text not null check (secret_slot in ('current', 'previous', 'both')), -- which configured signing secret verified it; both: Invo signs with either during a rotation
  secret_version text, -- X-Service-Secret-Version; NULL: no such header
  body_sha256 digest not null, -- SHA-256 over its signed bytes, which are not kept
  is_stale boolean not null, -- it was signed more than 5 minutes from its arrival, and answered as too old
  primary key (game_id, repeat_id),
  foreign key (game_id, delivery_id) references delivery
);
create index delivery_repeat_delivery on delivery_repeat (game_id, delivery_id, repeat_id);
create index delivery_repeat_key on delivery_repeat (game_id, idempotency_key);
create index delivery_repeat_received on delivery_repeat (game_id, received_at);

create table delivery_read (
  game_id int not null references game, -- its game
  kind text not null check (kind in ('refund', 'period', 'subscription', 'order', 'transfer')), -- what is read; refund: the next look at our refund is brought forward, or the period of a refund that isn't ours is read
  subject text not null check (char_length(subject) between 1 and 300), -- the id of what is read; of a refund its idempotency key
  asked_at timestamptz not null default clock_timestamp(), -- when a delivery or a person asked last
  due_at timestamptz, -- when it is read next; NULL: read since it was asked for, or given up
  attempt_count int not null default 0, -- attempts since it was asked for
  first_tried_at timestamptz, -- when the first of these began; NULL: none
  lease_until timestamptz, -- a process reads it until then; NULL: none does
  read_at timestamptz, -- when it last succeeded; NULL: never
  outcome text check (outcome in ('read', 'not_found', 'refund_look', 'refund_ended', 'refund_with_person', 'refund_contradicted', 'refunded_elsewhere', 'elsewhere_unread')), -- what the last successful one came to; NULL: never
  last_error text, -- code of the last attempt's error; NULL: it succeeded, or none was made
  primary key (game_id, kind, subject),
  check ((read_at is null) = (outcome is null))
);
create index delivery_read_due on delivery_read (game_id, due_at) where due_at is not null;
create index delivery_read_outcome on delivery_read (game_id, outcome);

create table delivery_refusal (
  game_id int not null references game, -- the game whose address was called
  hour timestamptz not null, -- start of the hour, UTC
  reason text not null check (reason in ('content_type', 'content_encoding', 'too_large', 'too_slow', 'header', 'signature', 'no_secret', 'not_stored')), -- why nothing was stored
  refusal_count int not null check (refusal_count > 0), -- requests refused in that hour for that reason
  last_at timestamptz not null default clock_timestamp(), -- the last of them was counted
  sample_sha256 digest, -- SHA-256 over the body of one of them; NULL: no body was read
  primary key (game_id, hour, reason)
);

-- Whatever was received stays: the worker moves the state on, people settle, and bodies go after 90 days.
create function keep_delivery() returns trigger language plpgsql as $$
declare
  free text[] := array['state', 'settled_at', 'settled_by', 'settled_reason'];
begin
  if tg_op = 'DELETE' then
    raise exception 'a delivery is never removed' using errcode = 'integrity_constraint_violation';
  end if;
  if new.body is null then
    free := free || array['body'];
  end if;
  -- A key that comes with a repeat counts from then on.
  if old.idempotency_key is null then
    free := free || array['idempotency_key', 'key_problem'];
  end if;
  if (to_jsonb(new) - free)::text <> (to_jsonb(old) - free)::text then
    raise exception 'what was delivered never changes' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger delivery_kept before update or delete on delivery for each row execute function keep_delivery();
create trigger delivery_whole before truncate on delivery for each statement execute function refuse_change();
create trigger delivery_subject_kept before update or delete on delivery_subject for each row execute function refuse_change();
create trigger delivery_subject_whole before truncate on delivery_subject for each statement execute function refuse_change();
create trigger delivery_repeat_kept before update or delete on delivery_repeat for each row execute function refuse_change();
create trigger delivery_repeat_whole before truncate on delivery_repeat for each statement execute function refuse_change();

-- Woken by the intake once for many deliveries, and by the tick: a trigger would make all deliveries of a game wait for one row.
select pgboss.create_queue('deliveries', '{"policy":"short","notify":true,"retryLimit":0,"expireInSeconds":3600,"deleteAfterSeconds":3600}');
