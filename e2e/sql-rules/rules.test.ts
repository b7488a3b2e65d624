import { loadModule } from 'libpg-query';
import { beforeAll, describe, expect, test } from 'vitest';
import { readSources } from '#e2e/architecture/read-sources.ts';
import { type Catalog, readCatalog } from './catalog.ts';
import { EVERY_GAME } from './every-game.ts';
import { findBreaches } from './rules.ts';

const CATALOG: Catalog = {
  distributed: new Set(['refund', 'pull', 'slice', 'current_window']),
  volatile: new Set(['wake']),
  numbered: new Set(['pull']),
  copied: new Set(['person', 'game']),
  local: new Set(['audit', 'sign_in']),
};
const none = { games: [], clocks: [], locks: [], refused: [] };

beforeAll(() => loadModule());

describe('a statement that names the game of each distributed table breaks no rule', () => {
  test.each([
    'select * from refund where game_id = $1',
    'select * from refund where $1 = refund.game_id and state = $2',
    'select * from refund r where (r.game_id, r.refund_id) = ($1, $2)',
    'select * from refund r where r.game_id = $1::int',
    "select * from refund r where r.game_id = 3 and (r.state = 'landed' or r.refund_id = 1)",
    'select * from refund r join slice s on s.game_id = r.game_id and s.game_id = $1 where r.game_id = $1',
    'select * from refund r left join slice s on s.game_id = $1 and s.slice_id = r.slice_id where r.game_id = $1',
    'select * from refund r join slice s using (game_id, slice_id) where r.game_id = $1',
    'select * from refund r join slice s using (game_id, slice_id) where game_id = $1',
    'select * from refund r, lateral (select * from slice s where s.game_id = $1 and s.slice_id = r.slice_id) t where r.game_id = $1',
    'select exists (select from pull where game_id = $1)',
    'with refund as (select * from pull where game_id = $1) select * from refund',
    'select 1 from pull where game_id = $1 union all select 2 from slice where game_id = $1',
    'select * from game join person on true',
    'insert into refund (refund_id, game_id) values ($1, $2), ($3, $4::int)',
    'insert into refund (game_id, amount) select $1, amount from unnest($2::numeric[]) as amount',
    'insert into refund (game_id, amount) select pull.game_id, 1 from pull where pull.game_id = $1',
    'insert into refund (game_id) values ($1) on conflict (game_id) do update set asked_at = excluded.asked_at',
    'insert into refund (game_id, no) select $1::int, p.no from person p on conflict do nothing returning no',
    'insert into refund (game_id, asked_at) values ($1, clock_timestamp())',
    'update refund set asked_at = clock_now() where game_id = $1 and refund_id = $2',
    'update refund set slice_id = s.slice_id from slice s where refund.game_id = $1 and s.game_id = $1',
    'delete from pull using slice where pull.game_id = $1 and slice.game_id = $1',
    'select * from refund where game_id = $1 for update skip locked',
    'select * from refund r, (select * from game for share) g where r.game_id = $1',
    'declare parts no scroll cursor for select * from refund where game_id = $1',
    'fetch 2000 from parts',
    'begin',
  ])('%s', (text) => expect(findBreaches(text, CATALOG)).toEqual(none));
});

describe('a reference that does not name its game by a parameter at its own level is found', () => {
  test.each([
    ['select * from refund', 'refund'],
    ['select * from public.refund', 'refund'],
    ['select * from refund r where r.game_id = any($1)', 'refund r'],
    ['select * from refund r where r.game_id = $1 or r.refund_id = $2', 'refund r'],
    ['select * from refund r where not r.game_id = $1', 'refund r'],
    ['select * from refund r where r.game_id > $1', 'refund r'],
    ['select * from refund r join slice s on s.game_id = r.game_id where r.game_id = $1', 'slice s'],
    ['select * from refund r join slice s on true where game_id = $1', 'refund r', 'slice s'],
    ['select * from refund r left join slice s on r.game_id = $1 and s.game_id = $1', 'refund r'],
    ['select * from refund r right join slice s on r.game_id = $1 and s.game_id = $1', 'slice s'],
    ['select * from refund r full join slice s on r.game_id = $1 and s.game_id = $1', 'refund r', 'slice s'],
    ['select * from refund r where r.game_id = $1 and exists (select from slice s where s.game_id = r.game_id)', 'slice s'],
    ['select (select count(*) from pull where pull.game_id = r.game_id) from refund r where r.game_id = $1', 'pull'],
    ['select * from refund r, lateral (select * from slice s where s.game_id = r.game_id) t where r.game_id = $1', 'slice s'],
    ['select * from game g where exists (select from current_window c where c.game_id = g.game_id)', 'current_window c'],
    ['select * from (select * from refund) r where r.game_id = $1', 'refund'],
    ['with refund as (select * from pull where game_id = $1) select * from public.refund', 'refund'],
    ['with due as (select * from pull) select * from due where due.game_id = $1', 'pull'],
    ['select 1 from pull where game_id = $1 union all select 2 from slice', 'slice'],
    ['select * from refund where game_id = $1 order by (select max(slice_id) from slice)', 'slice'],
    ['update refund set state = $1 where refund_id = $2', 'refund'],
    ['update refund set state = $1 from slice s where refund.game_id = $2 and s.game_id = refund.game_id', 'slice s'],
    ['update refund set no = (select max(no) from pull) where game_id = $1', 'pull'],
    ['delete from refund where (game_id, refund_id) in (select game_id, refund_id from pull where game_id = $1)', 'refund'],
    ['delete from refund using pull p where refund.game_id = $1', 'pull p'],
    ['insert into game (name) select name from slice', 'slice'],
    ['insert into game (name) values ($1) returning (select count(*) from slice)', 'slice'],
    ['insert into game (name) values ($1) on conflict (name) do update set no = (select count(*) from slice)', 'slice'],
    ['declare parts no scroll cursor for select * from refund', 'refund'],
    ['explain select * from refund', 'refund'],
  ])('%s', (text, ...references) => {
    expect(findBreaches(text, CATALOG).games).toEqual(references.map((reference) => `${reference} has no game_id by parameter`));
  });

  test.each([
    'insert into refund (refund_id) values ($1)',
    'insert into refund values ($1, $2)',
    'insert into refund default values',
    'insert into refund (game_id, no) values ($1, 1), ((select game_id from game), 2)',
    'insert into refund (game_id) select game_id from jsonb_to_recordset($1) as given (game_id int)',
    'insert into refund (game_id) select max(game_id) from pull where game_id = $1',
    'insert into refund (game_id) select $1 union all select game_id + 1 from pull where game_id = $1',
  ])('%s', (text) => expect(findBreaches(text, CATALOG).games).toEqual(['what is inserted into refund has no game_id by parameter']));

  test('merge into refund using pull on true when matched then delete', () => {
    const text = 'merge into refund using pull on true when matched then delete';
    expect(findBreaches(text, CATALOG).games).toEqual(['the rules are not written for MERGE']);
  });
});

describe('a volatile function in what is updated or deleted is found', () => {
  test.each([
    ['update refund set asked_at = clock_timestamp() where game_id = $1', 'clock_timestamp'],
    ['update person set asked_at = coalesce(asked_at, clock_timestamp())', 'clock_timestamp'],
    ['update person set key = gen_random_uuid()', 'gen_random_uuid'],
    ['delete from person where asked_at < pg_catalog.clock_timestamp()', 'clock_timestamp'],
    ['delete from person where random() < 0.1', 'random'],
    ['update person set no = (select wake(no) from game)', 'wake'],
    ['insert into person (id) values ($1) on conflict (id) do update set asked_at = clock_timestamp()', 'clock_timestamp'],
    ["with old as (delete from person where no = nextval('no') returning no) select * from old", 'nextval'],
    ['update person set locked = pg_try_advisory_xact_lock(1)', 'pg_try_advisory_xact_lock'],
  ])('%s', (text, name) => expect(findBreaches(text, CATALOG)).toEqual({ ...none, clocks: [`${name}() is volatile`] }));
});

test.each([
  'update refund set asked_at = coalesce(asked_at, clock_now()) where game_id = $1',
  'update person set asked_at = case when $1 then clock_now() end',
  'insert into person (id) values ($1) on conflict (id) do update set asked_at = clock_now()',
])('a clock where a distributed database reads none is found: %s', (text) => {
  expect(findBreaches(text, CATALOG)).toEqual({ ...none, clocks: ['clock_now() in CASE, COALESCE or DO UPDATE'] });
});

test.each([
  ['select now()', 'now()'],
  ['select * from refund where game_id = $1 and asked_at < pg_catalog.now()', 'now()'],
  ['select transaction_timestamp()', 'transaction_timestamp()'],
  ['insert into person (asked_at) values (statement_timestamp())', 'statement_timestamp()'],
  ['select current_timestamp', 'CURRENT_TIMESTAMP'],
  ['select localtime(3)', 'LOCALTIME_N'],
  ['select current_date', 'CURRENT_DATE'],
])('another clock than clock_now() is found: %s', (text, name) => {
  expect(findBreaches(text, CATALOG)).toEqual({ ...none, clocks: [`${name} is another clock: use clock_now()`] });
});

describe('a lock on rows of several games is found', () => {
  test.each([
    'select * from refund order by refund_id for update skip locked limit 1',
    'select * from refund r join pull p on p.game_id = $1 for share of r',
    'update game set no = 1 where id in (select refund_id from refund for no key update)',
  ])('%s', (text) => {
    expect(findBreaches(text, CATALOG).locks).toEqual([expect.stringMatching(/^refund( r)? has no game_id by parameter and is locked$/)]);
  });
});

test.each([
  'update refund set no = 1 where game_id = $1 and no in (select no from refund where game_id = $1 limit 1 for update skip locked)',
  'delete from person where id in (select id from person limit 5 for update)',
])('a lock that may take more rows than its limit is found: %s', (text) => {
  expect(findBreaches(text, CATALOG).locks).toEqual([expect.stringMatching(/^IN over a subquery with LIMIT that locks/)]);
});

test.each([
  'update refund set no = 1 where game_id = $1 and no = (select no from refund where game_id = $1 limit 1 for update skip locked)',
  'delete from person where id = any(array(select id from person limit 5 for update))',
  'delete from person where id in (select id from person for update)',
])('a lock that takes as many rows as its limit breaks no rule: %s', (text) => expect(findBreaches(text, CATALOG)).toEqual(none));

test.each([
  'with ended as (update person set name = $1 where id = $2 returning id) delete from sign_in using ended where sign_in.person_id = ended.id',
  'update person set name = $1 where exists (select from sign_in where sign_in.person_id = person.id)',
])('a change of a table with copies beside one of the coordinator is found: %s', (text) => {
  expect(findBreaches(text, CATALOG)).toEqual({ ...none, refused: [expect.stringMatching(/in that copy alone/)] });
});

test('an outer join that a parameter may turn off is found', () => {
  const text = 'select r.no from refund r left join slice s on $2 and s.game_id = $1 where r.game_id = $1';
  expect(findBreaches(text, CATALOG)).toEqual({ ...none, refused: [expect.stringMatching(/a parameter may turn off/)] });
});

test('in a statement of several games, EXISTS that depends on no other row and has no column is found', () => {
  const text = 'select no from refund where case when exists (select from pull p where p.game_id = $1) then true else false end';
  const refused = ['EXISTS depends on no other row and has no column: write select 1'];
  expect(findBreaches(text, CATALOG)).toMatchObject({ games: [expect.stringMatching(/^refund /)], refused });
  const dependent = 'select no from refund r where exists (select from pull p where p.game_id = $1 and p.no = r.no)';
  expect(findBreaches(dependent, CATALOG).refused).toEqual([]);
});

test.each([
  'update refund set due_at = due_at - make_interval(secs => $1) where game_id = $2',
  "update refund set due_at = due_at + interval '1 minute' where game_id = $1",
  "update refund set due_at = clock_now() + make_interval(secs => case when repeats = 'worker' then 0 else 1 end) where game_id = $1",
  'delete from refund where game_id = $1 and due_at <= clock_now() + make_interval(secs => greatest(wait_s, 5))',
])('an instant that is computed from a column of what is changed is found: %s', (text) => {
  expect(findBreaches(text, CATALOG)).toEqual({
    ...none,
    refused: ['an instant is computed from a column of what is changed: read it first'],
  });
});

test('a row that a change compares with a subquery is found', () => {
  const text =
    'update refund set no = 1 where game_id = $1 and (kind, subject) = (select kind, subject from refund where game_id = $1 limit 1 for update)';
  expect(findBreaches(text, CATALOG).refused).toEqual([expect.stringMatching(/^several columns are compared with a subquery/)]);
});

test.each([
  'select game.slug, (select count(*) from pull where pull.game_id = game.game_id) from game',
  'select game.slug from game where exists (select from pull where pull.game_id = game.game_id)',
])('a subquery of a distributed table for each row of one that every server has is found: %s', (text) => {
  expect(findBreaches(text, CATALOG).refused).toEqual([
    'pull has no game_id by parameter and is read for each row of a table beside the games',
  ]);
});

test.each([
  ['insert into pull (game_id, person_id) select $1::int, person.id from person where person.id = $2', /a worker draws its ID/],
  [
    'with old as (update refund set no = 1 where game_id = $1 returning no) insert into refund (game_id, no) select $1, no from old',
    /two statements$/,
  ],
  ['insert into refund (game_id, no) select r.game_id, r.no + 1 from refund r where r.game_id = $1 returning no', /another name, by AS$/],
  ['insert into refund (game_id, no) select $1::int, p.no from person p on conflict do nothing', /counts rows that a conflict left out/],
  [
    'insert into refund (game_id, no) select $1::int, 1 where not exists (select from slice where game_id = $1) on conflict do nothing',
    /counts rows that a conflict left out/,
  ],
  [
    'insert into refund (game_id) values ($1) on conflict do nothing returning exists (select from slice where game_id = $1)',
    /returns what a subquery finds/,
  ],
])('an insert that a distributed database refuses, or numbers otherwise, is found: %s', (text, reason) => {
  expect(findBreaches(text, CATALOG)).toEqual({ ...none, refused: [expect.stringMatching(reason)] });
});

test.each([
  'select due_at - make_interval(secs => 20) from refund where game_id = $1 for update',
  'update refund set due_at = clock_now() + make_interval(secs => $1), no = no + 1 where game_id = $2',
  'update refund set no = (select max(no) from pull where game_id = $1 and due_at + make_interval(secs => wait_s) < clock_now()) where game_id = $1',
  'select game.slug, (select count(*) from pull where pull.game_id = $1) from game',
  'insert into pull (game_id, no) values ($1, $2)',
  'insert into pull (game_id, no) select $1::int, no from unnest($2::int[]) as no',
  'insert into refund (game_id, no) select $1::int, person.no from person',
  'insert into refund as added (game_id, no) select r.game_id, r.no + 1 from refund r where r.game_id = $1 returning added.no',
])('what a distributed database does as one server breaks no rule: %s', (text) => expect(findBreaches(text, CATALOG)).toEqual(none));

test('the catalog holds distributed tables and views, those with drawn IDs, and our functions that are volatile', () => {
  const { distributed, volatile, numbered } = readCatalog();
  expect([...numbered]).toEqual(expect.arrayContaining(['refund', 'house_account']));
  expect([...numbered]).not.toContain('person');
  expect([...numbered]).not.toContain('game_lock');
  expect([...distributed]).toEqual(expect.arrayContaining(['refund', 'current_window', 'current_snapshot']));
  expect([...distributed]).not.toContain('game');
  expect([...volatile]).toEqual(expect.arrayContaining(['wake', 'store_delivery']));
  expect([...volatile]).not.toContain('clock_now');
  expect([...volatile]).not.toContain('is_erased');
});

test('every function that may read several games exists, under a name of its own', () => {
  const sources = readSources().filter(({ path, isTest }) => /^(db|lib)\//.test(path) && !isTest);
  const declared = (name: string): number => sources.filter(({ text }) => new RegExp(`function ${name}[<(]`).test(text)).length;
  expect(Object.keys(EVERY_GAME).filter((name) => declared(name) !== 1)).toEqual([]);
});
