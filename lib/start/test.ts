import './leave-with-parent.ts';
import { CHECKS, type CheckName, type CheckOutcome } from './checks.ts';

const NAMES = Object.keys(CHECKS) as CheckName[];

process.exitCode = await runChecks(process.argv.slice(2));

/** Runs the named checks, or all of them in order, and closes with what failed and one line that counts. */
async function runChecks(wanted: string[]): Promise<number> {
  const unknown = wanted.filter((name) => !NAMES.includes(name as CheckName));
  if (unknown.length > 0) {
    process.stderr.write(`Unknown: ${unknown.join(', ')}. There are: ${NAMES.join(', ')}.\n`);
    return 2;
  }
  const outcomes: CheckOutcome[] = [];
  const failures: string[] = [];
  for (const name of NAMES) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const outcome = await runCheck(name);
    outcomes.push(outcome);
    failures.push(...outcome.failures.map((failure) => `${name}: ${failure}`));
  }
  const sum = (key: 'passed' | 'failed' | 'skipped'): number => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  // Said again at the end: where a log is cut, its end is what is kept.
  if (failures.length > 0) process.stdout.write(`\nWhat failed:\n\n${failures.join('\n\n')}\n`);
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}\n`);
  return sum('failed') === 0 ? 0 : 1;
}

async function runCheck(name: CheckName): Promise<CheckOutcome> {
  const started_at = performance.now();
  process.stdout.write(`\n── ${name}\n`);
  const outcome = await CHECKS[name]().catch((error: unknown): CheckOutcome => {
    const message = error instanceof Error ? error.message : String(error);
    process.stdout.write(`${message}\n`);
    return { passed: 0, failed: 1, skipped: 0, failures: [message] };
  });
  const seconds = ((performance.now() - started_at) / 1000).toFixed(1);
  process.stdout.write(`── ${name}: ${outcome.passed} passed, ${outcome.failed} failed (${seconds} s)\n`);
  return outcome;
}
