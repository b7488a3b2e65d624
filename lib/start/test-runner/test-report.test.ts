import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../data-folder.ts';
import {
  countResults,
  listRetries,
  readPlaywrightReport,
  readVitestReport,
  singleOutcome,
  summarize,
  type TestResult,
} from './test-report.ts';

function write(report: unknown): string {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-report-')), 'report.json');
  onTestFinished(() => fs.rmSync(path.dirname(file), { recursive: true, force: true }));
  fs.writeFileSync(file, typeof report === 'string' ? report : JSON.stringify(report));
  return file;
}

const passed = (file: string, title: string): TestResult => ({ file, title, status: 'passed', message: '' });
const failed = (file: string | null, title: string | null, message = ''): TestResult => ({ file, title, status: 'failed', message });
const whole = (file: string): TestResult => ({ file, title: null, status: 'passed', message: '' });
const RUNNER_FAILED = { passed: 0, failed: 1, skipped: 0, failures: ['its runner ended with 0, without a failed test'], flaky: [] };

describe('the report of vitest', () => {
  const test = (fullName: string, status: string, message?: string) => ({ fullName, status, failureMessages: message ? [message] : [] });
  const file = (name: string, status: string, tests: unknown[], message = '') => ({
    name: path.join(ROOT, name),
    status,
    message,
    assertionResults: tests,
  });

  it.each([
    [
      'counts what passed, failed and was skipped, and names what failed with its message',
      [
        file('a.test.ts', 'failed', [test('adds', 'failed', '\u001B[31mexpected 1\u001B[39m\n\n    at a.test.ts:3')]),
        file('b.test.ts', 'failed', [test('holds', 'passed'), test('waits', 'pending'), test('takes', 'failed')]),
      ],
      1,
      {
        passed: 1,
        failed: 2,
        skipped: 1,
        failures: ['a.test.ts › adds\n    expected 1\n        at a.test.ts:3', 'b.test.ts › takes'],
        flaky: [],
      },
    ],
    [
      'counts a file that could not be loaded as one failure',
      [file('b.test.ts', 'passed', [test('holds', 'passed')]), file('c.test.ts', 'failed', [], 'no such module')],
      1,
      { passed: 1, failed: 1, skipped: 0, failures: ['c.test.ts\n    no such module'], flaky: [] },
    ],
    [
      'counts two tests of one name as two',
      [file('b.test.ts', 'passed', [test('holds', 'passed'), test('holds', 'passed')])],
      0,
      { passed: 2, failed: 0, skipped: 0, failures: [], flaky: [] },
    ],
    [
      'counts a status nobody knows as failed',
      [file('b.test.ts', 'passed', [test('holds', 'perhaps')])],
      0,
      { passed: 0, failed: 1, skipped: 0, failures: ['b.test.ts › holds'], flaky: [] },
    ],
    ['fails when nothing was run', [file('b.test.ts', 'passed', [test('holds', 'pending')])], 0, { ...RUNNER_FAILED, skipped: 1 }],
    [
      'fails when its runner did, whatever passed',
      [file('b.test.ts', 'passed', [test('holds', 'passed')])],
      134,
      { passed: 1, failed: 1, skipped: 0, failures: ['its runner ended with 134, without a failed test'], flaky: [] },
    ],
  ])('%s', (_, testResults, exitCode, outcome) => {
    const counted = countResults(readVitestReport(write({ testResults }), exitCode));
    expect({ ...counted, failures: counted.failures.toSorted() }).toEqual({ ...outcome, failures: outcome.failures.toSorted() });
  });

  it('fails when it is torn', () => {
    expect(countResults(readVitestReport(write('{"testRes'), 0))).toEqual(RUNNER_FAILED);
  });
});

describe('the report of Playwright', () => {
  const spec = (title: string, status: string, ...messages: string[]) => ({
    title,
    file: 'refunds/desk.spec.ts',
    tests: [{ status, results: [...messages.map((message) => ({ error: { message } })), {}] }],
  });

  it('names a test by its file, its describe blocks and its title', () => {
    const report = {
      suites: [
        {
          title: 'refunds/desk.spec.ts',
          specs: [spec('opens', 'expected')],
          suites: [{ title: 'as a viewer', specs: [spec('waits', 'unexpected', 'not in sight'), spec('rests', 'skipped')] }],
        },
      ],
    };
    expect(countResults(readPlaywrightReport(write(report), 1, 'e2e'))).toEqual({
      passed: 1,
      failed: 1,
      skipped: 1,
      failures: ['e2e/refunds/desk.spec.ts › as a viewer › waits\n    not in sight'],
      flaky: [],
    });
  });

  it('counts what went wrong outside any test as one failure', () => {
    const report = { suites: [{ title: 'x', specs: [spec('opens', 'expected')] }], errors: [{ message: 'no server' }] };
    expect(countResults(readPlaywrightReport(write(report), 1, 'e2e'))).toMatchObject({ passed: 1, failed: 1 });
  });

  it('fails when nothing was run', () => {
    expect(countResults(readPlaywrightReport(write({ suites: [] }), 0, 'e2e'))).toEqual(RUNNER_FAILED);
  });
});

describe('a second run', () => {
  it('is of the files in which something failed that may be retried', () => {
    const first = [
      passed('a.int.test.ts', 'holds'),
      failed('b.int.test.ts', 'breaks'),
      failed('b.int.test.ts', 'breaks too'),
      failed('races.int.test.ts', 'fifty at once'),
      failed('c.int.test.ts', null),
    ];
    expect(listRetries(first)).toEqual(['b.int.test.ts', 'c.int.test.ts']);
  });

  it('is not made when the runner itself failed', () => {
    expect(listRetries([failed('b.int.test.ts', 'breaks'), failed(null, null, 'no server')])).toEqual([]);
  });

  it('turns a failure into a flaky test that passed, and says what went wrong the first time', () => {
    const first = [passed('b.int.test.ts', 'holds'), failed('b.int.test.ts', 'breaks', 'too late')];
    const second = [passed('b.int.test.ts', 'holds'), passed('b.int.test.ts', 'breaks')];
    expect(countResults(first, second)).toEqual({
      passed: 2,
      failed: 0,
      skipped: 0,
      failures: [],
      flaky: ['b.int.test.ts › breaks\n    too late'],
    });
  });

  it('leaves a failure that comes again a failure', () => {
    const both = [failed('b.int.test.ts', 'breaks', 'never')];
    expect(countResults(both, both)).toMatchObject({ passed: 0, failed: 1, flaky: [] });
  });

  it('leaves a failure whose test is gone the second time a failure', () => {
    expect(countResults([failed('b.int.test.ts', 'breaks')], [passed('b.int.test.ts', 'holds')])).toMatchObject({ passed: 1, failed: 1 });
  });

  it('does not save what is never retried, whichever run it failed in', () => {
    const good = [passed('races.int.test.ts', 'fifty at once')];
    const bad = [failed('races.int.test.ts', 'fifty at once')];
    expect(countResults(bad, good)).toMatchObject({ passed: 0, failed: 1, flaky: [] });
    expect(countResults(good, bad)).toMatchObject({ passed: 0, failed: 1, flaky: [] });
  });

  it('lists what failed only the second time as flaky', () => {
    const [good, bad] = [[passed('b.int.test.ts', 'holds')], [failed('b.int.test.ts', 'holds')]];
    expect(countResults(good, bad)).toMatchObject({ passed: 1, failed: 0, flaky: ['b.int.test.ts › holds'] });
  });

  it('counts the tests of a file that could be loaded only the second time, and lists the file as flaky', () => {
    const second = [whole('c.int.test.ts'), passed('c.int.test.ts', 'holds')];
    expect(countResults([failed('c.int.test.ts', null, 'port taken')], second)).toEqual({
      passed: 1,
      failed: 0,
      skipped: 0,
      failures: [],
      flaky: ['c.int.test.ts\n    port taken'],
    });
  });

  it('counts what the first run left out and the second did', () => {
    const skipped: TestResult = { file: 'd.spec.ts', title: 'after', status: 'skipped', message: '' };
    expect(countResults([skipped], [passed('d.spec.ts', 'after')])).toMatchObject({ passed: 1, skipped: 0 });
  });
});

describe('the end of a run', () => {
  const end = (...outcomes: ReturnType<typeof countResults>[]) => {
    const { text, exitCode } = summarize(outcomes.map((outcome) => ({ name: 'int', outcome })));
    return { lines: text.trimEnd().split('\n'), exitCode };
  };

  it('is one line that counts flaky tests and one that counts the others', () => {
    expect(end(singleOutcome(0), countResults([passed('a', 'x')]))).toEqual({ lines: ['', 'flaky: 0', '2 passed, 0 failed'], exitCode: 0 });
  });

  it('lists flaky tests by name, which fail nothing', () => {
    const { lines, exitCode } = end(countResults([failed('a', 'x', 'late')], [passed('a', 'x')]));
    expect(lines).toContain('int: a › x');
    expect(lines.slice(-2)).toEqual(['flaky: 1', '1 passed, 0 failed']);
    expect(exitCode).toBe(0);
  });

  it('names what failed, and fails', () => {
    const { lines, exitCode } = end(countResults([failed('a', 'x', 'wrong')]), singleOutcome(0));
    expect(lines).toContain('int: a › x');
    expect(lines.slice(-2)).toEqual(['flaky: 0', '1 passed, 1 failed']);
    expect(exitCode).toBe(1);
  });

  it('counts skipped tests on a line of their own, before the two', () => {
    const skipped: TestResult = { file: 'd', title: 'after', status: 'skipped', message: '' };
    expect(end(countResults([skipped])).lines.slice(-3)).toEqual(['skipped: 1', 'flaky: 0', '0 passed, 0 failed']);
  });
});

it('a check that is one tool passes when the tool ends with 0', () => {
  expect(singleOutcome(0)).toMatchObject({ passed: 1, failed: 0 });
  expect(singleOutcome(2)).toMatchObject({ passed: 0, failed: 1, failures: ['its tool ended with 2'] });
});
