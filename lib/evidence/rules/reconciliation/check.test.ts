import { describe, expect, test } from 'vitest';
import { CheckList } from './check.ts';

test('comparisons with one name form one check: both sides are sums, and every comparison must match', () => {
  const checks = new CheckList();
  checks.equalMoney('lines', 'recipient 1', '1.50', '1.5');
  checks.equalMoney('lines', 'recipient 2', '2.00', '1.99');
  expect(checks.close()).toEqual([
    {
      name: 'lines',
      severity: 'hard',
      ok: false,
      expected: '3.50',
      actual: '3.49',
      difference: '-0.01',
      offenders: [{ subject: 'recipient 2', expected: '2.00', actual: '1.99' }],
    },
  ]);
});

test('two errors that cancel each other out are still two errors', () => {
  const checks = new CheckList();
  checks.equalMoney('lines', 'a', '1.00', '1.01');
  checks.equalMoney('lines', 'b', '1.00', '0.99');
  expect(checks.close()[0]).toMatchObject({
    ok: false,
    expected: '2.00',
    actual: '2.00',
    difference: null,
    offenders: [{ subject: 'a' }, { subject: 'b' }],
  });
});

describe('each kind of comparison', () => {
  test.each<[string, (checks: CheckList) => void, boolean, [string, string, string | null]]>([
    ['equal amounts in different spelling', (checks) => checks.equalMoney('x', '', '1.5', '1.500'), true, ['1.50', '1.500', null]],
    [
      'amounts beyond the floats',
      (checks) => checks.equalMoney('x', '', '9007199254740993', '9007199254740992'),
      false,
      ['9007199254740993.00', '9007199254740992.00', '-1.00'],
    ],
    ['equal counts', (checks) => checks.equalCount('x', '', 7, 7), true, ['7', '7', null]],
    ['different counts', (checks) => checks.equalCount('x', '', 7, 9), false, ['7', '9', '2']],
    ['equal texts', (checks) => checks.equalText('x', '', 'a', 'a'), true, ['a', 'a', null]],
    ['different texts', (checks) => checks.equalText('x', '', 'a', 'b'), false, ['a', 'b', null]],
    ['an amount at its bound', (checks) => checks.moneyWithin('x', '', '5.00', '5'), true, ['5.00', '5.00', null]],
    ['an amount below its bound', (checks) => checks.moneyWithin('x', '', '5.00', '-7.00'), true, ['5.00', '-7.00', '-12.00']],
    ['an amount beyond its bound', (checks) => checks.moneyWithin('x', '', '5.00', '5.000001'), false, ['5.00', '5.000001', '0.000001']],
    ['a count at its bound', (checks) => checks.countWithin('x', '', 5, 5), true, ['5', '5', null]],
    ['a count beyond its bound', (checks) => checks.countWithin('x', '', 5, 6), false, ['5', '6', '1']],
    ['a statement that is true', (checks) => checks.holds('x', '', true, { expected: 'y', actual: 'z' }), true, ['1', '1', null]],
    ['a statement that is not', (checks) => checks.holds('x', '', false, { expected: 'y', actual: 'z' }), false, ['1', '0', '-1']],
    ['nothing to compare, in money', (checks) => checks.open('x', 'money'), true, ['0.00', '0.00', null]],
    ['nothing to compare, in counts', (checks) => checks.open('x', 'count'), true, ['0', '0', null]],
  ])('%s', (_, note, ok, [expected, actual, difference]) => {
    const checks = new CheckList();
    note(checks);
    expect(checks.close()[0]).toMatchObject({ ok, expected, actual, difference });
  });
});

test('a warning stays a warning, and checks stay in the order in which they were added', () => {
  const checks = new CheckList();
  checks.open('first', 'money', 'warning');
  checks.equalCount('second', '', 1, 1);
  checks.equalMoney('first', '', '1', '2', 'warning');
  expect(checks.close().map(({ name, severity, ok }) => [name, severity, ok])).toEqual([
    ['first', 'warning', false],
    ['second', 'hard', true],
  ]);
});

test('with very many rows the sides cover all of them, and the first twenty offenders are stored', () => {
  const checks = new CheckList();
  for (let row = 0; row < 20_000; row += 1) checks.equalMoney('lines', `row ${row}`, '0.10', row % 100 === 0 ? '0.11' : '0.10');
  const [check] = checks.close();
  expect(check).toMatchObject({ ok: false, expected: '2000.00', actual: '2002.00', difference: '2.00' });
  expect(check?.offenders).toHaveLength(20);
  expect(check?.offenders[19]?.subject).toBe('row 1900');
});
