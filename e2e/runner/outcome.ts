import fs from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** The result of a check: counts, and the failed and the flaky tests, each with the beginning of its message. */
export interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
  failures: string[];
  flaky: string[];
}

export interface NamedOutcome {
  name: string;
  outcome: Outcome;
}

const MESSAGE_LINES = 12;

/** A check that has no tests: it passes or fails as a whole. */
export function wholeOutcome(failure: string | null): Outcome {
  const failures = failure === null ? [] : [failure];
  return { passed: 1 - failures.length, failed: failures.length, skipped: 0, failures, flaky: [] };
}

/** Starts the outcome that a reporter adds its tests to. */
export function emptyOutcome(): Outcome {
  return { passed: 0, failed: 0, skipped: 0, failures: [], flaky: [] };
}

/** The name of a test and the beginning of its message, as it is listed at the end of a run. */
export function describeFailure(name: string, message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at .*node_modules/.test(line));
  return [name, ...lines.slice(0, MESSAGE_LINES).map((line) => `    ${line}`)].join('\n');
}

/** Reads what a reporter wrote. A runner that crashed, or that ran no test, fails itself. */
export function readOutcome(file: string, exitCode: number): Outcome {
  const outcome = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Outcome) : emptyOutcome();
  if (outcome.failed > 0 || (exitCode === 0 && outcome.passed > 0)) return outcome;
  return { ...outcome, failed: 1, failures: [`The test runner exited with ${exitCode}, without a failed test.`] };
}

/**
 * The end of a run: each failed test with its message, each flaky one, and the two lines that count. It repeats what was printed before
 * because a log is cut at its start.
 */
export function summarize(outcomes: NamedOutcome[]): { text: string; exitCode: number } {
  const list = (key: 'failures' | 'flaky'): string[] =>
    outcomes.flatMap(({ name, outcome }) => outcome[key].map((each) => `${name}: ${each}`));
  const sum = (key: 'passed' | 'failed' | 'skipped'): number => outcomes.reduce((total, { outcome }) => total + outcome[key], 0);
  const [failures, flaky] = [list('failures'), list('flaky')];
  const text = [
    ...(failures.length > 0 ? ['', 'Failed:', '', failures.join('\n\n')] : []),
    ...(flaky.length > 0 ? ['', 'Flaky, failed once and passed when run again:', '', flaky.join('\n\n')] : []),
    '',
    ...(sum('skipped') > 0 ? [`skipped: ${sum('skipped')}`] : []),
    `flaky: ${flaky.length}`,
    `${sum('passed')} passed, ${sum('failed')} failed`,
  ];
  return { text: `${text.join('\n')}\n`, exitCode: sum('failed') === 0 ? 0 : 1 };
}
