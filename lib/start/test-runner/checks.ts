import fs from 'node:fs';
import path from 'node:path';
import { buildWhenChanged } from '../build.ts';
import { ROOT } from '../data-folder.ts';
import { identifyProcess, isSameProcess } from '../file-lock.mjs';
import { findBrowser } from './browser.ts';
import { checkBundle } from './check-bundle.ts';
import { checkFirstLoads } from './first-loads.ts';
import type { Check } from './run-checks.ts';
import { runTool, TOOL, type Write } from './run-tool.ts';
import { prepareSeed, removeData } from './seeded-data.ts';
import {
  type CheckOutcome,
  countResults,
  listRetries,
  readPlaywrightReport,
  readVitestReport,
  singleOutcome,
  type TestResult,
} from './test-report.ts';

/** Which tests of a kind: these files, or all; and of them those whose title holds that text. */
export interface Chosen {
  files?: string[] | undefined;
  title?: string | undefined;
  /** What failed is run once more. */
  isRetry?: boolean;
  /** For what the runner starts. */
  env?: NodeJS.Dict<string>;
}

const TESTS = path.join(ROOT, '.data', 'test');
const HOUSE_FIGURES = 'lib/architecture/house-figures.ts';
const VITEST_CONFIG = ['--config', 'lib/start/vitest.config.ts'];

/**
 * What `npm test` does; each can be run alone by its name. The build empties the folder of route types for a moment, so types are
 * checked after it. Unit, integration and browser tests run two files at a time and wait half of it, so that on two cores one of them
 * goes beside the browser tests.
 */
export const CHECKS: readonly Check[] = [
  { name: 'build', cores: 1, run: checkBuild },
  { name: 'browser', cores: 1, run: checkBrowser },
  { name: 'seed', needs: ['build'], cores: 1, run: checkSeed },
  { name: 'bundle', needs: ['build'], cores: 1, run: checkBrowserBundle },
  { name: 'e2e', needs: ['browser', 'seed'], cores: 1, run: (write) => runBrowser({}, write) },
  { name: 'types', needs: ['build'], cores: 1, run: checkTypes },
  { name: 'lint', needs: ['types'], cores: 1, run: checkLint },
  { name: 'unit', cores: 1, run: (write) => runUnit({}, write) },
  { name: 'int', cores: 1, run: (write) => runInt({}, write) },
];

/** What `npm run check` does. */
export const QUICK_CHECKS: readonly Check[] = [
  ...CHECKS.filter(({ name }) => ['types', 'lint', 'unit'].includes(name)),
  { name: 'figures', cores: 1, run: checkHouseFigures },
];

async function checkBrowser(write: Write): Promise<CheckOutcome> {
  const { executablePath, from } = await findBrowser(process.env);
  write(`${path.relative(ROOT, executablePath)} (from ${from})\n`);
  return singleOutcome(0);
}

/** The types of routes and of imported styles are written by Next first; a fresh clone has none. */
async function checkTypes(write: Write): Promise<CheckOutcome> {
  const written = await runTool([TOOL.next, 'typegen'], write);
  return singleOutcome(written === 0 ? await runTool([TOOL.tsc, '--noEmit'], write) : written);
}

/** Sound code, and none that nothing uses: no file, no export, no package. */
async function checkLint(write: Write): Promise<CheckOutcome> {
  const linted = await runTool([TOOL.oxlint, '-c', 'lib/start/oxlint.json', '--type-aware'], write);
  return singleOutcome(linted === 0 ? await runTool([TOOL.knip, '--config', 'lib/start/knip.json'], write) : linted);
}

/** What a maintainer has to open, in figures. */
async function checkHouseFigures(write: Write): Promise<CheckOutcome> {
  return singleOutcome(await runTool([HOUSE_FIGURES], write));
}

async function checkBuild(write: Write): Promise<CheckOutcome> {
  const { isBuilt } = await buildWhenChanged({ show: (line) => write(`${line}\n`) });
  if (!isBuilt) write('The build at hand is of these very files.\n');
  return singleOutcome(0);
}

/** A first start in simulated mode pulls its fourteen months; the browser tests work on copies of what it leaves. */
async function checkSeed(write: Write): Promise<CheckOutcome> {
  await prepareSeed((line) => write(`${line}\n`));
  return singleOutcome(0);
}

/** No secret and nothing of the server may be in what a browser is sent, and nothing at first that it needs later. */
async function checkBrowserBundle(write: Write): Promise<CheckOutcome> {
  const offences = [...(await checkBundle()), ...checkFirstLoads()];
  for (const offence of offences) write(`${offence}\n`);
  return offences.length === 0 ? singleOutcome(0) : { passed: 0, failed: 1, skipped: 0, failures: offences, flaky: [] };
}

/** Unit tests are never retried: nothing in them may depend on anything but the code. */
export async function runUnit(chosen: Chosen, write: Write | null): Promise<CheckOutcome> {
  return countResults(await runVitest('unit', chosen, write));
}

export async function runInt(chosen: Chosen, write: Write | null): Promise<CheckOutcome> {
  return withRetry(chosen, (files) => runVitest('int', files, write));
}

export async function runBrowser(chosen: Chosen, write: Write | null): Promise<CheckOutcome> {
  const { executablePath, env } = await findBrowser(process.env);
  const run = path.join(TESTS, `run-${process.pid}`);
  await removeAbandonedRuns();
  fs.mkdirSync(run, { recursive: true });
  fs.writeFileSync(path.join(run, 'owner'), identifyProcess(process.pid) ?? '');
  try {
    return await withRetry(chosen, async ({ files = [], title, isRetry = false, env: more = {} }) => {
      const report = freshReport('playwright', isRetry);
      // A trace costs a tenth of the time of every test: it is taken where a few are run, and of what failed.
      const trace = files.length > 0 ? 'retain-on-failure' : 'off';
      const args = [
        'test',
        '--config',
        'e2e/playwright.config.ts',
        '--trace',
        trace,
        ...files.map(asPattern),
        ...(title ? ['--grep', escape(title)] : []),
      ];
      const code = await runTool([TOOL.playwright, ...args], write, {
        CHROME_PATH: executablePath,
        CHROME_ENV: JSON.stringify(env),
        PLAYWRIGHT_REPORT: report,
        SHAREBOOK_TEST_RUN: run,
        ...more,
      });
      return readPlaywrightReport(report, code, 'e2e');
    });
  } finally {
    await removeRun(run);
  }
}

/** What failed and may be retried is run once more, whole files of it, in a new world. */
async function withRetry(chosen: Chosen, run: (chosen: Chosen) => Promise<TestResult[]>): Promise<CheckOutcome> {
  const first = await run(chosen);
  const again = listRetries(first);
  return countResults(first, again.length > 0 ? await run({ ...chosen, files: again, isRetry: true }) : []);
}

export async function runVitest(
  project: 'unit' | 'int',
  { files = [], title, isRetry = false, env = {} }: Chosen,
  write: Write | null,
): Promise<TestResult[]> {
  const report = freshReport(`vitest-${project}`, isRetry);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const named = title ? ['-t', escape(title)] : [];
  const code = await runTool([TOOL.vitest, 'run', ...VITEST_CONFIG, '--project', project, ...reporters, ...named, ...files], write, env);
  return readVitestReport(report, code);
}

/** Runs unit and integration tests again whenever what they import changes, until it is stopped. Returns the exit code. */
export async function watchVitest({ files = [], title }: Chosen): Promise<number> {
  const named = title ? ['-t', escape(title)] : [];
  return runTool([TOOL.vitest, 'watch', ...VITEST_CONFIG, ...named, ...files], null);
}

function freshReport(runner: string, isRetry: boolean): string {
  fs.mkdirSync(TESTS, { recursive: true });
  const report = path.join(TESTS, `${runner}${isRetry ? '-retry' : ''}.json`);
  fs.rmSync(report, { force: true });
  return report;
}

/** Playwright takes patterns; a path is one when what means something in it is escaped. */
function asPattern(file: string): string {
  return `${escape(file)}$`;
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

async function removeAbandonedRuns(): Promise<void> {
  const runs = fs.existsSync(TESTS) ? fs.readdirSync(TESTS).filter((name) => /^run-\d+$/.test(name)) : [];
  for (const run of runs.map((name) => path.join(TESTS, name))) {
    const owner = path.join(run, 'owner');
    if (!fs.existsSync(owner) || !isSameProcess(fs.readFileSync(owner, 'utf8'))) await removeRun(run);
  }
}

async function removeRun(run: string): Promise<void> {
  for (const name of fs.readdirSync(run).filter((each) => each.startsWith('worker-'))) await removeData(path.join(run, name));
  fs.rmSync(run, { recursive: true, force: true });
}
