import fs from 'node:fs';
import path from 'node:path';
import type { FullConfig, Reporter, Suite, TestCase, TestError } from 'playwright/types/testReporter';
import { ROOT } from '#lib/start/data-folder.ts';
import { describeFailure, emptyOutcome } from './outcome.ts';

/** Writes the outcome of a Playwright run to the file that TEST_OUTCOME names. */
export default class PlaywrightReporter implements Reporter {
  #tests: TestCase[] = [];
  readonly #errors: string[] = [];

  onBegin(_: FullConfig, suite: Suite): void {
    this.#tests = suite.allTests();
  }

  onError(error: TestError): void {
    this.#errors.push(describeFailure('outside any test', error.message ?? ''));
  }

  onEnd(): void {
    const outcome = { ...emptyOutcome(), failed: this.#errors.length, failures: [...this.#errors] };
    for (const test of this.#tests) {
      const result = test.outcome();
      if (result === 'unexpected') outcome.failures.push(describeTest(test));
      if (result === 'flaky') outcome.flaky.push(describeTest(test));
      outcome[COUNTED[result]] += 1;
    }
    const file = process.env['TEST_OUTCOME'];
    if (file) fs.writeFileSync(file, JSON.stringify(outcome));
  }
}

const COUNTED = { expected: 'passed', flaky: 'passed', unexpected: 'failed', skipped: 'skipped' } as const;

function describeTest(test: TestCase): string {
  // The first two titles are the project's and the file's.
  const name = [path.relative(ROOT, test.location.file), ...test.titlePath().slice(3)].join(' › ');
  return describeFailure(name, test.results.find(({ error }) => error)?.error?.message ?? '');
}
