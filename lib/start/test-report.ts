import fs from 'node:fs';

/** How many tests passed, failed and were skipped. */
export type CheckOutcome = { passed: number; failed: number; skipped: number };

/** A check that is one test: passed when its tool ended with 0. */
export function singleOutcome(exitCode: number): CheckOutcome {
  return exitCode === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

/** Counts the tests of a vitest JSON report; a run without a report, without tests or that crashed counts as failed. */
export function readVitestReport(file: string, exitCode: number): CheckOutcome {
  const report = readJson(file) as {
    numPassedTests?: number;
    numFailedTests?: number;
    numPendingTests?: number;
    numTodoTests?: number;
  } | null;
  const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
  return atLeastOneFailure({ passed: report?.numPassedTests ?? 0, failed: report?.numFailedTests ?? 0, skipped }, exitCode);
}

/** Counts the tests of a Playwright JSON report, on the same terms; a test that passed only when repeated failed. */
export function readPlaywrightReport(file: string, exitCode: number): CheckOutcome {
  const report = readJson(file) as { stats?: { expected: number; unexpected: number; flaky: number; skipped: number } } | null;
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report?.stats ?? {};
  return atLeastOneFailure({ passed: expected, failed: unexpected + flaky, skipped }, exitCode);
}

/** A file that could not be loaded or a runner that fell over has no failed test to count: it counts as one. */
function atLeastOneFailure(outcome: CheckOutcome, exitCode: number): CheckOutcome {
  const isSilentFailure = outcome.failed === 0 && (exitCode !== 0 || outcome.passed === 0);
  return isSilentFailure ? { ...outcome, failed: 1 } : outcome;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
