import { describe, expect, test } from 'vitest';
import { describeTypes } from './write-types.ts';

const TABLE = `create table price (
  game_id int not null references game, -- whose price
  price_id bigint generated always as identity, -- the price
  "order" text, -- which one; NULL: none
  amount_usd usd not null check (amount_usd >= 0), -- USD
  made_at timestamptz not null default clock_now(), -- when; with a comma, and a -- dash
  facts jsonb not null default '{}', -- what else
  is_current boolean -- NULL: not known
  primary key (game_id, price_id),
  unique (game_id, amount_usd),
  check (amount_usd < 1000)
);`;

test('a column has its comment, its type, and whether it can be null or omitted', () => {
  expect(describeTypes([TABLE])).toContain(`export interface PriceTable {
  /** whose price */
  game_id: number;
  /** the price */
  price_id: GeneratedAlways<number>;
  /** which one; NULL: none */
  order: string | null;
  /** USD */
  amount_usd: string;
  /** when; with a comma, and a -- dash */
  made_at: Generated<string>;
  /** what else */
  facts: ColumnType<unknown, string | undefined, string>;
  /** NULL: not known */
  is_current: boolean | null;
}
`);
});

test('a column added later is listed with its table', () => {
  const types = describeTypes([TABLE, `alter table price add column note text; -- prose; NULL: none`]);
  expect(types).toMatch(/is_current: boolean \| null;\n {2}\/\*\* prose; NULL: none \*\/\n {2}note: string \| null;\n\}/);
});

test('a column that may be NULL later has the words of the change', () => {
  const types = describeTypes([TABLE, `alter table price alter column amount_usd drop not null; -- USD; NULL: not known`]);
  expect(types).toContain(`  /** USD; NULL: not known */\n  amount_usd: string | null;`);
  expect(() => describeTypes([TABLE, `alter table price alter column cost drop not null; -- USD`])).toThrow(
    "price.cost may be NULL and doesn't exist",
  );
});

test('a table dropped later is no longer listed, and one made again has its new columns', () => {
  expect(describeTypes([TABLE, 'drop table price;'])).not.toContain('PriceTable');
  const again = describeTypes([TABLE, 'drop table price;\ncreate table price (\n  note text -- prose; NULL: none\n);']);
  expect(again).toContain('export interface PriceTable {\n  /** prose; NULL: none */\n  note: string | null;\n}');
  expect(() => describeTypes(['drop table price;'])).toThrow("price is dropped and doesn't exist");
});

test('a column dropped later is no longer listed', () => {
  expect(describeTypes([TABLE, 'alter table price drop column amount_usd;'])).not.toContain('amount_usd');
  expect(() => describeTypes([TABLE, 'alter table price drop column cost;'])).toThrow("price.cost is dropped and doesn't exist");
});

test('every table is part of the database type', () => {
  expect(describeTypes([TABLE])).toMatch(/export interface Database \{\n {2}price: PriceTable;/);
});

describe('a column without a comment or a known type is refused', () => {
  test.each<[string, RegExp]>([
    ['create table x (\n  a int not null\n);', /^x\.a has no comment$/],
    ['create table x (\n  a float8 not null -- a float\n);', /no TypeScript for the Postgres type float8/],
    ['create table x (\n  a numeric not null -- an amount without its domain\n);', /no TypeScript for the Postgres type numeric/],
  ])('%j', (sql, message) => {
    expect(() => describeTypes([sql])).toThrow(message);
  });
});
