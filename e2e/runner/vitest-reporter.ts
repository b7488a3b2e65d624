import fs from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { describeFailure, emptyOutcome, type Outcome } from './outcome.ts';

/** Writes the outcome of a vitest run to the file that TEST_OUTCOME names. */
export default class VitestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const outcome = emptyOutcome();
    for (const module of modules) addModule(outcome, module);
    for (const { message } of errors) fail(outcome, 'outside any test', message);
    const file = process.env['TEST_OUTCOME'];
    if (file) fs.writeFileSync(file, JSON.stringify(outcome));
  }
}

function addModule(outcome: Outcome, module: TestModule): void {
  const failedBefore = outcome.failed;
  for (const test of module.children.allTests()) {
    const { state, errors } = test.result();
    const name = `${module.relativeModuleId} › ${test.fullName}`;
    const message = errors?.[0]?.message ?? '';
    if (state === 'failed') fail(outcome, name, message);
    else if (state === 'passed') outcome.passed += 1;
    else outcome.skipped += 1;
    if (test.diagnostic()?.flaky) outcome.flaky.push(describeFailure(name, message));
  }
  // A file that can't be loaded, or a hook that throws, fails no test.
  if (module.state() !== 'failed' || outcome.failed > failedBefore) return;
  const errors = [module, ...module.children.allSuites()].flatMap((each) => each.errors());
  fail(outcome, module.relativeModuleId, errors[0]?.message ?? '');
}

function fail(outcome: Outcome, name: string, message: string): void {
  outcome.failed += 1;
  outcome.failures.push(describeFailure(name, message));
}
