import { describe, expect, test } from 'vitest';
import { countDemoMonths, isLeftToPeople, listDemoMonths, type MonthProgress } from '#lib/payouts/rules/demo-year.ts';
import { type MonthWork, planMonth } from './plan-step.ts';

const NOTHING: MonthWork = {
  isComplete: true,
  isLast: false,
  run: null,
  close: null,
  sender: 'in_force',
  waiting: 0,
  files: [],
  hasStatements: false,
};
const READY = { recheck: 'current', unanswered: 0, blockers: [] } as const;
const draft = { run: { progress: 'draft', isOurs: true } } as const;
const approved = { run: { progress: 'approved', isOurs: true } } as const;
const file = { batchNo: 7, isHandedOver: true, isReported: true };

describe('the next step of a demo month', () => {
  test.each<[string, Partial<MonthWork>, ReturnType<typeof planMonth>]>([
    ['waits until the month is complete', { isComplete: false }, { kind: 'wait' }],
    ['drafts the run of a complete month', {}, { kind: 'draft' }],
    ['waits for the pull that re-checks the month', { ...draft, close: { ...READY, recheck: 'pulling' } }, { kind: 'wait' }],
    ['requests a re-check that a killed process did not', { ...draft, close: { ...READY, recheck: 'needed' } }, { kind: 'recheck' }],
    ['waits until the checks of a draft are known', draft, { kind: 'wait' }],
    ['answers what takes a note', { ...draft, close: { ...READY, unanswered: 1 } }, { kind: 'answer' }],
    ['submits a draft that is ready', { ...draft, close: READY }, { kind: 'submit' }],
    ['approves a submitted run', { run: { progress: 'submitted', isOurs: true } }, { kind: 'approve' }],
    ['proposes the sender before the first file', { ...approved, waiting: 3, sender: 'none' }, { kind: 'propose_sender' }],
    ['confirms a proposed sender', { ...approved, waiting: 3, sender: 'proposed' }, { kind: 'confirm_sender' }],
    ['makes the files of waiting payments', { ...approved, waiting: 3 }, { kind: 'make_files' }],
    ['hands over a made file', { ...approved, files: [{ ...file, isHandedOver: false }] }, { kind: 'hand_over', batchNo: 7 }],
    [
      'adds the report of a file that was handed over',
      { ...approved, files: [{ ...file, isReported: false }] },
      { kind: 'report', batchNo: 7 },
    ],
    [
      'requests statements before it closes the run',
      { run: { progress: 'paid', isOurs: true }, files: [file] },
      { kind: 'request_statements' },
    ],
    ['closes a paid run', { run: { progress: 'paid', isOurs: true }, files: [file], hasStatements: true }, { kind: 'close' }],
    [
      'makes the files of all that waits before it hands one over',
      { ...approved, waiting: 1, files: [{ ...file, isHandedOver: false }] },
      { kind: 'make_files' },
    ],
    [
      'hands every file over before it adds a report',
      {
        ...approved,
        files: [
          { ...file, isReported: false },
          { ...file, batchNo: 8, isHandedOver: false },
        ],
      },
      { kind: 'hand_over', batchNo: 8 },
    ],
    [
      'requests statements of a run with an open payment too',
      { run: { progress: 'exported', isOurs: true }, files: [file] },
      { kind: 'request_statements' },
    ],
    [
      'closes the last month too once it is paid',
      { run: { progress: 'paid', isOurs: true }, isLast: true, files: [file], hasStatements: true },
      { kind: 'close' },
    ],
    ['leaves a closed run', { run: { progress: 'closed', isOurs: true } }, { kind: 'done' }],
    [
      'leaves the open payment of the last month to people',
      { run: { progress: 'exported', isOurs: true }, isLast: true, files: [file], hasStatements: true },
      { kind: 'done' },
    ],
  ])('%s', (_, work, step) => {
    expect(planMonth({ ...NOTHING, ...work })).toEqual(step);
  });

  test.each<[string, Partial<MonthWork>]>([
    ['a run that was sent back', { run: { progress: 'rejected', isOurs: true } }],
    ['a run that another person drafted', { run: { progress: 'draft', isOurs: false }, close: READY }],
    ['a run that another person submitted', { run: { progress: 'submitted', isOurs: false } }],
    ['a re-check that differs', { ...draft, close: { ...READY, recheck: 'failed' } }],
    ['an item that takes no note', { ...draft, close: { ...READY, blockers: ['eur_rate'] } }],
    ['an open payment before the last month', { run: { progress: 'exported', isOurs: true }, files: [file], hasStatements: true }],
  ])('stops at %s, which people decide', (_, work) => {
    expect(planMonth({ ...NOTHING, ...work }).kind).toBe('stop');
  });

  test.each<[string, Partial<MonthWork>, string]>([
    ['a re-check that failed beside other items', { ...draft, close: { ...READY, recheck: 'failed', blockers: ['eur_rate'] } }, 're-check'],
    ['items that take no note beside one that does', { ...draft, close: { ...READY, unanswered: 1, blockers: ['a', 'b'] } }, 'a, b blocks'],
  ])('names %s as the reason', (_, work, reason) => {
    expect(planMonth({ ...NOTHING, ...work })).toEqual({ kind: 'stop', because: expect.stringContaining(reason) });
  });

  test('continues with an approved run that another person drafted', () => {
    expect(planMonth({ ...NOTHING, run: { progress: 'approved', isOurs: false }, waiting: 1 })).toEqual({ kind: 'make_files' });
  });
});

describe('the demo’s year', () => {
  const closed = (month: string): MonthProgress => ({ month, progress: 'closed' });

  test('is the twelve months before the last complete one', () => {
    const months = listDemoMonths([], '2026-11');
    expect([months[0], months.at(-1), months.length]).toEqual(['2025-10', '2026-09', 12]);
  });

  test('stays the same when the next month begins', () => {
    const runs = [closed('2025-10'), closed('2025-11')];
    expect(listDemoMonths(runs, '2026-12')[0]).toBe('2025-10');
    expect(countDemoMonths(runs, '2026-12')).toEqual({ done: 2, months: 12 });
  });

  test('is left to people who start with a later month, continue after it or send a run back', () => {
    expect(isLeftToPeople([closed('2025-10')], '2026-11')).toBe(false);
    expect(isLeftToPeople([{ month: '2026-10', progress: 'draft' }], '2026-11')).toBe(true);
    expect(isLeftToPeople([closed('2025-10'), { month: '2026-10', progress: 'draft' }], '2026-11')).toBe(true);
    expect(isLeftToPeople([{ month: '2025-10', progress: 'rejected' }], '2026-11')).toBe(true);
  });

  test('shows no progress once each month is closed and the last one’s files are reported', () => {
    const months = listDemoMonths([], '2026-11');
    const runs = months.map(closed);
    expect(countDemoMonths(runs.slice(0, 11), '2026-11')).toEqual({ done: 11, months: 12 });
    expect(countDemoMonths([...runs.slice(0, 11), { month: '2026-09', progress: 'exported' }], '2026-11')).toBeNull();
  });
});
