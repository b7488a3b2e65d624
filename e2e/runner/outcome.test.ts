import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeFailure, emptyOutcome, readOutcome, summarize, wholeOutcome } from './outcome.ts';

const passed = { ...emptyOutcome(), passed: 3 };

describe('the end of a run', () => {
  test('adds up all checks and exits with 0 when nothing failed', () => {
    const { text, exitCode } = summarize([
      { name: 'unit', outcome: passed },
      { name: 'build', outcome: wholeOutcome(null) },
    ]);
    expect(text).toBe('\nflaky: 0\n4 passed, 0 failed\n');
    expect(exitCode).toBe(0);
  });

  test('lists what failed and what was flaky with its check, and exits with 1', () => {
    const { text, exitCode } = summarize([
      { name: 'int', outcome: { ...passed, failed: 1, failures: ['a.int.test.ts › sums'], flaky: ['b.int.test.ts › waits'], skipped: 2 } },
    ]);
    expect(text).toBe(
      '\nFailed:\n\nint: a.int.test.ts › sums\n\nFlaky, failed once and passed when run again:\n\nint: b.int.test.ts › waits\n\nskipped: 2\nflaky: 1\n3 passed, 1 failed\n',
    );
    expect(exitCode).toBe(1);
  });

  test('shows the beginning of a message without the lines of packages', () => {
    const message = ['expected 1', '', '    at ours.ts:1', '    at node_modules/vitest/x.js:2', ...Array(20).fill('more')].join('\n');
    expect(describeFailure('a test', message).split('\n')).toEqual([
      'a test',
      '    expected 1',
      '        at ours.ts:1',
      ...Array(10).fill('    more'),
    ]);
  });
});

describe('the outcome of a runner', () => {
  const written = (outcome: unknown): string => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-outcome-')), 'outcome.json');
    fs.writeFileSync(file, JSON.stringify(outcome));
    return file;
  };

  test('is what its reporter wrote', () => {
    expect(readOutcome(written(passed), 0)).toEqual(passed);
    expect(readOutcome(written({ ...passed, failed: 1, failures: ['a'] }), 1)).toMatchObject({ passed: 3, failed: 1, failures: ['a'] });
  });

  test.each([
    ['crashes before it reports', '/nowhere/outcome.json', 1],
    ['runs no test', written(emptyOutcome()), 0],
    ['fails without a failed test', written(passed), 1],
  ])('is a failure when the runner %s', (_, file, exitCode) => {
    expect(readOutcome(file, exitCode)).toMatchObject({ failed: 1, failures: [expect.stringContaining(`exited with ${exitCode}`)] });
  });
});
