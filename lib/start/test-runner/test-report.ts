import fs from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../data-folder.ts';
import { isNeverRetried } from './retry-rule.ts';

/** What a runner reported of one test, or of one file as a whole. */
export type TestResult = {
  /** Path from the top of the project; null: the runner itself. */
  file: string | null;
  /** Describe blocks and title; null: the file as a whole, which fails when it cannot be loaded or a hook of it throws. */
  title: string | null;
  status: 'passed' | 'failed' | 'skipped';
  /** Of the failure; empty otherwise. */
  message: string;
};

/** What a check came to: counts, and the failed and the flaky tests, each with the beginning of its message. */
export type CheckOutcome = { passed: number; failed: number; skipped: number; failures: string[]; flaky: string[] };

const MESSAGE_LINES = 12;

/** A check that is one test: passed when its tool ended with 0. */
export function singleOutcome(exitCode: number): CheckOutcome {
  return countResults([
    exitCode === 0
      ? { file: null, title: 'the check', status: 'passed', message: '' }
      : { file: null, title: null, status: 'failed', message: `its tool ended with ${exitCode}` },
  ]);
}

/**
 * Counts what was reported by a run and, where files were run again, by its repetition. A test that failed once and passed
 * once has passed and is flaky, unless the rule says that it is never retried: then it has failed.
 */
export function countResults(first: TestResult[], second: TestResult[] = []): CheckOutcome {
  const outcome: CheckOutcome = { passed: 0, failed: 0, skipped: 0, failures: [], flaky: [] };
  const named = [...numberNames(first), ...numberNames(second)];
  for (const group of Map.groupBy(named, ({ name }) => name).values()) {
    const tries = group.map(({ result }) => result);
    const failure = tries.find(({ status }) => status === 'failed');
    const hasPassed = tries.some(({ status }) => status === 'passed');
    const isFlaky = failure !== undefined && hasPassed && !isNeverRetried(nameOf(failure));
    const isTest = tries.some(({ title }) => title !== null);
    if (isFlaky) outcome.flaky.push(describeFailure(failure));
    if (failure && !isFlaky) {
      outcome.failed += 1;
      outcome.failures.push(describeFailure(failure));
    } else if (hasPassed && isTest) outcome.passed += 1;
    else if (isTest) outcome.skipped += 1;
  }
  return outcome;
}

/** The files to run once more: those in which something failed that may be retried; none when the runner itself failed. */
export function listRetries(results: TestResult[]): string[] {
  const failed = results.filter(({ status }) => status === 'failed');
  if (failed.some(({ file }) => file === null)) return [];
  return [...new Set(failed.filter((result) => !isNeverRetried(nameOf(result))).flatMap(({ file }) => file ?? []))].toSorted();
}

/**
 * The end of a run: each failed test with its message, each flaky one, and the two lines that count. It is said again at the end because
 * where a log is cut, its end is what is kept.
 */
export function summarize(outcomes: { name: string; outcome: CheckOutcome }[]): { text: string; exitCode: number } {
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

type VitestReport = {
  testResults?: {
    name: string;
    status: string;
    message?: string;
    assertionResults?: { fullName: string; status: string; failureMessages?: string[] }[];
  }[];
};

/** Reads the JSON report of vitest. */
export function readVitestReport(report_file: string, exitCode: number): TestResult[] {
  const report = readJson(report_file) as VitestReport | null;
  const results = (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults: tests = [] }): TestResult[] => {
    const file = path.relative(ROOT, name);
    const isBroken = status === 'failed' && !tests.some((test) => test.status === 'failed');
    return [
      { file, title: null, status: isBroken ? 'failed' : 'passed', message: isBroken ? (message ?? '') : '' },
      ...tests.map((test) => ({ file, title: test.fullName, status: statusOf(test.status), message: test.failureMessages?.[0] ?? '' })),
    ];
  });
  return withRunner(results, exitCode);
}

type PlaywrightSuite = { title?: string; file?: string; suites?: PlaywrightSuite[]; specs?: PlaywrightSpec[] };
type PlaywrightSpec = { title: string; file: string; tests: { status: string; results: { error?: { message?: string } }[] }[] };
type PlaywrightReport = PlaywrightSuite & { errors?: { message?: string }[] };

/** Reads the JSON report of Playwright, whose paths are relative to `folder`. */
export function readPlaywrightReport(report_file: string, exitCode: number, folder: string): TestResult[] {
  const report = readJson(report_file) as PlaywrightReport | null;
  const broken = (report?.errors ?? []).map(
    ({ message }): TestResult => ({ file: null, title: null, status: 'failed', message: `outside any test\n${message ?? ''}` }),
  );
  const tests = (report?.suites ?? [])
    .flatMap((file) => listSpecs(file, []))
    .map(
      ({ spec, blocks }): TestResult => ({
        file: path.relative(ROOT, path.join(folder, spec.file)),
        title: [...blocks, spec.title].join(' › '),
        status: statusOf(spec.tests[0]?.status ?? 'skipped'),
        message: spec.tests.flatMap(({ results }) => results).find(({ error }) => error)?.error?.message ?? '',
      }),
    );
  return withRunner([...broken, ...tests], exitCode);
}

function listSpecs({ suites = [], specs = [] }: PlaywrightSuite, blocks: string[]): { spec: PlaywrightSpec; blocks: string[] }[] {
  const inner = suites.flatMap((suite) => listSpecs(suite, [...blocks, suite.title ?? '']));
  return [...specs.map((spec) => ({ spec, blocks })), ...inner];
}

/** The words of both runners. A status nobody knows counts as failed. */
function statusOf(word: string): TestResult['status'] {
  if (word === 'passed' || word === 'expected') return 'passed';
  return ['skipped', 'pending', 'todo', 'disabled'].includes(word) ? 'skipped' : 'failed';
}

/** A runner that crashed, or that ran nothing, has no failed test: it fails itself. */
function withRunner(results: TestResult[], exitCode: number): TestResult[] {
  const hasRun = results.some(({ title, status }) => title !== null && status !== 'skipped');
  if (results.some(({ status }) => status === 'failed') || (exitCode === 0 && hasRun)) return results;
  return [...results, { file: null, title: null, status: 'failed', message: `its runner ended with ${exitCode}, without a failed test` }];
}

function nameOf({ file, title }: TestResult): string {
  return [file, title].filter((part) => part !== null).join(' › ');
}

/** Two tests of one name are two tests. */
function numberNames(results: TestResult[]): { name: string; result: TestResult }[] {
  const seen = new Map<string, number>();
  return results.map((result) => {
    const name = nameOf(result);
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return { name: `${name} ${nth}`, result };
  });
}

function describeFailure(result: TestResult): string {
  const lines = stripVTControlCharacters(result.message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at .*node_modules/.test(line));
  if (result.file === null) return lines.slice(0, MESSAGE_LINES).join('\n    ');
  return [nameOf(result), ...lines.slice(0, MESSAGE_LINES).map((line) => `    ${line}`)].join('\n');
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
