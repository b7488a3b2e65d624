import fs from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './data-folder.ts';

/** How many tests passed, failed and were skipped, and for each that failed its name and the beginning of its message. */
export type CheckOutcome = { passed: number; failed: number; skipped: number; failures: string[] };

const MESSAGE_LINES = 12;

/** A check that is one test: passed when its tool ended with 0. */
export function singleOutcome(exitCode: number): CheckOutcome {
  if (exitCode === 0) return { passed: 1, failed: 0, skipped: 0, failures: [] };
  return { passed: 0, failed: 1, skipped: 0, failures: [`its tool ended with ${exitCode}`] };
}

type VitestReport = {
  numPassedTests?: number;
  numPendingTests?: number;
  numTodoTests?: number;
  testResults?: {
    name: string;
    status: string;
    message?: string;
    assertionResults?: { fullName: string; status: string; failureMessages?: string[] }[];
  }[];
};

/** Counts the tests of a vitest JSON report; a run without a report, without tests or that crashed counts as failed. */
export function readVitestReport(file: string, exitCode: number): CheckOutcome {
  const report = readJson(file) as VitestReport | null;
  const failures = (report?.testResults ?? []).flatMap(({ name: file_path, status, message, assertionResults = [] }) => {
    const name = path.relative(ROOT, file_path);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [describeFailure(name, message)];
    return failed.map((test) => describeFailure(`${name} › ${test.fullName}`, test.failureMessages?.[0]));
  });
  const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
  return atLeastOneFailure({ passed: report?.numPassedTests ?? 0, failed: failures.length, skipped, failures }, exitCode);
}

type PlaywrightSuite = { suites?: PlaywrightSuite[]; specs?: PlaywrightSpec[] };
type PlaywrightSpec = {
  title: string;
  file: string;
  line: number;
  tests: { status: string; results: { error?: { message?: string } }[] }[];
};
type PlaywrightReport = PlaywrightSuite & {
  stats?: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors?: { message?: string }[];
};

/** Counts the tests of a Playwright JSON report, on the same terms; a test that passed only when repeated failed. */
export function readPlaywrightReport(file: string, exitCode: number): CheckOutcome {
  const report = readJson(file) as PlaywrightReport | null;
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report?.stats ?? {};
  const failures = [
    ...(report?.errors ?? []).map(({ message }) => describeFailure('outside any test', message)),
    ...listSpecs(report ?? {}).flatMap(({ title, file: spec, line, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ results }) => describeFailure(`${spec}:${line} › ${title}`, results.find(({ error }) => error)?.error?.message)),
    ),
  ];
  return atLeastOneFailure({ passed: expected, failed: unexpected + flaky, skipped, failures }, exitCode);
}

function listSpecs({ suites = [], specs = [] }: PlaywrightSuite): PlaywrightSpec[] {
  return [...specs, ...suites.flatMap(listSpecs)];
}

function describeFailure(name: string, message = ''): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at .*node_modules/.test(line));
  return [name, ...lines.slice(0, MESSAGE_LINES).map((line) => `    ${line}`)].join('\n');
}

/** A file that could not be loaded or a runner that fell over has no failed test to count: it counts as one. */
function atLeastOneFailure(outcome: CheckOutcome, exitCode: number): CheckOutcome {
  if (outcome.failed > 0 || (exitCode === 0 && outcome.passed > 0)) return outcome;
  const failures = outcome.failures.length > 0 ? outcome.failures : [`its runner ended with ${exitCode}, without a failed test`];
  return { ...outcome, failed: 1, failures };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
