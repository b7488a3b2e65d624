-- What all desk actions of a game depend on: limits, a pause, which groups are turned on, and the names of milestones.

create table action_limit (
  game_id int not null references game, -- game whose actions the limit is for
  name text not null, -- group and role; with _day the limit for everything a person had approved automatically in the group within 24 hours
  limit_amount coins not null check (limit_amount >= 0), -- what is approved automatically, in USD for payments and in the game's coins for the other groups
  set_by text not null, -- email of the admin who set it
  set_at timestamptz not null default clock_timestamp(), -- when it began to apply
  raise_amount coins, -- a higher limit that waits for a second person, in the same unit; NULL: none is requested
  raise_by text references person, -- the admin who requested it; NULL: none is requested
  raise_at timestamptz, -- when it was requested; NULL: none is requested
  primary key (game_id, name),
  constraint action_limit_name_check check (name in (
    'payments_support', 'payments_finance', 'payments_support_day', 'payments_finance_day',
    'items_support', 'items_finance', 'items_support_day', 'items_finance_day',
    'sends_support', 'sends_finance', 'sends_support_day', 'sends_finance_day',
    'transfers_support', 'transfers_finance', 'transfers_support_day', 'transfers_finance_day')),
  constraint action_limit_raise_check check ((raise_amount is null) = (raise_by is null) and (raise_amount is null) = (raise_at is null)),
  constraint action_limit_ceiling_check check (greatest(limit_amount, raise_amount) <= case
    when name like 'payments\_%\_day' then 9999.90 when name like 'payments\_%' then 999.99 when name like '%\_day' then 1000000 else 100000 end)
);

create table action_pause (
  game_id int not null references game, -- game whose desk actions are paused
  pause_no int not null generated always as identity, -- 1, 2, 3 …
  paused_by text references person, -- who paused them; NULL: Sharebook, because the database was restored
  paused_at timestamptz not null default clock_timestamp(), -- when
  why text not null check (char_length(why) between 1 and 500), -- the reason they gave
  resume_requested_by text references person, -- the first person who asked to resume; NULL: nobody yet
  resumed_by text references person, -- the second person; NULL: still paused
  resumed_at timestamptz, -- when actions were resumed; NULL: still paused
  restore_no int references database_restore, -- the restore that is the reason; NULL: a person paused them
  primary key (game_id, pause_no),
  constraint action_pause_by check (paused_by is not null or restore_no is not null),
  check (resumed_by <> resume_requested_by),
  check ((resumed_by is null) = (resumed_at is null)),
  check (resumed_by is null or resume_requested_by is not null)
);
create unique index action_pause_open on action_pause (game_id) where resumed_at is null;
create trigger action_pause_kept before update or delete on action_pause for each row
  execute function keep_until_end('resumed_at', 'resumed_by', 'resume_requested_by', 'restore_no');
create trigger action_pause_wakes after update of resumed_at on action_pause for each row when (new.resumed_at is not null) execute function wake_resumed();
create trigger action_pause_whole before truncate on action_pause for each statement execute function refuse_change();

create table action_switch (
  game_id int not null references game, -- game whose group is turned on or off
  action_group text not null check (action_group in ('payments', 'milestones', 'items', 'sends', 'rewards', 'transfers')), -- the kinds of actions that are turned on together; a group without a row has the default of its environment
  is_on boolean not null, -- whether people may request these actions
  set_by text references person, -- who turned it on or off, of two people the second; NULL: the default of its environment
  set_at timestamptz not null default clock_timestamp(), -- when
  on_requested_by text references person, -- the admin who asked to turn it on; NULL: nobody did
  on_requested_at timestamptz, -- when they asked; NULL: nobody did
  primary key (game_id, action_group),
  constraint action_switch_request_check check ((on_requested_by is null) = (on_requested_at is null) and not (is_on and on_requested_by is not null))
);

create table milestone_name (
  game_id int not null references game, -- game whose events have the name
  event_type text not null check (event_type in ('game.milestone.reached', 'game.custom.recorded')), -- Invo's type of the event
  name text not null check (name ~ '^[!-~]([ -~]{0,98}[!-~])?$'), -- milestone_key or event_name, exactly as registered with Invo
  label text not null check (char_length(label) between 1 and 100), -- what people of the studio call it
  added_by text not null references person, -- the admin who added it
  added_at timestamptz not null default clock_timestamp(), -- when
  primary key (game_id, event_type, name)
);
