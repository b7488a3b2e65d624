import { describe, expect, test } from 'vitest';
import { findTests, kindOfTest, listTestFiles } from './test-files.ts';

const ALL = [
  'app/[game]/months/month.test.tsx',
  'e2e/evidence/month.spec.ts',
  'e2e/evidence/months.spec.ts',
  'lib/core/money.test.ts',
  'lib/refunds/races.int.test.ts',
  'lib/refunds/settle.int.test.ts',
];

describe('a path means', () => {
  test.each([
    ['one file', 'lib/core/money.test.ts', { unit: ['lib/core/money.test.ts'] }],
    ['one file, by its path from this folder', './e2e/evidence/month.spec.ts', { browser: ['e2e/evidence/month.spec.ts'] }],
    ['a folder, with or without its slash', 'lib/refunds/', { int: ['lib/refunds/races.int.test.ts', 'lib/refunds/settle.int.test.ts'] }],
    ['the tests beside a source file', 'lib/core/money.ts', { unit: ['lib/core/money.test.ts'] }],
    [
      'every test whose path holds it, of any kind',
      'month',
      { unit: ['app/[game]/months/month.test.tsx'], browser: ['e2e/evidence/month.spec.ts', 'e2e/evidence/months.spec.ts'] },
    ],
    ['a file of that name, where no path holds it', 'e2e/month.spec.ts', { browser: ['e2e/evidence/month.spec.ts'] }],
  ])('%s', (_, requested, found) => {
    expect(findTests([requested], ALL)).toEqual({ files: { unit: [], int: [], page: [], browser: [], ...found }, missing: [] });
  });

  test('a file once, however often it is meant', () => {
    expect(findTests(['lib/core', 'money'], ALL).files.unit).toEqual(['lib/core/money.test.ts']);
  });

  test('nothing, and then it is named', () => {
    expect(findTests(['lib/core', 'nowhere.ts'], ALL).missing).toEqual(['nowhere.ts']);
  });
});

test('every kind of test is found in the project, and this one', () => {
  const files = listTestFiles();
  expect(new Set(files.map(kindOfTest))).toEqual(new Set(['unit', 'int', 'page', 'browser']));
  expect(files).toContain('e2e/runner/test-files.test.ts');
  expect(kindOfTest('lib/core/money.ts')).toBeNull();
});
