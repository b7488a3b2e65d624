import path from 'node:path';
import { buildWhenChanged } from '#lib/start/build.ts';
import { findBrowser } from './browser.ts';
import { checkBundle } from './check-bundle.ts';
import { checkFirstLoads } from './first-loads.ts';
import { type NamedOutcome, type Outcome, readOutcome, wholeOutcome } from './outcome.ts';
import { TESTS } from './run-folder.ts';
import { priority, runTool, TOOL, type Write } from './run-tool.ts';
import { prepareSeed } from './seeded-data.ts';

/** Which tests: these files, or all of the kind; and of them those whose title contains that text. */
export interface Chosen {
  files?: string[] | undefined;
  title?: string | undefined;
}

interface Check {
  /** Checks of the same run that must have passed before. */
  needs?: readonly string[];
  /** Runs it; its data go to a subfolder of `run`. */
  run: (write: Write | null, run: string) => Promise<Outcome>;
}

const IMPORTING = ['app', 'db', 'e2e', 'lib', 'proxy.ts', 'instrumentation.ts'];
const VITEST_CONFIG = ['--config', 'e2e/runner/vitest.config.ts'];
/** Two cores: integration tests wait most, unit tests never. Behind another lane half as many: more of them cost a quarter of the work in changes between processes. */
const WORKERS: Record<string, number> = { unit: 2, int: 4 };

/** What `npm test` does; each can be run alone by its name. The build empties the folder of route types for a moment, so types wait for it. */
export const CHECKS: Record<string, Check> = {
  build: { run: checkBuild },
  seed: { needs: ['build'], run: checkSeed },
  browser: { needs: ['seed'], run: (write, run) => runPlaywright({}, write, run) },
  unit: { run: (write, run) => runVitest(['unit'], {}, write, run) },
  int: { run: (write, run) => runVitest(['int'], {}, write, run) },
  page: { needs: ['seed'], run: (write, run) => runVitest(['page'], {}, write, run) },
  bundle: { needs: ['build'], run: checkBrowserBundle },
  types: { needs: ['build'], run: checkTypes },
  lint: { run: (write) => check([TOOL.oxlint, '-c', 'lib/start/oxlint.json', '--type-aware'], write) },
  unused: { run: (write) => check([TOOL.knip, '--config', 'lib/start/knip.json', '--cache'], write) },
  imports: {
    run: (write) =>
      check([TOOL.dependencyCruiser, '--config', 'e2e/architecture/imports.config.ts', '-T', 'err-long', ...IMPORTING], write),
  },
  figures: { run: (write) => check(['e2e/architecture/house-figures.ts'], write) },
};

/** The niceness of the other lanes. Beside four workers of the integration tests as its equals, a build takes three times as long. */
const BEHIND = 5;
/** Two cores: the first lane is the longest chain, since browser and page tests need the build and its data. It goes before the others. */
export const LANES = [['build', 'seed', 'browser', 'bundle', 'page'], ['int'], ['unit', 'lint', 'unused', 'imports', 'figures', 'types']];
/** What `npm run check` does. */
export const QUICK_LANES = [['unit'], ['lint'], ['types', 'unused', 'imports', 'figures']];

/**
 * Runs the lanes beside each other, the checks of a lane one after another. The first lane prints as it goes, a check of another lane
 * when it ends. Order of the result: by lane.
 */
export async function runLanes(lanes: readonly (readonly string[])[], run: string, print: Write): Promise<NamedOutcome[]> {
  const ended = new Map(lanes.flat().map((name) => [name, Promise.withResolvers<Outcome>()]));
  const results = lanes.map(async (names, index) => {
    const outcomes: NamedOutcome[] = [];
    for (const name of names) {
      const needed = await Promise.all((CHECKS[name]?.needs ?? []).map(async (each) => ({ each, end: await ended.get(each)?.promise })));
      const failed = needed.filter(({ end }) => end && end.failed > 0).map(({ each }) => each);
      const outcome =
        failed.length > 0
          ? wholeOutcome(`not run, since ${failed.join(' and ')} failed`)
          : await priority.run(index === 0 ? undefined : BEHIND, () => runOne(name, run, print, index === 0));
      ended.get(name)?.resolve(outcome);
      outcomes.push({ name, outcome });
    }
    return outcomes;
  });
  return (await Promise.all(results)).flat();
}

async function runOne(name: string, run: string, print: Write, isLive: boolean): Promise<Outcome> {
  const started_at = performance.now();
  const lines = [`\n── ${name}\n`];
  if (isLive) print(lines.pop() ?? '');
  const write: Write = (text) => (isLive ? print(text) : void lines.push(text));
  const asFailure = (error: unknown): Outcome => wholeOutcome(error instanceof Error ? error.message : String(error));
  const outcome = (await CHECKS[name]?.run(write, run).catch(asFailure)) ?? wholeOutcome('there is no such check');
  const seconds = ((performance.now() - started_at) / 1000).toFixed(1);
  write(`── ${name}: ${outcome.passed} passed, ${outcome.failed} failed, ${outcome.flaky.length} flaky (${seconds} s)\n`);
  print(lines.join(''));
  return outcome;
}

/** Runs browser tests: in all of them, or in the files named. */
export async function runPlaywright(
  { files = [], title }: Chosen,
  write: Write | null,
  run: string,
  env: NodeJS.Dict<string> = {},
): Promise<Outcome> {
  const browser = await findBrowser(process.env);
  const report = path.join(run, 'browser.json');
  const named = title ? ['--grep', escape(title)] : [];
  // Deep stories run in `npm run prove`, or by their name.
  const chosen = files.length > 0 ? files.map((file) => `${escape(file)}$`) : ['--grep-invert=@proof'];
  const code = await runTool([TOOL.playwright, 'test', '--config', 'e2e/playwright.config.ts', ...chosen, ...named], write, {
    CHROME_PATH: browser.executablePath,
    CHROME_ENV: JSON.stringify(browser.env),
    PLAYWRIGHT_REPORT: path.join(TESTS, 'playwright.json'),
    SHAREBOOK_TEST_RUN: run,
    TEST_OUTCOME: report,
    ...env,
  });
  return readOutcome(report, code);
}

/** Runs the tests of these vitest projects: all of them, or those in the files named. */
export async function runVitest(
  projects: string[],
  { files = [], title }: Chosen,
  write: Write | null,
  run: string,
  env: NodeJS.Dict<string> = {},
): Promise<Outcome> {
  const name = projects.join('-');
  const report = path.join(run, `${name}.json`);
  const reporters = ['default', 'json', './e2e/runner/vitest-reporter.ts'].map((reporter) => `--reporter=${reporter}`);
  const workers = (WORKERS[name] ?? 3) / (priority.getStore() === undefined ? 1 : 2);
  const args = [
    ...VITEST_CONFIG,
    ...projects.map((project) => `--project=${project}`),
    ...reporters,
    `--outputFile.json=${TESTS}/${name}.json`,
    `--maxWorkers=${Math.ceil(workers)}`,
  ];
  const named = title ? ['-t', escape(title)] : [];
  const left = files.length > 0 ? [] : ['--tagsFilter=!proof'];
  const code = await runTool([TOOL.vitest, 'run', ...args, ...left, ...named, ...files], write, {
    SHAREBOOK_TEST_RUN: run,
    TEST_OUTCOME: report,
    ...env,
  });
  return readOutcome(report, code);
}

/** Runs the tests of these vitest projects again whenever what they import changes, until it is stopped. Returns the exit code. */
export async function watchVitest(projects: string[], { files = [], title }: Chosen, run: string): Promise<number> {
  const named = title ? ['-t', escape(title)] : [];
  const chosen = projects.map((project) => `--project=${project}`);
  return runTool([TOOL.vitest, 'watch', ...VITEST_CONFIG, ...chosen, ...named, ...files], null, { SHAREBOOK_TEST_RUN: run });
}

async function checkBuild(write: Write | null): Promise<Outcome> {
  const shown: string[] = [];
  const show = (line: string): void => {
    shown.push(line);
    write?.(`${line}\n`);
  };
  const { isBuilt } = await buildWhenChanged({ show });
  if (!isBuilt) write?.('The build is current.\n');
  // They are the first thing that a newcomer's first start would print.
  return wholeOutcome(shown.find((line) => /build encountered \d+ warning/.test(line)) ?? null);
}

/** The first start in simulated mode pulls its fourteen months; page and browser tests work on copies of its data. */
async function checkSeed(write: Write | null): Promise<Outcome> {
  await prepareSeed((line) => write?.(`${line}\n`));
  return wholeOutcome(null);
}

/** The types of routes and of imported styles are written by Next first; a fresh clone has none. */
async function checkTypes(write: Write | null): Promise<Outcome> {
  const written = await check([TOOL.next, 'typegen'], write);
  return written.failed > 0 ? written : check([TOOL.tsc, '--noEmit'], write);
}

/** No secret and nothing of the server may be in what a browser loads, and nothing at first that it needs later. */
async function checkBrowserBundle(write: Write | null): Promise<Outcome> {
  const offences = [...(await checkBundle()), ...checkFirstLoads()];
  for (const offence of offences) write?.(`${offence}\n`);
  return offences.length === 0 ? wholeOutcome(null) : { ...wholeOutcome(offences[0] ?? ''), failures: offences };
}

/** The compiler and the type-aware linter are Go programs: collecting garbage less often saves a quarter of their work. */
const GO = { GOGC: '400' };

async function check(args: string[], write: Write | null): Promise<Outcome> {
  const code = await runTool(args, write, GO);
  return wholeOutcome(code === 0 ? null : `${path.basename(args[0] ?? '')} exited with ${code}`);
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
