import '#lib/start/exit-with-parent.ts';
import { parseArgs } from 'node:util';
import { CHECKS, LANES, QUICK_LANES, runLanes, runPlaywright, runVitest, watchVitest } from './checks.ts';
import { type NamedOutcome, summarize } from './outcome.ts';
import { withRunFolder } from './run-folder.ts';
import { findTests } from './test-files.ts';

const USAGE = `npm test                      everything
npm test -- NAME …            some checks: ${Object.keys(CHECKS).join(', ')}
npm test -- PATH …            the tests of a file, a folder or a part of a path, of any kind
npm test -- PATH -t TITLE     those of them whose title contains this
npm run watch -- PATH …       unit, integration and page tests, again on every change
npm run check                 types, lint, imports, unit tests and the house figures
`;

process.exitCode = await withRunFolder((run) => main(process.argv.slice(2), run));

async function main(args: string[], run: string): Promise<number> {
  const options = {
    title: { type: 'string', short: 't' },
    watch: { type: 'boolean' },
    quick: { type: 'boolean' },
    help: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) return print(USAGE, 0);
  if (values.quick) return report(await runLanes(QUICK_LANES, run, print));
  if (positionals.length === 0 && !values.watch && !values.title) return report(await runLanes(LANES, run, print));
  if (positionals.length > 0 && positionals.every((name) => name in CHECKS)) return report(await runLanes([positionals], run, print));
  const { files, missing } = findTests(positionals);
  if (missing.length > 0) return print(`No test is named ${missing.join(', ')}.\n\n${USAGE}`, 2);
  const isAll = positionals.length === 0;
  const projects = (['unit', 'int', 'page'] as const).filter((project) => isAll || files[project].length > 0);
  const inVitest = { files: projects.flatMap((project) => files[project]), title: values.title };
  if (values.watch) {
    if (files.browser.length > 0) return print('Browser tests are not watched: run them again, the server and its data are ready.\n', 2);
    return watchVitest(projects, inVitest, run);
  }
  const outcomes: NamedOutcome[] = [];
  if (projects.length > 0) outcomes.push({ name: projects.join(' and '), outcome: await runVitest(projects, inVitest, null, run) });
  if (isAll || files.browser.length > 0)
    outcomes.push({ name: 'browser', outcome: await runPlaywright({ files: files.browser, title: values.title }, null, run) });
  return report(outcomes);
}

/** Ends with what failed, what was flaky, and the two lines that count. */
function report(outcomes: NamedOutcome[]): number {
  const { text, exitCode } = summarize(outcomes);
  return print(text, exitCode);
}

function print(text: string, exitCode = 0): number {
  process.stdout.write(text);
  return exitCode;
}
