import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readPlaywrightReport, readVitestReport, singleOutcome } from './test-report.ts';

function write(report: unknown): string {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'sharebook-report-')), 'report.json');
  onTestFinished(() => fs.rmSync(path.dirname(file), { recursive: true, force: true }));
  fs.writeFileSync(file, typeof report === 'string' ? report : JSON.stringify(report));
  return file;
}

const failed = (fullName: string, message: string) => ({ fullName, status: 'failed', failureMessages: [message] });

describe('counting what passed and what failed', () => {
  it.each([
    ['all passed', { numPassedTests: 7, numPendingTests: 1 }, 0, { passed: 7, failed: 0, skipped: 1, failures: [] }],
    [
      'two failed',
      {
        numPassedTests: 5,
        testResults: [
          {
            name: 'a.test.ts',
            status: 'failed',
            assertionResults: [failed('adds', '\u001B[31mexpected 1\u001B[39m\n\n    at a.test.ts:3')],
          },
          { name: 'b.test.ts', status: 'failed', assertionResults: [{ fullName: 'holds', status: 'passed' }, failed('takes', '')] },
        ],
      },
      1,
      { passed: 5, failed: 2, skipped: 0, failures: ['a.test.ts › adds\n    expected 1\n        at a.test.ts:3', 'b.test.ts › takes'] },
    ],
    [
      'a file that could not be loaded',
      { numPassedTests: 5, testResults: [{ name: 'c.test.ts', status: 'failed', message: 'no such module', assertionResults: [] }] },
      1,
      { passed: 5, failed: 1, skipped: 0, failures: ['c.test.ts\n    no such module'] },
    ],
    [
      'nothing was run',
      { numPassedTests: 0 },
      0,
      { passed: 0, failed: 1, skipped: 0, failures: ['its runner ended with 0, without a failed test'] },
    ],
    ['a torn report', '{"numPassed', 0, { passed: 0, failed: 1, skipped: 0, failures: ['its runner ended with 0, without a failed test'] }],
  ])('vitest: %s', (_, report, exitCode, outcome) => {
    expect(readVitestReport(write(report), exitCode)).toEqual(outcome);
  });

  it('Playwright: all passed', () => {
    const stats = { expected: 3, unexpected: 0, flaky: 0, skipped: 0 };
    expect(readPlaywrightReport(write({ stats }), 0)).toEqual({ passed: 3, failed: 0, skipped: 0, failures: [] });
  });

  it('Playwright: one failed, one needed a second try, each named with its first message', () => {
    const spec = (title: string, status: string, ...messages: string[]) => ({
      title,
      file: 'desk.spec.ts',
      line: 7,
      tests: [{ status, results: [...messages.map((message) => ({ error: { message } })), {}] }],
    });
    const report = {
      stats: { expected: 1, unexpected: 1, flaky: 1, skipped: 0 },
      suites: [
        { specs: [spec('I sign in', 'expected')], suites: [{ specs: [spec('I look up', 'unexpected', 'not found')] }] },
        { specs: [spec('I refund', 'flaky', 'too late')] },
      ],
    };
    expect(readPlaywrightReport(write(report), 1)).toEqual({
      passed: 1,
      failed: 2,
      skipped: 0,
      failures: ['desk.spec.ts:7 › I look up\n    not found', 'desk.spec.ts:7 › I refund\n    too late'],
    });
  });

  it('Playwright: the server never came up', () => {
    const report = { stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }, errors: [{ message: 'Timed out' }] };
    expect(readPlaywrightReport(write(report), 1)).toEqual({
      passed: 0,
      failed: 1,
      skipped: 0,
      failures: ['outside any test\n    Timed out'],
    });
  });

  it('counts a runner that left no report as failed', () => {
    expect(readVitestReport('/nowhere/report.json', 137)).toMatchObject({ passed: 0, failed: 1, skipped: 0 });
    expect(singleOutcome(2)).toEqual({ passed: 0, failed: 1, skipped: 0, failures: ['its tool ended with 2'] });
  });
});
