import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { findBrowser } from './browser.ts';
import { buildWhenChanged } from './build.ts';
import { checkBundle } from './check-bundle.ts';
import { ROOT } from './data-folder.ts';
import { findFreePort } from './free-port.ts';
import { removeAbandonedPostgres } from './postgres/remove-abandoned.ts';
import { type CheckOutcome, readPlaywrightReport, readVitestReport, singleOutcome } from './test-report.ts';

export type { CheckOutcome };
export type CheckName = keyof typeof CHECKS;

const REPORTS = path.join(ROOT, '.data', 'test');
const TOOL = {
  tsc: 'node_modules/typescript/bin/tsc',
  next: 'node_modules/next/dist/bin/next',
  oxlint: 'node_modules/oxlint/bin/oxlint',
  knip: 'node_modules/knip/bin/knip.js',
  vitest: 'node_modules/vitest/vitest.mjs',
  playwright: 'node_modules/playwright/cli.js',
};
const LEAVE_WITH_PARENT = path.join(ROOT, 'lib/start/leave-with-parent.ts');
const FIXED_NOW = '2026-11-21T12:00:00Z';

/** What `npm test` does, in order; each can be run alone by its name. */
export const CHECKS = {
  browser: checkBrowser,
  types: checkTypes,
  lint: checkLint,
  unit: () => runVitest('unit'),
  int: () => runVitest('int'),
  build: checkBuild,
  bundle: checkBrowserBundle,
  e2e: runPlaywright,
};

async function checkBrowser(): Promise<CheckOutcome> {
  const { executablePath, from } = await findBrowser(process.env);
  process.stdout.write(`${path.relative(ROOT, executablePath)} (from ${from})\n`);
  return singleOutcome(0);
}

/** The types of routes and of imported styles are written by Next first; a fresh clone has none. */
async function checkTypes(): Promise<CheckOutcome> {
  const written = await run([TOOL.next, 'typegen']);
  return singleOutcome(written === 0 ? await run([TOOL.tsc, '--noEmit']) : written);
}

/** Sound code, and none that nothing uses: no file, no export, no package. */
async function checkLint(): Promise<CheckOutcome> {
  const linted = await run([TOOL.oxlint, '-c', 'lib/start/oxlint.json', '--type-aware']);
  return singleOutcome(linted === 0 ? await run([TOOL.knip, '--config', 'lib/start/knip.json']) : linted);
}

async function checkBuild(): Promise<CheckOutcome> {
  const { isBuilt } = await buildWhenChanged({ show: (line) => process.stdout.write(`${line}\n`) });
  if (!isBuilt) process.stdout.write('The build at hand is of these very files.\n');
  return singleOutcome(0);
}

/** No secret and nothing of the server may be in what a browser is sent. */
async function checkBrowserBundle(): Promise<CheckOutcome> {
  const offences = await checkBundle();
  for (const offence of offences) process.stdout.write(`${offence}\n`);
  return offences.length === 0 ? singleOutcome(0) : { passed: 0, failed: 1, skipped: 0, failures: offences };
}

async function runVitest(project: string): Promise<CheckOutcome> {
  const report = freshReport(`vitest-${project}.json`);
  const flags = [
    '--config',
    'lib/start/vitest.config.ts',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const code = await run([TOOL.vitest, 'run', ...flags]);
  return readVitestReport(report, code);
}

async function runPlaywright(): Promise<CheckOutcome> {
  const browser = await findBrowser(process.env);
  const report = freshReport('playwright.json');
  const data = path.join(REPORTS, 'browser');
  await removeAbandonedPostgres(path.join(data, 'postgres'));
  fs.rmSync(data, { recursive: true, force: true });
  const code = await run([TOOL.playwright, 'test', '--config', 'e2e/playwright.config.ts'], {
    CHROME_PATH: browser.executablePath,
    CHROME_ENV: JSON.stringify(browser.env),
    PLAYWRIGHT_REPORT: report,
    SHAREBOOK_DATA: data,
    SHAREBOOK_NOW: FIXED_NOW,
    SHAREBOOK_POSTGRES_FLAGS: 'fsync=off,synchronous_commit=off,full_page_writes=off',
    PORT: String(await findFreePort()),
  });
  return readPlaywrightReport(report, code);
}

function freshReport(name: string): string {
  fs.mkdirSync(REPORTS, { recursive: true });
  const report = path.join(REPORTS, name);
  fs.rmSync(report, { force: true });
  return report;
}

/** Runs a tool on our Node; what is configured for real games and a real database does not reach it. */
async function run(args: string[], env: NodeJS.Dict<string> = {}): Promise<number> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(INVO_|SHAREBOOK_|DATABASE_URL$|PORT$|HOST$|NODE_ENV$)/.test(name));
  const child = spawn(process.execPath, ['--import', LEAVE_WITH_PARENT, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: Object.assign(Object.fromEntries(inherited) as NodeJS.ProcessEnv, env),
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
