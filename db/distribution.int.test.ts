import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { LOCAL_SCHEMAS, PLACEMENTS } from './distribution.ts';

let testDb: TestDb;
beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(() => testDb.close());

const placedAs = (is: string): string[] => Object.entries(PLACEMENTS).flatMap(([table, placement]) => (placement.is === is ? [table] : []));

/** Constraints and unique indexes of our tables: their columns, and for a foreign key the table it points at. */
async function listConstraints(): Promise<{ table: string; name: string; kind: string; columns: string[]; target: string | null }[]> {
  const { rows } = await testDb.pool.query(`
    select conrelid::regclass::text as "table", conname as name, contype::text as kind, nullif(confrelid, 0)::regclass::text as target,
      (select array_agg(attname::text) from pg_attribute where attrelid = conrelid and attnum = any(conkey)) as columns
    from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0 and contype in ('p', 'u', 'x', 'f')
    union all
    select indrelid::regclass::text, indexrelid::regclass::text, 'i', null,
      (select array_agg(attname::text) from pg_attribute where attrelid = indrelid and attnum = any(indkey))
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace and indisunique and not exists (select from pg_constraint where conindid = indexrelid)`);
  return rows;
}

test('every table is listed once, and every listed table exists', async () => {
  const { rows } = await testDb.pool.query<{ schema: string; table: string }>(`
    select schemaname as schema, tablename as "table" from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`);
  const unknown = rows.filter(({ schema }) => schema !== 'public' && !Object.hasOwn(LOCAL_SCHEMAS, schema));
  expect(unknown, 'add the schema to LOCAL_SCHEMAS in db/distribution.ts').toEqual([]);
  const ours = rows.filter(({ schema }) => schema === 'public').map(({ table }) => table);
  expect(ours.toSorted(), 'list each table in db/distribution.ts').toEqual(Object.keys(PLACEMENTS).toSorted());
});

test('every constraint of a distributed table contains game_id, unless it points at a reference table', async () => {
  const distributed = new Set(placedAs('distributed'));
  const reference = new Set(placedAs('reference'));
  const constraints = await listConstraints();
  const breaches = constraints.filter(
    ({ table, columns, target }) => distributed.has(table) && !columns.includes('game_id') && !(target !== null && reference.has(target)),
  );
  expect(breaches).toEqual([]);
  expect(constraints.filter(({ table, kind }) => distributed.has(table) && kind === 'p')).toHaveLength(distributed.size);
});

test('no foreign key leads from a distributed or reference table to a local one, or from a reference table to a distributed one', async () => {
  const placementOf = (table: string): string => PLACEMENTS[table]?.is ?? 'unknown';
  const breaches = (await listConstraints()).filter(({ table, target }) => {
    if (target === null) return false;
    const [from, to] = [placementOf(table), placementOf(target)];
    return (from !== 'local' && to === 'local') || (from !== 'distributed' && to === 'distributed');
  });
  expect(breaches).toEqual([]);
});

test('the triggers of distributed and reference tables are the listed ones', async () => {
  const { rows } = await testDb.pool.query<{ table: string; triggers: string[] }>(`
    select tgrelid::regclass::text as "table", array_agg(tgname::text order by tgname) as triggers
    from pg_trigger join pg_class on pg_class.oid = tgrelid where not tgisinternal and relnamespace = 'public'::regnamespace group by 1`);
  const found = Object.fromEntries(
    rows.filter(({ table }) => PLACEMENTS[table]?.is !== 'local').map(({ table, triggers }) => [table, triggers]),
  );
  const listed = Object.entries(PLACEMENTS).flatMap(([table, { triggers }]) => (triggers === undefined ? [] : [[table, triggers]]));
  expect(found).toEqual(Object.fromEntries(listed));
});

test('what is not distributed says why', () => {
  const silent = Object.entries(PLACEMENTS).filter(([, { is, why = '' }]) => (is === 'distributed') === why.length > 0);
  expect(silent).toEqual([]);
});
