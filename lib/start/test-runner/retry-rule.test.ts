import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../data-folder.ts';
import { isNeverRetried, NEVER_RETRIED } from './retry-rule.ts';
import { kindOfTest, listTestFiles } from './test-files.ts';

/** What a test does that luck must not decide, by the text of its file. */
const GIVEN_AWAY_BY = {
  'kills a process': /'SIGKILL'/,
  'plays histories': /\bplayHistories\(/,
  'reads a golden file': /\bgolden\b/,
};

const files = listTestFiles();
/** Unit tests are never retried, whatever they are called. */
const isRetried = (file: string): boolean => kindOfTest(file) !== 'unit';
const textOf = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8');

describe.each(NEVER_RETRIED)('never retried: $what', ({ pattern }) => {
  test('there are such tests', () => {
    const named = files.filter(
      (file) =>
        pattern.test(file) ||
        textOf(file)
          .split('\n')
          .some((line) => /\b(test|it)\b.*\(/.test(line) && pattern.test(line)),
    );
    expect(named).not.toEqual([]);
  });
});

test.each(Object.entries(GIVEN_AWAY_BY))('a file that %s is on the list as a whole', (_, sign) => {
  const found = files.filter((file) => sign.test(textOf(file)));
  expect(found).not.toEqual([]);
  expect(found.filter((file) => isRetried(file) && !isNeverRetried(file))).toEqual([]);
});

test.each([
  ['lib/refunds/races.int.test.ts › of many approvals at once one wins', true],
  ['lib/evidence/pull/slicing.int.test.ts › months of America/New_York are cut at its own midnights', false],
  ['lib/evidence/verify/verify-game.int.test.ts › a changed digest is found', true],
  ['e2e/evidence/month.spec.ts › one month › shows both ends of the list one key apart', false],
  ['e2e/payouts/holds.spec.ts › a preparer holds recipients, and releases a hold with a note', false],
  ['db/evidence/evidence.int.test.ts › a process that lost its lease stores nothing', true],
  ['e2e/refunds/refund.spec.ts › pressing twice, a second tab and going back make one refund', true],
])('%s: never retried is %s', (name, isNever) => {
  expect(isNeverRetried(name)).toBe(isNever);
});
