import './exit-with-parent.ts';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './data-folder.ts';
import { runBrowser, runVitest } from './test-runner/checks.ts';
import { runTool } from './test-runner/run-tool.ts';
import { kindOfTest, listTestFiles } from './test-runner/test-files.ts';
import { type CheckOutcome, countResults, singleOutcome, summarize } from './test-runner/test-report.ts';

/** Prints its own table; what misses its goal says so there. The other benches are goals of `npm run bench`. */
const BENCHES = ['e2e/bench/search.ts'];
const FIGURES = path.join(ROOT, '.data', 'test', 'figures.jsonl');

interface Row {
  proof: string;
  figure: string;
  seconds: number;
}

process.exitCode = await prove(process.argv.slice(2));

/**
 * Runs every proof whole, one after another: the tests that `npm test` runs in small (they ask `proofSize`), then the benches. Those
 * named by a part of their path only, when some are named. Closes with the figures as the table of e2e/README.md.
 */
async function prove(named: string[]): Promise<number> {
  const isWanted = (file: string): boolean => named.length === 0 || named.some((part) => file.includes(part));
  const tests = listTestFiles().filter((file) => fs.readFileSync(path.join(ROOT, file), 'utf8').includes('proofSize('));
  const wanted = [...tests, ...BENCHES].filter(isWanted);
  if (wanted.length === 0) {
    process.stdout.write(`There are:\n${[...tests, ...BENCHES].join('\n')}\n`);
    return 2;
  }
  const outcomes: { name: string; outcome: CheckOutcome }[] = [];
  const rows: Row[] = [];
  for (const file of wanted) {
    const started_at = performance.now();
    process.stdout.write(`\n── ${file}\n`);
    fs.mkdirSync(path.dirname(FIGURES), { recursive: true });
    fs.rmSync(FIGURES, { force: true });
    const outcome = BENCHES.includes(file) ? singleOutcome(await runTool([file], null)) : await proveTest(file);
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

async function proveTest(file: string): Promise<CheckOutcome> {
  const chosen = { files: [file], env: { PROVE: '1', PROVE_FIGURES: FIGURES } };
  const kind = kindOfTest(file);
  if (kind === 'browser') return await runBrowser(chosen, null);
  return countResults(await runVitest(kind === 'int' ? 'int' : 'unit', chosen, null));
}

function readFigures(): Omit<Row, 'seconds'>[] {
  const lines = fs.existsSync(FIGURES) ? fs.readFileSync(FIGURES, 'utf8').trim().split('\n') : [];
  return lines.map((line) => JSON.parse(line) as Omit<Row, 'seconds'>);
}
