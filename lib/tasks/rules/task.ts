import { type Capability, may, type Role } from '#lib/core/roles.ts';

/** What can wait for a person, the most urgent first. */
export const TASK_KINDS = [
  'payouts_paused',
  'refunds_paused',
  'actions_paused',
  'approve',
  'confirm_void',
  'approve_other',
  'payment_back',
  'report_rows',
  'no_answer',
  'adjustment',
  'elsewhere',
  'cancel_file',
  'reissue',
  'withdraw_reissue',
  'make_files',
  'no_file',
  'hand_over',
  'details',
  'sender',
  'policy',
  'limit',
  'switch',
  'house_account',
  'roles',
  'start_run',
  'returned',
  'draft',
  'month_incomplete',
  'refund_outcome',
  'refund_approval',
  'refund_approval_other',
  'refund_check',
  'refund_unknown',
  'action_outcome',
  'action_approval',
  'action_approval_other',
  'action_send',
  'action_phone',
  'delivery',
  'transfer_ending',
  'month_changed',
] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

/** Everything of one kind that waits in a game. */
export interface Task {
  kind: TaskKind;
  count: number;
  /** Of these, assigned to the person. */
  ownCount: number;
  /** USD, exact text; null: the kind has no sum. */
  amount_usd: string | null;
  /** Since when the oldest one waits. */
  since: string;
  /** Of the oldest one; null: it has none. */
  runNo: number | null;
  /** First instant of its month; null: it is about no month. */
  windowStart: string | null;
  /** Its number within its kind, such as that of a refund or a recipient; null: it has none. */
  itemId: number | null;
}

/** What waits in a game for a person. */
export interface TaskList {
  /** The most urgent first. */
  tasks: Task[];
  /** Notices of all games that the person hasn’t read; null: a server of other games is away. */
  unreadCount: number | null;
  /** The database’s clock when this was read: ages are computed from it. */
  readAt: string;
}

/** The pages whose navigation entry counts tasks. */
type Badge = 'payouts' | 'refunds' | 'actions' | 'deliveries';

interface TaskFacts {
  /** What a person must be allowed to do to move it on; null: only another person can. */
  right: Capability | null;
  /** Which entry of the navigation counts it; null: none. */
  badge: Badge | null;
  hasSum: boolean;
}

const DECIDE: TaskFacts = { right: 'payouts.approve', badge: 'payouts', hasSum: true };
const PREPARE: TaskFacts = { right: 'payouts.prepare', badge: null, hasSum: true };
const ACTION: TaskFacts = { right: 'actions.request', badge: 'actions', hasSum: false };
const REFUND: TaskFacts = { right: 'refunds.request', badge: 'refunds', hasSum: true };

/** What each kind is, apart from its words. */
export const TASKS: Readonly<Record<TaskKind, TaskFacts>> = {
  payouts_paused: { right: 'payouts.approve', badge: null, hasSum: false },
  refunds_paused: { right: 'refunds.request', badge: null, hasSum: false },
  actions_paused: { right: 'actions.request', badge: null, hasSum: false },
  approve: DECIDE,
  confirm_void: DECIDE,
  approve_other: { right: null, badge: null, hasSum: true },
  payment_back: PREPARE,
  report_rows: { ...PREPARE, badge: 'payouts', hasSum: false },
  no_answer: PREPARE,
  adjustment: DECIDE,
  elsewhere: DECIDE,
  cancel_file: DECIDE,
  reissue: DECIDE,
  withdraw_reissue: { ...PREPARE, badge: 'payouts' },
  make_files: PREPARE,
  no_file: PREPARE,
  hand_over: PREPARE,
  details: { ...DECIDE, hasSum: false },
  sender: { ...DECIDE, hasSum: false },
  policy: { ...DECIDE, badge: null, hasSum: false },
  limit: { right: 'refunds.approve', badge: null, hasSum: false },
  switch: { right: 'actions.approve', badge: null, hasSum: false },
  house_account: { right: 'actions.approve', badge: null, hasSum: false },
  roles: { right: 'people.manage', badge: null, hasSum: false },
  start_run: PREPARE,
  // Counted where approvals are, since only its preparer sees it.
  returned: DECIDE,
  draft: PREPARE,
  month_incomplete: { right: 'pulls.start', badge: null, hasSum: false },
  refund_outcome: REFUND,
  refund_approval: { ...REFUND, right: 'refunds.approve' },
  refund_approval_other: { ...REFUND, right: null },
  refund_check: REFUND,
  // Sharebook reads the period until it knows.
  refund_unknown: { right: null, badge: null, hasSum: true },
  action_outcome: ACTION,
  action_approval: { ...ACTION, right: 'actions.approve' },
  action_approval_other: { ...ACTION, right: null },
  action_send: ACTION,
  action_phone: ACTION,
  delivery: { right: 'deliveries.settle', badge: 'deliveries', hasSum: false },
  // The player collects it; support helps before it ends.
  transfer_ending: { right: 'desk.read', badge: null, hasSum: false },
  month_changed: { right: 'figures.read', badge: null, hasSum: false },
};

/** What the badges of every page count. */
export interface BadgeCounts extends Record<Badge, number> {
  /** Null: not known now. */
  notices: number | null;
  arePayoutsPaused: boolean;
}

/** Counts what the badges show: the same tasks that the first pages list. */
export function countBadges({ tasks, unreadCount }: TaskList): BadgeCounts {
  const countOf = (badge: Badge): number =>
    tasks.filter(({ kind }) => TASKS[kind].badge === badge).reduce((sum, { count }) => sum + count, 0);
  return {
    payouts: countOf('payouts'),
    refunds: countOf('refunds'),
    actions: countOf('actions'),
    deliveries: countOf('deliveries'),
    notices: unreadCount,
    arePayoutsPaused: tasks.some(({ kind }) => kind === 'payouts_paused'),
  };
}

/** The kinds that a person in support works on. */
export const DESK_KINDS: readonly TaskKind[] = [
  'refunds_paused',
  'actions_paused',
  'refund_outcome',
  'refund_approval',
  'refund_approval_other',
  'refund_check',
  'refund_unknown',
  'action_outcome',
  'action_approval',
  'action_approval_other',
  'action_send',
  'action_phone',
  'delivery',
  'transfer_ending',
];

/** The address of the page of a game that a person lands on: the first that one of their roles names. Overview is that of the game itself. */
export function firstPathOf(slug: string, roles: readonly Role[]): string {
  if (roles.includes('finance')) return `/${slug}`;
  if (roles.includes('support')) return `/${slug}/players`;
  if (roles.includes('auditor')) return `/${slug}/exceptions`;
  return roles.includes('admin') ? `/${slug}` : `/${slug}/months`;
}

/** Whether a person with these roles can move a task on. */
export function canDo(kind: TaskKind, roles: readonly Role[]): boolean {
  const { right } = TASKS[kind];
  return right !== null && may(roles, right);
}
