import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDb, type TestDb } from '#e2e/support/db/test-db.ts';
import { describeSchema } from '#e2e/support/db/write-schema.ts';
import { describeTypes } from '#e2e/support/db/write-types.ts';
import { ACCOUNTS, JOURNAL_KINDS, TRANSFER_KINDS } from '#lib/accounting/rules/journal.ts';
import { BALANCE_JOB_STATES, BALANCE_OUTCOMES, BALANCE_SCOPES } from '#lib/balances/rules/balance-job.ts';
import { ENVIRONMENTS } from '#lib/core/game.ts';
import { PULL_STATES, SNAPSHOT_STATUSES } from '#lib/evidence/rules/evidence.ts';
import { SEVERITIES } from '#lib/evidence/rules/reconciliation/check.ts';
import { DETAIL_CHOICES } from '#lib/fees/rules/detail-figures.ts';
import { ORDER_BOOKS } from '#lib/orders/rules/order.ts';
import { HOLDER_KINDS, METHODS } from '#lib/payees/rules/details.ts';
import { OUTCOMES } from '#lib/payouts/rules/decide-line.ts';
import { ADJUSTMENT_KINDS, CONCLUSIONS, HOLD_REASONS } from '#lib/payouts/rules/policy.ts';
import { RUN_STATES } from '#lib/payouts/rules/run-content.ts';
import { DETAIL_KINDS, REPORT_KINDS } from '#lib/subscriptions/reads.ts';
import {
  BODY_PROBLEMS,
  DELIVERY_STATES,
  KEY_PROBLEMS,
  READ_KINDS,
  READ_OUTCOMES,
  REFUSAL_REASONS,
  SECRET_SLOTS,
  SUBJECT_KINDS,
} from '#lib/webhooks/rules/delivery.ts';

const FOLDER = path.resolve(import.meta.dirname, '..');
let testDb: TestDb;

beforeAll(async () => {
  testDb = await createTestDb();
});
afterAll(() => testDb.close());

test('schema.sql is the schema of the migrations; to update it, run npm run schema', async () => {
  expect(await describeSchema(testDb.pool)).toBe(read('schema.sql'));
});

test('types.ts matches the migrations; to update it, run npm run schema', () => {
  expect(describeTypes(migrations())).toBe(read('types.ts'));
});

test('every column has a comment and a type in types.ts, with null where the database allows it', async () => {
  const { rows } = await testDb.pool.query<{ table: string; column: string; isNullable: boolean }>(`
    select c.table_name as table, c.column_name as column, c.is_nullable = 'YES' as "isNullable"
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where table_schema = 'public' and t.table_type = 'BASE TABLE' and table_name not like 'kysely%'`);
  const found = rows.map(({ table, column, isNullable }) => `${table}.${column}${isNullable ? ' or null' : ''}`);
  expect(found.length).toBeGreaterThan(200);
  expect(columnsInTypes().toSorted()).toEqual(found.toSorted());
});

test('no column is a float, and no money column has a scale that rounds', async () => {
  const { rows } = await testDb.pool.query(`
    select table_name, column_name, data_type, numeric_precision from information_schema.columns
    where table_schema = 'public' and (data_type in ('real', 'double precision', 'money') or (column_name ~ '_(usd|coins)$' and (domain_name is null or numeric_precision is not null)))`);
  expect(rows).toEqual([]);
});

describe('the values the database allows are the values the code knows', () => {
  const source = (file: string): string => readFileSync(path.join(FOLDER, '..', file), 'utf8');
  test.each<[string, string, readonly string[]]>([
    ['pull', 'state', PULL_STATES],
    ['snapshot', 'status', SNAPSHOT_STATUSES],
    ['snapshot_check', 'severity', SEVERITIES],
    ['response', 'purpose', unionIn(source('lib/evidence/writes/insert-slice.ts'), 'purpose')],
    ['detail_read', 'kind', DETAIL_KINDS],
    ['known_order', 'book', ORDER_BOOKS],
    ['report_read', 'kind', REPORT_KINDS],
    ['detail_job', 'state', PULL_STATES],
    ['balance_job', 'state', BALANCE_JOB_STATES],
    ['balance_job', 'scope', BALANCE_SCOPES],
    ['balance_entry', 'outcome', BALANCE_OUTCOMES],
    ['detail_setting', 'card_periods', DETAIL_CHOICES],
    ['detail_setting', 'subscriptions', DETAIL_CHOICES],
    ['journal_entry', 'kind', JOURNAL_KINDS],
    ['journal_transfer', 'kind', TRANSFER_KINDS],
    ['journal_transfer', 'debit', ACCOUNTS],
    ['journal_transfer', 'credit', ACCOUNTS],
    ['payout_run', 'state', RUN_STATES],
    ['payout_line', 'outcome', OUTCOMES],
    ['payout_hold', 'reason_code', [...HOLD_REASONS, 'excluded']],
    ['payout_adjustment', 'kind', ADJUSTMENT_KINDS],
    ['payee_detail', 'method', METHODS],
    ['payee_detail', 'holder_kind', HOLDER_KINDS],
    ['unattributed_finding', 'conclusion', CONCLUSIONS],
    ['delivery', 'state', DELIVERY_STATES],
    ['delivery', 'key_problem', KEY_PROBLEMS],
    ['delivery', 'body_problem', BODY_PROBLEMS],
    ['delivery', 'secret_slot', SECRET_SLOTS],
    ['delivery', 'read_kind', READ_KINDS],
    ['delivery_subject', 'kind', SUBJECT_KINDS],
    ['delivery_repeat', 'secret_slot', SECRET_SLOTS],
    ['delivery_read', 'kind', READ_KINDS],
    ['delivery_read', 'outcome', READ_OUTCOMES],
    ['delivery_refusal', 'reason', REFUSAL_REASONS],
    ['game', 'environment', ENVIRONMENTS],
  ])('%s.%s', async (table, column, values) => {
    const { rows } = await testDb.pool.query<{ definition: string }>(
      `select pg_get_constraintdef(oid) as definition from pg_constraint
       where conrelid = $1::regclass and contype = 'c' and pg_get_constraintdef(oid) ~ ('^CHECK \\(\\(' || $2 || ' = ANY')`,
      [table, column],
    );
    const allowed = [...(rows[0]?.definition ?? '').matchAll(/'([^']+)'::text/g)].map(([, value]) => value);
    expect(allowed.length).toBeGreaterThan(1);
    expect(allowed.toSorted()).toEqual(values.toSorted());
  });
});

/** The words of a union type as a source file writes it: `name: 'a' | 'b'`. */
function unionIn(source: string, name: string): string[] {
  const union = new RegExp(`\\b${name}\\??:\\s*((?:\\|?\\s*'[^']+'\\s*)+)`).exec(source)?.[1] ?? '';
  return [...union.matchAll(/'([^']+)'/g)].map(([, word]) => word ?? '');
}

function columnsInTypes(): string[] {
  const types = read('types.ts');
  const tables = new Map([...types.matchAll(/^ {2}(\w+): (\w+Table);$/gm)].map(([, table, title]) => [title ?? '', table ?? '']));
  tables.set('SnapshotTable', 'snapshot');
  return [...types.matchAll(/export interface (\w+Table) \{\n([\s\S]*?)\n\}/g)].flatMap(([, title, body]) =>
    [...(body ?? '').matchAll(/ {2}\/\*\* \S[^\n]* \*\/\n {2}(\w+): ([^\n]+);/g)].map(
      ([, column, type]) => `${tables.get(title ?? '')}.${column}${type?.includes('null') ? ' or null' : ''}`,
    ),
  );
}

function migrations(): string[] {
  const folder = path.join(FOLDER, 'migrations');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => readFileSync(path.join(folder, name), 'utf8'));
}

function read(name: string): string {
  return readFileSync(path.join(FOLDER, name), 'utf8');
}
