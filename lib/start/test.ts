import './exit-with-parent.ts';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { CHECKS, QUICK_CHECKS, runBrowser, runInt, runUnit, watchVitest } from './test-runner/checks.ts';
import { type Check, type NamedOutcome, runChecks } from './test-runner/run-checks.ts';
import { findTests } from './test-runner/test-files.ts';
import { summarize } from './test-runner/test-report.ts';

const USAGE = `npm test                      everything
npm test -- NAME …            some checks: ${CHECKS.map(({ name }) => name).join(', ')}
npm test -- PATH …            the tests of a file, a folder or a part of a path, of any kind
npm test -- PATH -t TITLE     those of them whose title holds this
npm run watch -- PATH …       unit and integration tests, again on every change
npm run check                 types, lint, unit tests and the house figures
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const options = {
    title: { type: 'string', short: 't' },
    watch: { type: 'boolean' },
    quick: { type: 'boolean' },
    help: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) return say(USAGE, 0);
  if (values.quick) return report(await runAll(QUICK_CHECKS));
  const names = positionals.filter((each) => CHECKS.some(({ name }) => name === each));
  if (positionals.length === 0 && !values.watch && !values.title) return report(await runAll(CHECKS));
  if (names.length > 0 && names.length === positionals.length)
    return report(await runAll(CHECKS.filter(({ name }) => names.includes(name))));
  const { files, missing } = findTests(positionals);
  if (missing.length > 0) return say(`No test is named ${missing.join(', ')}.\n\n${USAGE}`, 2);
  if (values.watch) {
    if (files.browser.length > 0) return say('A browser test is not watched: run it again, the server and its data are ready.\n', 2);
    return watchVitest({ files: [...files.unit, ...files.int], title: values.title });
  }
  const isAll = positionals.length === 0;
  const outcomes: NamedOutcome[] = [];
  for (const [name, run, found] of [
    ['unit', runUnit, files.unit],
    ['int', runInt, files.int],
    ['e2e', runBrowser, files.browser],
  ] as const) {
    if (isAll || found.length > 0) outcomes.push({ name, outcome: await run({ files: found, title: values.title }, null) });
  }
  return report(outcomes);
}

function runAll(checks: readonly Check[]): Promise<NamedOutcome[]> {
  return runChecks(checks, { cores: Math.max(2, os.availableParallelism()), print: (text) => void process.stdout.write(text) });
}

/** Closes with what failed, what was flaky, and the two lines that count. */
function report(outcomes: NamedOutcome[]): number {
  const { text, exitCode } = summarize(outcomes);
  return say(text, exitCode);
}

function say(text: string, exitCode: number): number {
  process.stdout.write(text);
  return exitCode;
}
