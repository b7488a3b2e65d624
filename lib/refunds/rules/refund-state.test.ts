import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ATTENTION_REASONS } from './attention-reasons.ts';
import { ATTEMPT_CLASSES } from './classify-attempt.ts';
import { LIMITED_ROLES, wantsSecondPerson } from './refund-limits.ts';
import { APPROVALS, OUTCOME_DECISIONS, OUTCOME_SOURCES, PROPOSALS } from './refund-outcome.ts';
import { READ_PURPOSES } from './refund-ports.ts';
import { parseRefundReason, reasonOf } from './refund-reasons.ts';
import { ENDED_STATES, isEnded, PERSON_STATES, parseRefundState, REFUND_STATES, stateOf } from './refund-state.ts';

const sql = readFileSync(path.join(import.meta.dirname, '../../../db/migrations/0003_support.sql'), 'utf8');

function listOf(column: string, table: string): string[] {
  const body = sql.slice(sql.indexOf(`create table ${table} (`));
  const [, list = ''] = new RegExp(`^  ${column} text[^\\n]*? in \\(([^)]*)\\)`, 'm').exec(body) ?? [];
  return [...list.matchAll(/'(\w+)'/g)].map(([, word = '']) => word);
}

test('the database knows the same states, classes, reasons, purposes and outcomes', () => {
  expect(listOf('role', 'refund_limit')).toEqual([...LIMITED_ROLES]);
  expect(listOf('approval', 'refund')).toEqual([...APPROVALS]);
  expect(listOf('proposal', 'refund')).toEqual([...PROPOSALS]);
  expect(listOf('outcome_source', 'refund')).toEqual([...OUTCOME_SOURCES]);
  expect(listOf('decision', 'refund_decision')).toEqual([...OUTCOME_DECISIONS]);
  expect(listOf('attention_reason', 'refund')).toEqual([...ATTENTION_REASONS]);
  expect(listOf('purpose', 'refund_read')).toEqual([...READ_PURPOSES]);
  expect(listOf('state', 'refund')).toEqual([...REFUND_STATES]);
  expect(listOf('class', 'refund_attempt')).toEqual([...ATTEMPT_CLASSES]);
});

test('every state is ended, with a person, or with the worker', () => {
  const byItself = ['approved', 'sending', 'waiting', 'unknown', 'verifying'];
  expect([...PERSON_STATES, ...byItself, ...ENDED_STATES].toSorted()).toEqual([...REFUND_STATES].toSorted());
  expect(REFUND_STATES.filter(isEnded)).toEqual(['landed', 'refused', 'not_landed', 'rejected', 'withdrawn']);
});

test.each([
  ['the index that holds a period covers every open state', /create unique index refund_open[\s\S]*?where state in \(([^)]*)\)/, false],
  ['the trigger dates the end of every ended state', /new\.ended_at := case when new\.state in \(([^)]*)\)/, true],
])('%s', (_, place, isOfEnded) => {
  const [, list = ''] = place.exec(sql) ?? [];
  const named = [...list.matchAll(/'(\w+)'/g)].map(([, word = '']) => word);
  expect(named.toSorted()).toEqual(REFUND_STATES.filter((state) => isEnded(state) === isOfEnded).toSorted());
});

test.each([
  ['support', '50.00', false],
  ['support', '50.01', true],
  ['finance', '500', false],
  ['finance', '500.01', true],
  ['admin', '500.00', false],
  ['viewer', '0.01', true],
] as const)('%s, %s USD: second person %s', (role, amount, wanted) => {
  expect(wantsSecondPerson(role, amount)).toBe(wanted);
});

test('an admin may set another limit, zero too', () => {
  expect(wantsSecondPerson('support', '0.01', { support: '0.00' })).toBe(true);
  expect(wantsSecondPerson('support', '900.00', { support: '1000.00' })).toBe(false);
});

test.each(['', 'Goodwill', '__proto__', 'toString', 7, null])('%j is no reason and no state', (text) => {
  expect(parseRefundReason(text)).toBeNull();
  expect(parseRefundState(text)).toBeNull();
  expect(() => stateOf(String(text))).toThrow('unknown stored value');
  expect(() => reasonOf(String(text))).toThrow('nobody knows');
});
