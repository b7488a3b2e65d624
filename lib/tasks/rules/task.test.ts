import { expect, test } from 'vitest';
import { formatTask, formatTaskSummary, formatWhoCan } from '../text.ts';
import { canDo, countBadges, DESK_KINDS, firstPathOf, TASK_KINDS, TASKS, type Task, type TaskKind } from './task.ts';

const task = (kind: TaskKind, change: Partial<Task> = {}): Task => ({
  kind,
  count: 1,
  ownCount: 0,
  amount_usd: null,
  since: '2026-11-04T14:30:00Z',
  runNo: 7,
  windowStart: '2026-10-01T00:00:00Z',
  itemId: 1,
  ...change,
});

test.each([
  [['finance'], '/demo'],
  [['support', 'finance'], '/demo'],
  [['support'], '/demo/players'],
  [['auditor', 'support'], '/demo/players'],
  [['auditor'], '/demo/exceptions'],
  [['admin', 'auditor'], '/demo/exceptions'],
  [['admin'], '/demo'],
  [['viewer'], '/demo/months'],
  [[], '/demo/months'],
] as const)('a person with the roles %j lands on %s', (roles, path) => {
  expect(firstPathOf('demo', roles)).toBe(path);
});

test('badges count the tasks of their page, and nothing else', () => {
  const tasks = [
    task('approve', { count: 2 }),
    task('details'),
    task('start_run'),
    task('refund_outcome', { count: 3 }),
    task('refund_approval_other'),
    task('refund_unknown', { count: 9 }),
    task('action_send', { count: 2 }),
    task('delivery', { count: 4 }),
  ];
  const read = { unreadCount: 5, readAt: '2026-11-04T15:00:00Z' };
  expect(countBadges({ tasks, ...read })).toEqual({
    payouts: 3,
    refunds: 4,
    actions: 2,
    deliveries: 4,
    notices: 5,
    arePayoutsPaused: false,
  });
  expect(countBadges({ tasks: [task('payouts_paused')], ...read }).arePayoutsPaused).toBe(true);
});

test('a task names its run or month where there is one, and how many there are otherwise', () => {
  expect(formatTask(task('approve'), 'UTC')).toEqual({ title: 'Approve run 7, October 2026', act: 'Review run' });
  expect(formatTask(task('approve', { count: 2 }), 'UTC').title).toBe('Approve 2 runs');
  expect(formatTask(task('approve', { count: 1_200 }), 'UTC').title).toBe('Approve 1,200 runs');
  // Months are cut in the time zone of the game.
  expect(formatTask(task('start_run', { windowStart: '2026-09-30T15:00:00Z' }), 'Asia/Tokyo').title).toBe('October 2026 is ready to close');
});

test('every task that a person can’t move on says who can', () => {
  for (const kind of TASK_KINDS) {
    expect(canDo(kind, ['viewer'])).toBe(kind === 'month_changed');
    expect(formatWhoCan(kind)).not.toBe('');
    expect(canDo(kind, ['finance', 'admin'])).toBe(TASKS[kind].right !== null);
  }
  expect(formatWhoCan('make_files')).toBe('Finance');
});

test('roles move on what they are there for, and support’s first page has all that support works on', () => {
  const can = (role: 'admin' | 'support' | 'finance'): TaskKind[] => TASK_KINDS.filter((kind) => canDo(kind, [role]));
  expect(can('support')).toEqual([
    'refunds_paused',
    'actions_paused',
    'refund_outcome',
    'refund_check',
    'action_outcome',
    'action_send',
    'action_phone',
    'delivery',
    'transfer_ending',
    'month_changed',
  ]);
  expect(can('admin')).toEqual(['roles', 'month_incomplete', 'delivery', 'transfer_ending', 'month_changed']);
  const waiting: TaskKind[] = TASK_KINDS.filter((kind) => TASKS[kind].right === null);
  expect(waiting).toEqual(['approve_other', 'refund_approval_other', 'refund_unknown', 'action_approval_other']);
  expect(TASK_KINDS.filter((kind) => !can('finance').includes(kind))).toEqual([
    'approve_other',
    'roles',
    'refund_approval_other',
    'refund_unknown',
    'action_approval_other',
  ]);
  const ofDesk: TaskKind[] = can('support').filter((kind) => kind !== 'month_changed');
  expect(DESK_KINDS.filter((kind) => !ofDesk.includes(kind))).toEqual([
    'refund_approval',
    'refund_approval_other',
    'refund_unknown',
    'action_approval',
    'action_approval_other',
  ]);
  expect(ofDesk.filter((kind) => !DESK_KINDS.includes(kind))).toEqual([]);
});

test('a task without a run or a month names none', () => {
  expect(formatTask(task('elsewhere', { runNo: null }), 'UTC').title).toBe('Confirm payments of a run as paid elsewhere');
  expect(formatTask(task('month_incomplete', { windowStart: null }), 'UTC').title).toBe('A month is over and not reconciled');
});

test.each([
  ['approve_other', 'You worked on it; needs another approver'],
  ['refund_approval_other', 'Requested by you; needs another approver'],
  ['refund_unknown', 'Sharebook is checking it'],
  ['delivery', 'Support or Finance or Admin'],
] as const)('who moves on %s is named: %s', (kind, who) => {
  expect(formatWhoCan(kind)).toBe(who);
});

test.each([
  [0, null, 7, 'Nothing needs you. November 2026 ends in 7 days.'],
  [1, null, 1, 'One thing needs you. November 2026 ends tomorrow.'],
  [1_200, '2026-10', 0, '1,200 things need you. October 2026 is ready to close. November 2026 ends today.'],
])('%d tasks with %s ready and %d days left are summed up in a sentence', (count, readyMonth, daysLeft, sentence) => {
  expect(formatTaskSummary({ count, readyMonth, month: '2026-11', daysLeft })).toBe(sentence);
});
