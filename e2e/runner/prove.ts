import '#lib/start/exit-with-parent.ts';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from '#lib/start/data-folder.ts';
import { runPlaywright, runVitest } from './checks.ts';
import { type NamedOutcome, type Outcome, summarize, wholeOutcome } from './outcome.ts';
import { TESTS, withRunFolder } from './run-folder.ts';
import { runTool } from './run-tool.ts';
import { kindOfTest, listTestFiles, type TestKind } from './test-files.ts';

/** Prints its own table; what misses its goal is named there. The other benches are goals of `npm run bench`. */
const BENCHES = ['e2e/bench/search.ts'];
const FIGURES = path.join(TESTS, 'figures.jsonl');
const WHOLE = { PROVE: '1', PROVE_FIGURES: FIGURES };
/** What has a figure or a whole file of proofs takes the machine for itself; the others of a kind run side by side. */
const ALONE = /\brecordFigure\(|@module-tag proof/;
/** A test with a smaller size in `npm test`, as all that call `goThrough`, or one that `npm test` leaves out. */
const PROOF = /\b(?:proofSize|proofCases|goThrough)\(|'@?proof'|@module-tag proof/;
/** Measures a cluster beside one server, so it needs one. */
const CLUSTER_FIGURES = 'e2e/citus/cluster-figures.int.test.ts';
/** What must hold on a distributed database: what reads and changes rows of games, and the whole path. */
const ON_CLUSTER =
  /^(lib\/(evidence|refunds|payouts|payments|webhooks|people|balances|actions|approvals|transfers|orders|players|tasks|jobs|notices|fees|games)|e2e\/citus)\//;

interface Row {
  proof: string;
  figure: string;
  seconds: number;
}

process.exitCode = await withRunFolder((run) => prove(process.argv.slice(2), run));

/**
 * Runs every proof whole: the tests that `npm test` runs in small (they call `proofSize`), those that it leaves out
 * (tagged `proof`), then the benches. With arguments: those whose path contains one; `citus`: the integration and page tests that must pass on a cluster. Ends with the figures as the table of e2e/README.md.
 */
async function prove(named: string[], run: string): Promise<number> {
  if (named.length === 1 && named[0] === 'citus') return await proveOnCluster(run);
  const hasCluster = process.env['SHAREBOOK_CITUS_URL'] !== undefined;
  const isWanted = (file: string): boolean => named.length === 0 || named.some((part) => file.includes(part));
  const tests = listTestFiles().filter((file) => PROOF.test(read(file)) && (hasCluster || file !== CLUSTER_FIGURES));
  const wanted = [...tests, ...BENCHES].filter(isWanted);
  if (wanted.length === 0) {
    process.stdout.write(`There are:\n${[...tests, ...BENCHES].join('\n')}\n`);
    return 2;
  }
  const outcomes: NamedOutcome[] = [];
  const rows: Row[] = [];
  const runsAlone = (file: string): boolean => BENCHES.includes(file) || kindOf(file) === 'browser' || ALONE.test(read(file));
  const together = Object.groupBy(
    wanted.filter((file) => !runsAlone(file)),
    kindOf,
  );
  for (const [kind, files] of Object.entries(together)) {
    process.stdout.write(`\n── ${files.length} files of ${kind} tests\n`);
    outcomes.push({ name: `${kind} tests`, outcome: await runVitest([kind], { files }, null, run, WHOLE) });
  }
  for (const file of wanted.filter(runsAlone)) {
    const started_at = performance.now();
    process.stdout.write(`\n── ${file}\n`);
    fs.rmSync(FIGURES, { force: true });
    const outcome = BENCHES.includes(file) ? await runBench(file) : await proveTest(file, run);
    const seconds = Math.round((performance.now() - started_at) / 1000);
    outcomes.push({ name: file, outcome });
    rows.push(...readFigures().map((figure) => ({ ...figure, seconds })));
  }
  const table = [
    '| Proof | Figure | Seconds |',
    '|---|---|---|',
    ...rows.map((row) => `| ${row.proof} | ${row.figure} | ${row.seconds} |`),
  ];
  if (rows.length > 0) process.stdout.write(`\n${table.join('\n')}\n`);
  const { text, exitCode } = summarize(outcomes);
  process.stdout.write(text);
  return exitCode;
}

/** Runs integration tests on the cluster of SHAREBOOK_CITUS_URL, file after file of a few at once, then the page tests of a Sharebook over it. */
async function proveOnCluster(run: string): Promise<number> {
  if (!process.env['SHAREBOOK_CITUS_URL']) {
    process.stdout.write('Set SHAREBOOK_CITUS_URL to the administrator of a cluster; e2e/citus/build-cluster.ts builds one.\n');
    return 2;
  }
  const files = listTestFiles().filter((file) => kindOf(file) === 'int' && ON_CLUSTER.test(file) && file !== CLUSTER_FIGURES);
  fs.rmSync(FIGURES, { force: true });
  const { text, exitCode } = summarize([
    { name: 'on a cluster', outcome: await runVitest(['int'], { files }, null, run) },
    // It crashes a server, so nothing else runs beside it.
    { name: 'figures of a cluster', outcome: await runVitest(['int'], { files: [CLUSTER_FIGURES] }, null, run, WHOLE) },
    { name: 'pages on a cluster', outcome: await runVitest(['page'], {}, null, run) },
  ]);
  process.stdout.write(
    readFigures()
      .map(({ proof, figure }) => `\n${proof}: ${figure}`)
      .join(''),
  );
  process.stdout.write(text);
  return exitCode;
}

async function runBench(file: string): Promise<Outcome> {
  const code = await runTool([file], null);
  return wholeOutcome(code === 0 ? null : `${file} exited with ${code}`);
}

async function proveTest(file: string, run: string): Promise<Outcome> {
  const kind = kindOf(file);
  if (kind === 'browser') return await runPlaywright({ files: [file] }, null, run, WHOLE);
  return await runVitest([kind], { files: [file] }, null, run, WHOLE);
}

function kindOf(file: string): TestKind {
  return kindOfTest(file) ?? 'unit';
}

function read(file: string): string {
  return fs.readFileSync(path.join(ROOT, file), 'utf8');
}

function readFigures(): Omit<Row, 'seconds'>[] {
  const lines = fs.existsSync(FIGURES) ? fs.readFileSync(FIGURES, 'utf8').trim().split('\n') : [];
  return lines.map((line) => JSON.parse(line) as Omit<Row, 'seconds'>);
}
