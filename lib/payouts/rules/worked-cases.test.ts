import { describe, expect, test } from 'vitest';
import { composePreview, type Hold, type RunRecipient } from './compose-run.ts';
import {
  adjustTaken,
  type ChangedPeriod,
  type DriftAdjustment,
  type DriftFacts,
  decideDrift,
  decideReversals,
  type ReportedReversal,
} from './decide-reversal.ts';
import { DEFAULT_POLICY } from './policy.ts';

// Cases worked out by hand: what a run pays and carries, and what is deducted of a period over several months.

const recipient = (recipientId: number, given: Partial<RunRecipient>): RunRecipient => ({
  recipientId,
  seenSnapshotId: 1,
  name: null,
  identityId: null,
  isResolved: true,
  opening_usd: '0.00',
  earned_usd: '0.00',
  reversed_usd: '0.00',
  adjusted_usd: '0.00',
  returned_usd: '0.00',
  minimum_usd: null,
  details: { detailNo: 1, method: 'paypal', identityId: null, reportedIdentityId: null },
  ...given,
});
const hold = (recipientId: number, holdId: number, amount_usd: string): Hold => ({
  holdId,
  recipientId,
  periodId: null,
  amount_usd,
  attributed_usd: null,
  takenBefore_usd: null,
  isExclusion: false,
});
const reversal = (reported_usd: string, isCoarse: boolean): ReportedReversal => ({
  periodId: 501,
  recipientId: 76,
  attributed_usd: '10.00',
  reported_usd,
  isCoarse,
});
const linesOf = (recipients: RunRecipient[], holds: Hold[] = []) =>
  composePreview({ policy: DEFAULT_POLICY, recipients, reversals: [], holds }).lines.map(({ due_usd, payable_usd, closing_usd, outcome }) =>
    [due_usd, payable_usd, closing_usd, outcome].join(' '),
  );

describe('a run with a minimum of 10.00', () => {
  test.each([
    ['carries the fraction of a cent', { opening_usd: '0.0056', earned_usd: '120.3456' }, '120.3512 120.35 0.0012 payable'],
    [
      'carries a negative balance',
      { opening_usd: '40.00', earned_usd: '10.00', reversed_usd: '70.00' },
      '-20.00 0.00 -20.00 negative_balance',
    ],
    ['pays exactly the minimum after it', { opening_usd: '-20.00', earned_usd: '30.00' }, '10.00 10.00 0.00 payable'],
    ['carries what is below it', { earned_usd: '9.999' }, '9.999 0.00 9.999 below_minimum'],
  ])('%s', (_, given, line) => {
    expect(linesOf([recipient(71, given)])).toEqual([line]);
  });

  test('pays two accounts of one identity that reach it together', () => {
    const [one, other] = [
      recipient(81, { identityId: 'idn_9', earned_usd: '6.00' }),
      recipient(82, { identityId: 'idn_9', earned_usd: '5.00' }),
    ];
    expect(linesOf([one, other])).toEqual(['6.00 6.00 0.00 payable', '5.00 5.00 0.00 payable']);
  });

  test('pays what holds leave, and nothing when they come to more', () => {
    const due = recipient(71, { earned_usd: '100.00' });
    expect(linesOf([due], [hold(71, 1, '30.00')])).toEqual(['100.00 70.00 30.00 payable']);
    expect(linesOf([due], [hold(71, 1, '30.00'), hold(71, 2, '80.00')])).toEqual(['100.00 0.00 100.00 on_hold']);
  });

  test('withholds of a period that is held for two reasons no more than is left of it', () => {
    const about = { periodId: 501, attributed_usd: '10.00', takenBefore_usd: '4.00' };
    const holds = [1, 2].map((id) => ({ ...hold(71, id, '6.00'), ...about }));
    expect(linesOf([recipient(71, { earned_usd: '100.00' })], holds)).toEqual(['100.00 94.00 6.00 payable']);
  });
});

const NOTHING = { before: [], takenByRuns: new Map<number, string>(), adjustments: [] };
const adjusted = (amount_usd: string, given: Partial<DriftAdjustment> = {}): DriftAdjustment => ({
  periodId: 501,
  amount_usd,
  correctsRunId: 1,
  runTaken_usd: '0.00',
  isCounted: false,
  ...given,
});

describe('a reversal of a period of 10.00', () => {
  test('without receipts, of which a run deducted 4.00, takes 3.00 when it moves and grows to 7.00, and nothing is due of 3.00 carried', () => {
    const reversals = decideReversals({ ...NOTHING, reported: [reversal('7.00', true)], takenByRuns: new Map([[501, '4.00']]) });
    expect(reversals).toMatchObject([{ takenBefore_usd: '4.00', taken_usd: '3.00', pinned_usd: '4.00' }]);
    const [line] = composePreview({
      policy: DEFAULT_POLICY,
      recipients: [recipient(76, { opening_usd: '3.00', reversed_usd: '7.00' })],
      reversals,
      holds: [],
    }).lines;
    expect(line).toMatchObject({ pinned_usd: '4.00', due_usd: '0.00', outcome: 'nothing_due' });
  });

  test('without receipts, once stated as 4.00 before the first run, takes 3.00 of 7.00', () => {
    expect(decideReversals({ ...NOTHING, reported: [reversal('7.00', true)], before: [[reversal('4.00', true)]] })).toMatchObject([
      { takenBefore_usd: '4.00', taken_usd: '3.00', pinned_usd: '4.00' },
    ]);
  });

  test('without receipts takes 5.00 of 10.00 after an adjustment deducted 5.00', () => {
    expect(decideReversals({ ...NOTHING, reported: [reversal('10.00', true)], adjustments: [adjusted('-5.00')] })).toMatchObject([
      { takenBefore_usd: '5.00', taken_usd: '5.00', pinned_usd: '5.00' },
    ]);
  });

  test.each<[string, string, DriftAdjustment[], string]>([
    ['a deduction counts', '2.00', [adjusted('-5.00')], '7.00'],
    ['a deduction that came too late counts in full', '10.00', [adjusted('-5.00')], '15.00'],
    ['what came too late is given back', '10.00', [adjusted('-5.00'), adjusted('5.00')], '10.00'],
    ['a deduction that the last run counts is not counted again', '7.00', [adjusted('-5.00', { isCounted: true })], '7.00'],
    ['of such a deduction, what is given back counts', '7.00', [adjusted('-5.00', { isCounted: true }), adjusted('2.00')], '5.00'],
    ['what is given back counts', '5.00', [adjusted('2.00', { runTaken_usd: '5.00' })], '3.00'],
    ['no more is given back than the run it corrects deducted', '5.00', [adjusted('4.00', { runTaken_usd: '3.00' })], '2.00'],
    [
      'two adjustments of one run give back no more than it deducted',
      '5.00',
      [adjusted('2.00', { runTaken_usd: '3.00' }), adjusted('2.00', { runTaken_usd: '3.00' })],
      '2.00',
    ],
    ['a renewal that was found late is no deduction that is given back', '3.00', [adjusted('10.00')], '3.00'],
  ])('%s', (_, taken_usd, adjustments, expected) => {
    expect(adjustTaken(taken_usd, adjustments)).toBe(expected);
  });
});

const changed = (given: Partial<ChangedPeriod> = {}): ChangedPeriod => ({
  periodId: 501,
  recipientId: 76,
  name: null,
  runNo: 1,
  earnedChange_usd: '0.00',
  reportedThen_usd: '0.00',
  reportedNow_usd: '5.00',
  isCoarse: false,
  ...given,
});
const facts = (given: Partial<DriftFacts>): DriftFacts => ({
  periods: [changed()],
  before: [],
  windows: [[reversal('5.00', false)]],
  takenByRuns: new Map(),
  adjusted: new Map(),
  unplaced: [],
  ...given,
});
const changesOf = (given: Partial<DriftFacts>) => decideDrift(facts(given)).map(({ netChange_usd }) => netChange_usd);

describe('a period of 10.00 of a closed month', () => {
  test.each<[string, Partial<DriftFacts>, (string | null)[]]>([
    ['owes 5.00 when a refund is found', {}, ['-5.00']],
    ['owes nothing once that is adjusted', { adjusted: new Map([[501, '-5.00']]) }, []],
    ['owes the rest of a smaller adjustment', { adjusted: new Map([[501, '-2.00']]) }, ['-3.00']],
    ['gets back what was adjusted too much', { adjusted: new Map([[501, '-6.50']]) }, ['1.50']],
    ['owes the rest of an adjustment that names no period', { unplaced: [{ recipientId: 76, runNo: 1, amount_usd: '-2.00' }] }, ['-3.00']],
    ['is even after one that names no period nor run', { unplaced: [{ recipientId: 76, runNo: null, amount_usd: '-9.00' }] }, []],
    ['has its own amount after one of another recipient', { unplaced: [{ recipientId: 77, runNo: 1, amount_usd: '-2.00' }] }, ['-5.00']],
    ['has its own amount after one of another run', { unplaced: [{ recipientId: 76, runNo: 2, amount_usd: '-2.00' }] }, ['-5.00']],
    ['has its own amount after one that pays', { unplaced: [{ recipientId: 76, runNo: 1, amount_usd: '2.00' }] }, ['-5.00']],
    [
      'owes at most what was attributed when a later run deducted 8.00 of it',
      { windows: [[reversal('5.00', false)], [reversal('8.00', false)]], takenByRuns: new Map([[501, '8.00']]) },
      ['-2.00'],
    ],
    [
      'is paid when its renewal is found late',
      { periods: [changed({ earnedChange_usd: '10.00', reportedNow_usd: '0.00' })], windows: [] },
      ['10.00'],
    ],
    [
      'has no amount when its reversal has no receipts',
      { periods: [changed({ isCoarse: true })], windows: [[reversal('5.00', true)]] },
      [null],
    ],
    [
      'is even when that moved and was deducted in its new month',
      { periods: [changed({ isCoarse: true })], windows: [[reversal('7.00', true)]], takenByRuns: new Map([[501, '7.00']]) },
      [],
    ],
    [
      'leaves out what was stated before the first run',
      { before: [[reversal('4.00', true)]], windows: [[reversal('7.00', true)]] },
      ['-3.00'],
    ],
  ])('%s', (_, given, expected) => {
    expect(changesOf(given)).toEqual(expected);
  });
});
