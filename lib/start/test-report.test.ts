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

describe('counting what passed and what failed', () => {
  it.each([
    ['all passed', { numPassedTests: 7, numFailedTests: 0, numPendingTests: 1 }, 0, { passed: 7, failed: 0, skipped: 1 }],
    ['two failed', { numPassedTests: 5, numFailedTests: 2 }, 1, { passed: 5, failed: 2, skipped: 0 }],
    ['a file that could not be loaded', { numPassedTests: 5, numFailedTests: 0 }, 1, { passed: 5, failed: 1, skipped: 0 }],
    ['nothing was run', { numPassedTests: 0, numFailedTests: 0 }, 0, { passed: 0, failed: 1, skipped: 0 }],
    ['a torn report', '{"numPassed', 0, { passed: 0, failed: 1, skipped: 0 }],
  ])('vitest: %s', (_, report, exitCode, outcome) => {
    expect(readVitestReport(write(report), exitCode)).toEqual(outcome);
  });

  it.each([
    ['all passed', { expected: 3, unexpected: 0, flaky: 0, skipped: 0 }, 0, { passed: 3, failed: 0, skipped: 0 }],
    ['one needed a second try', { expected: 2, unexpected: 0, flaky: 1, skipped: 0 }, 0, { passed: 2, failed: 1, skipped: 0 }],
    ['the server never came up', { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }, 1, { passed: 0, failed: 1, skipped: 0 }],
  ])('Playwright: %s', (_, stats, exitCode, outcome) => {
    expect(readPlaywrightReport(write({ stats }), exitCode)).toEqual(outcome);
  });

  it('counts a runner that left no report as failed', () => {
    expect(readVitestReport('/nowhere/report.json', 137)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(singleOutcome(2)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});
