import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { APPROVALS, LIMIT_NAMES, LIMITED, LIMITED_KEYS } from '#lib/approvals/rules/approval.ts';
import { ATTEMPT_CLASSES } from './attempt.ts';
import { READ_PURPOSES } from './ports.ts';
import { parseRefundReason, reasonOf } from './refund.ts';
import {
  ATTENTION_REASONS,
  ENDED_STATES,
  isEnded,
  OUTCOME_DECISIONS,
  OUTCOME_SOURCES,
  PERSON_STATES,
  PROPOSALS,
  parseRefundState,
  REFUND_STATES,
  stateOf,
} from './state.ts';

const MIGRATIONS = path.join(import.meta.dirname, '../../../db/migrations');
const all = readdirSync(MIGRATIONS).toSorted();
const sql = all.map((file) => readFileSync(path.join(MIGRATIONS, file), 'utf8')).join('\n');

/** The values that a column may have: those of the newest constraint. */
function listOf(column: string, table: string): string[] {
  const body = sql.slice(sql.indexOf(`create table ${table} (`));
  const first = new RegExp(`^  ${column} text[^\\n]*? in \\(([^)]*)\\)`, 'm').exec(body);
  const changed = [...sql.matchAll(new RegExp(`constraint ${table}_${column}_check check \\(${column} in \\(([^)]*)\\)`, 'g'))];
  const [, list = ''] = changed.at(-1) ?? first ?? [];
  return [...list.matchAll(/'(\w+)'/g)].map(([, word = '']) => word);
}

test('the database checks the same states, classes, reasons, purposes and outcomes', () => {
  expect(listOf('name', 'refund_limit')).toEqual([...LIMIT_NAMES]);
  const groups = LIMITED_KEYS.filter((what) => what !== 'refunds');
  expect(listOf('name', 'action_limit')).toEqual(groups.flatMap((what) => LIMIT_NAMES.map((name) => `${LIMITED[what].prefix}${name}`)));
  expect(listOf('approval', 'refund')).toEqual([...APPROVALS]);
  expect(listOf('proposal', 'refund')).toEqual([...PROPOSALS]);
  expect(listOf('outcome_source', 'refund')).toEqual([...OUTCOME_SOURCES]);
  expect(listOf('decision', 'refund_decision')).toEqual([...OUTCOME_DECISIONS]);
  expect(listOf('attention_reason', 'refund')).toEqual([...ATTENTION_REASONS]);
  expect(listOf('purpose', 'refund_read')).toEqual([...READ_PURPOSES]);
  expect(listOf('state', 'refund')).toEqual([...REFUND_STATES]);
  expect(listOf('class', 'refund_attempt')).toEqual([...ATTEMPT_CLASSES]);
});

test('every state is final, waits for a person, or is advanced by a worker', () => {
  const byItself = ['approved', 'sending', 'waiting', 'unknown', 'verifying'];
  expect([...PERSON_STATES, ...byItself, ...ENDED_STATES].toSorted()).toEqual([...REFUND_STATES].toSorted());
  expect(REFUND_STATES.filter(isEnded)).toEqual(['landed', 'refused', 'not_landed', 'rejected', 'withdrawn']);
});

test.each([
  ['the index that holds a period covers every open state', /create unique index refund_open[\s\S]*?where state in \(([^)]*)\)/, false],
  ['the trigger dates the end of every ended state', /new\.ended_at := case when new\.state in \(([^)]*)\)/, true],
])('%s', (_, pattern, isOfEnded) => {
  const [, list = ''] = pattern.exec(sql) ?? [];
  const named = [...list.matchAll(/'(\w+)'/g)].map(([, word = '']) => word);
  expect(named.toSorted()).toEqual(REFUND_STATES.filter((state) => isEnded(state) === isOfEnded).toSorted());
});

test.each(['', 'Goodwill', '__proto__', 'toString', 7, null])('%j is neither a reason nor a state', (text) => {
  expect(parseRefundReason(text)).toBeNull();
  expect(parseRefundState(text)).toBeNull();
  expect(() => stateOf(String(text))).toThrow('unknown stored value');
  expect(() => reasonOf(String(text))).toThrow('not on the list');
});
