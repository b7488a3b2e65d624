import { describe, expect, test } from 'vitest';
import { Findings } from '#lib/evidence/rules/findings.ts';
import { decideLines, type LineFacts, type RunLine } from './decide-line.ts';
import { proveReversal, RunProof, type RunSources, type StatedReversal, type StatedSums } from './prove-run.ts';

const facts = (recipientId: number, amounts: Partial<LineFacts>): LineFacts => ({
  recipientId,
  identityId: null,
  isResolved: true,
  opening_usd: '0.00',
  earned_usd: '0.00',
  reversed_usd: '0.00',
  pinned_usd: '0.00',
  adjusted_usd: '0.00',
  returned_usd: '0.00',
  minimum_usd: '10.00',
  holds: [],
  isExcluded: false,
  details: { detailNo: 1, method: 'paypal', identityId: null, reportedIdentityId: null },
  ...amounts,
});
// 71: a fraction of a cent is carried. 76: a reversal is reported again, 4.00 of it deducted before.
const LINES: RunLine[] = decideLines([
  facts(71, { opening_usd: '0.0056', earned_usd: '120.3456' }),
  facts(76, { opening_usd: '3.00', reversed_usd: '7.00', pinned_usd: '4.00', adjusted_usd: '15.00' }),
]);
const REVERSAL: StatedReversal = {
  periodId: 501,
  recipientId: 76,
  attributed_usd: '10.00',
  reported_usd: '7.00',
  isCoarse: true,
  takenBefore_usd: '4.00',
  taken_usd: '3.00',
  takenByRuns_usd: '4.00',
  adjustments: [],
};
const SOURCES: RunSources = {
  reported: new Map([
    [71, { earned_usd: '120.3456', reversed_usd: '0' }],
    [76, { earned_usd: '0', reversed_usd: '7' }],
  ]),
  carried: new Map([
    [71, '0.0056'],
    [76, '3'],
  ]),
  adjusted: new Map([[76, '15']]),
  returned: new Map(),
  reversed: new Map([[501, '7']]),
};
const SUMS: StatedSums = {
  lines: 2,
  payable_count: 2,
  opening: '3.0056',
  earned: '120.3456',
  reversed: '7',
  pinned: '4',
  adjusted: '15',
  returned: '0',
  payable: '135.35',
  closing: '0.0012',
};

interface Proven {
  lines: RunLine[];
  reversals: StatedReversal[];
  sources: RunSources;
  sums: StatedSums;
}

function prove(changed: Partial<Proven> = {}): string[] {
  const { lines, reversals, sources, sums } = { lines: LINES, reversals: [REVERSAL], sources: SOURCES, sums: SUMS, ...changed };
  const findings = new Findings();
  const proof = new RunProof(7, sources, findings);
  for (const reversal of reversals) proof.addReversal(reversal);
  for (const line of lines) proof.addLine(line);
  proof.close(sums);
  return findings.violations.map(({ subject, name }) => `${subject}: ${name}`);
}

const changeLine = (changes: Partial<RunLine>): RunLine[] =>
  LINES.map((line) => (line.recipientId === 71 ? { ...line, ...changes } : line));

test('a run that follows from its sources has no violation', () => expect(prove()).toEqual([]));

describe('a run is named whose', () => {
  test.each<[string, Partial<Proven>, string]>([
    ['payable is more than is due', { lines: changeLine({ payable_usd: '120.36' }) }, 'run 7, recipient 71: line_payable'],
    ['due doesn’t add up', { lines: changeLine({ due_usd: '120.35' }) }, 'run 7, recipient 71: line_due'],
    ['carried amount doesn’t add up', { lines: changeLine({ closing_usd: '0.0013' }) }, 'run 7, recipient 71: line_closing'],
    ['outcome is another', { lines: changeLine({ outcome: 'on_hold' }) }, 'run 7, recipient 71: line_outcome'],
    ['line has further reasons', { lines: changeLine({ also: ['on_hold'] }) }, 'run 7, recipient 71: line_reasons'],
    ['line earns more than is reported', { lines: changeLine({ earned_usd: '121.3456' }) }, 'run 7, recipient 71: line_earned'],
    ['line opens with another amount', { lines: changeLine({ opening_usd: '0.0055' }) }, 'run 7, recipient 71: line_opening'],
    ['line is missing', { lines: LINES.slice(1) }, 'run 7, recipient 71: line_is_stored'],
    ['line is there twice', { lines: [...LINES, ...LINES] }, 'run 7, recipient 76: line_is_once'],
    ['reversal is missing', { reversals: [] }, 'run 7, period 501: reversal_reported'],
    ['reversal is another', { reversals: [{ ...REVERSAL, reported_usd: '6.00' }] }, 'run 7, period 501: reversal_reported'],
    ['deduction isn’t on a line', { reversals: [{ ...REVERSAL, taken_usd: '2.00' }] }, 'run 7, recipient 76: line_pinned'],
    ['adjustment isn’t on a line', { sources: { ...SOURCES, adjusted: new Map() } }, 'run 7, recipient 76: line_adjusted'],
    ['sum is another', { sums: { ...SUMS, payable: '135.36' } }, 'run 7: run_payable'],
    ['count of lines is another', { sums: { ...SUMS, lines: 3 } }, 'run 7: run_lines'],
    ['count of payments is another', { sums: { ...SUMS, payable_count: 1 } }, 'run 7: run_payable_count'],
  ])('%s', (_, changed, expected) => expect(prove(changed)).toContain(expected));

  test('adjustments are compared only once they are part of it', () =>
    expect(prove({ sources: { ...SOURCES, adjusted: null } })).toEqual([]));
});

describe('a reversal is decided again', () => {
  const drift = { amount_usd: '-1.00', correctsRunId: 1, runTaken_usd: '4.00', isCounted: false };
  const find = (changed: Partial<StatedReversal>, content: { rules?: number } | null = { rules: 3 }): string[] => {
    const findings = new Findings();
    proveReversal({ state: 'approved', content: content as never }, { ...REVERSAL, ...changed }, findings);
    return findings.violations.map(({ name }) => name);
  };
  test.each<[string, Partial<StatedReversal>, { rules?: number } | null, string[]]>([
    ['as it was', {}, { rules: 3 }, []],
    ['with more deducted than follows', { taken_usd: '3.01' }, { rules: 3 }, ['reversal_taken']],
    ['after another amount before it', { takenBefore_usd: '3.00', taken_usd: '4.00' }, { rules: 3 }, ['reversal_taken_before']],
    ['that no run reported before', { takenByRuns_usd: null, takenBefore_usd: '2.00', taken_usd: '5.00' }, { rules: 3 }, []],
    ['after an adjustment', { takenBefore_usd: '5.00', taken_usd: '2.00', adjustments: [drift] }, { rules: 3 }, []],
    ['that ignores an adjustment', { adjustments: [drift] }, { rules: 3 }, ['reversal_taken_before']],
    ['by the first rules, which ignore adjustments', { adjustments: [drift] }, {}, []],
    ['of a run without content, by either rule', { adjustments: [drift] }, null, []],
  ])('%s', (_, changed, content, expected) => expect(find(changed, content)).toEqual(expected));
});
