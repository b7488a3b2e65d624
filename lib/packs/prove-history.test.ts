import { expect, test } from 'vitest';
import { Findings } from '#lib/evidence/rules/findings.ts';
import { type PackForSequence, proveSequence } from './prove-history.ts';
import type { PackRun } from './rules/pack-files.ts';

const RUN_NOS = [10, 11, 12, 13];
const runOf = (runNo: number): PackRun => {
  const [windowStart, windowEnd] = [`2026-${runNo - 1}-01T00:00:00Z`, `2026-${runNo}-01T00:00:00Z`];
  return { runId: runNo, runNo, windowStart, windowEnd, contentDigest: `digest ${runNo}` };
};

/** The pack of a run whose history names all runs before it. */
const packOf = (runNo: number, file = `${runNo}.zip`): PackForSequence => ({
  file,
  runNo,
  contentDigest: `digest ${runNo}`,
  history: { runs: RUN_NOS.filter((each) => each < runNo).map(runOf), closings: new Map(), taken: new Map(), adjustments: [] },
  closings: new Map(),
  taken: new Map(),
  audit: [],
});

test.each<[string, PackForSequence[], object]>([
  ['runs that follow each other are one sequence, in any order', [packOf(12), packOf(10), packOf(11)], { sequences: [[10, 11, 12]] }],
  [
    'a run without a pack ends the sequence and is named',
    [packOf(10), packOf(12), packOf(13)],
    { sequences: [[12, 13]], missing: [{ runNos: [11], before: 10, after: 12 }] },
  ],
  [
    'two runs with others between them are no sequence',
    [packOf(10), packOf(13)],
    { missing: [{ runNos: [11, 12], before: 10, after: 13 }] },
  ],
  ['one pack given twice is no sequence', [packOf(10), packOf(10)], { repeated: [{ runNo: 10, files: ['10.zip', '10.zip'] }] }],
  [
    'two packs of one run count once in a sequence',
    [packOf(10), packOf(11), packOf(11, 'accounts.zip')],
    { sequences: [[10, 11]], repeated: [{ runNo: 11, files: ['11.zip', 'accounts.zip'] }] },
  ],
  ['one pack alone is no sequence', [packOf(12)], {}],
])('%s', (_, packs, expected) => {
  const findings = new Findings();
  expect(proveSequence('demo', packs, findings)).toEqual({ sequences: [], missing: [], repeated: [], ...expected });
  expect(findings.violations).toEqual([]);
});
