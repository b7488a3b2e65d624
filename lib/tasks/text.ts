import { formatMonth } from '#lib/core/instant.ts';
import { type Month, monthOf } from '#lib/core/month.ts';
import { ROLE_LABELS, rolesWith } from '#lib/core/roles.ts';
import { TASKS, type Task, type TaskKind } from './rules/task.ts';

interface TaskText {
  /** What waits, as a title: of one thing, and of several. */
  one: (about: About) => string;
  many: (count: string) => string;
  /** Its button: verb and object. */
  act: string;
}

/** What the oldest one is about, where it is about that. */
interface About {
  /** `run 7, October 2026`. */
  run: string;
  /** `October 2026`. */
  month: string;
}

const TEXT: Readonly<Record<TaskKind, TaskText>> = {
  payouts_paused: { one: () => 'Payouts are paused after a restore', many: () => 'Payouts are paused', act: 'Review pause' },
  refunds_paused: { one: () => 'Refunds are paused', many: () => 'Refunds are paused', act: 'Review pause' },
  actions_paused: { one: () => 'Desk actions are paused', many: () => 'Desk actions are paused', act: 'Review pause' },
  approve: { one: ({ run }) => `Approve ${run}`, many: (count) => `Approve ${count} runs`, act: 'Review run' },
  confirm_void: { one: ({ run }) => `Confirm voiding ${run}`, many: (count) => `Confirm voiding ${count} runs`, act: 'Review run' },
  approve_other: { one: ({ run }) => `Approval of ${run}`, many: (count) => `Approval of ${count} runs`, act: 'View run' },
  payment_back: {
    one: () => 'A payment failed or came back',
    many: (count) => `${count} payments failed or came back`,
    act: 'Review payments',
  },
  report_rows: { one: () => 'Decide rows of a bank report', many: (count) => `Decide rows of ${count} bank reports`, act: 'Review rows' },
  no_answer: {
    one: () => 'A payment has no answer for ten days',
    many: (count) => `${count} payments have no answer for ten days`,
    act: 'Review payments',
  },
  adjustment: { one: () => 'Confirm an adjustment', many: (count) => `Confirm ${count} adjustments`, act: 'Review adjustments' },
  elsewhere: {
    one: ({ run }) => `Confirm payments of ${run} as paid elsewhere`,
    many: (count) => `Confirm ${count} proposals of payments as paid elsewhere`,
    act: 'Review payments',
  },
  cancel_file: {
    one: ({ run }) => `Confirm cancelling a payment file of ${run}`,
    many: (count) => `Confirm cancelling ${count} payment files`,
    act: 'Review files',
  },
  reissue: { one: () => 'Confirm re-issuing a payment', many: (count) => `Confirm re-issuing ${count} payments`, act: 'Review payments' },
  withdraw_reissue: {
    one: () => 'Withdraw a re-issue that can’t be confirmed',
    many: (count) => `Withdraw ${count} re-issues that can’t be confirmed`,
    act: 'Review payments',
  },
  make_files: {
    one: ({ run }) => `Create the payment files of ${run}`,
    many: (count) => `Create the payment files of ${count} runs`,
    act: 'Create files',
  },
  no_file: {
    one: ({ run }) => `Payments of ${run} can’t enter a file`,
    many: (count) => `Payments of ${count} runs can’t enter a file`,
    act: 'Review payments',
  },
  hand_over: {
    one: ({ run }) => `Hand over a payment file of ${run}`,
    many: (count) => `Hand over ${count} payment files`,
    act: 'Hand over files',
  },
  details: {
    one: () => 'Confirm payment details',
    many: (count) => `Confirm ${count} proposals of payment details`,
    act: 'Review details',
  },
  sender: { one: () => 'Confirm a sender account', many: (count) => `Confirm ${count} sender accounts`, act: 'Review accounts' },
  policy: { one: () => 'Confirm a payout policy', many: (count) => `Confirm ${count} payout policies`, act: 'Review policy' },
  limit: {
    one: () => 'Approve a higher auto-approval limit',
    many: (count) => `Approve ${count} higher auto-approval limits`,
    act: 'Review limits',
  },
  switch: {
    one: () => 'Confirm turning on desk actions',
    many: (count) => `Confirm turning on ${count} groups of desk actions`,
    act: 'Review desk actions',
  },
  house_account: { one: () => 'Confirm a house account', many: (count) => `Confirm ${count} house accounts`, act: 'Review accounts' },
  roles: { one: () => 'Approve a change of roles', many: (count) => `Approve ${count} changes of roles`, act: 'Review roles' },
  start_run: {
    one: ({ month }) => `${month} is ready to close`,
    many: (count) => `${count} months are ready to close`,
    act: 'Start payout run',
  },
  returned: { one: ({ run }) => `Correct and submit ${run} again`, many: (count) => `Correct ${count} runs`, act: 'Open run' },
  draft: { one: ({ run }) => `Finish the draft of ${run}`, many: (count) => `Finish ${count} drafts`, act: 'Continue draft' },
  month_incomplete: {
    one: ({ month }) => `${month} is over and not reconciled`,
    many: (count) => `${count} months are over and not reconciled`,
    act: 'View reason',
  },
  refund_outcome: {
    one: () => 'Record the outcome of a refund',
    many: (count) => `Record the outcome of ${count} refunds`,
    act: 'Review refunds',
  },
  refund_approval: { one: () => 'Approve a refund', many: (count) => `Approve ${count} refunds`, act: 'Review refunds' },
  refund_approval_other: {
    one: () => 'Approval of your refund',
    many: (count) => `Approval of ${count} of your refunds`,
    act: 'View refunds',
  },
  refund_check: { one: () => 'Check a refund', many: (count) => `Check ${count} refunds`, act: 'Review refunds' },
  refund_unknown: {
    one: () => 'The outcome of a refund is unknown',
    many: (count) => `The outcome of ${count} refunds is unknown`,
    act: 'View refunds',
  },
  action_outcome: {
    one: () => 'Record the outcome of a desk action',
    many: (count) => `Record the outcome of ${count} desk actions`,
    act: 'Review actions',
  },
  action_approval: { one: () => 'Approve a desk action', many: (count) => `Approve ${count} desk actions`, act: 'Review actions' },
  action_approval_other: {
    one: () => 'Approval of your desk action',
    many: (count) => `Approval of ${count} of your desk actions`,
    act: 'View actions',
  },
  action_send: { one: () => 'Send your approved desk action', many: (count) => `Send ${count} of your desk actions`, act: 'View actions' },
  action_phone: {
    one: () => 'Continue your desk action with reserved coins',
    many: (count) => `Continue ${count} of your desk actions with reserved coins`,
    act: 'View actions',
  },
  delivery: { one: () => 'Resolve a webhook', many: (count) => `Resolve ${count} webhooks`, act: 'Review webhooks' },
  transfer_ending: {
    one: () => 'A transfer ends within a day',
    many: (count) => `${count} transfers end within a day`,
    act: 'View transfers',
  },
  month_changed: {
    one: ({ month }) => `${month} changed after its run was approved`,
    many: (count) => `${count} months changed after their runs were approved`,
    act: 'View changes',
  },
};

/** A task as its title and the label of its button. */
export function formatTask({ kind, count, runNo, windowStart }: Task, timeZone: string): { title: string; act: string } {
  const { one, many, act } = TEXT[kind];
  const month = windowStart === null ? 'A month' : formatMonth(monthOf(windowStart, timeZone));
  const run = runNo === null ? 'a run' : `run ${runNo}, ${month}`;
  return { title: count === 1 ? one({ run, month }) : many(count.toLocaleString('en-US')), act };
}

/** Who moves on a task that this person can't. */
export function formatWhoCan(kind: TaskKind): string {
  const { right } = TASKS[kind];
  if (kind === 'approve_other') return 'You worked on it; needs another approver';
  if (kind === 'refund_unknown') return 'Sharebook is checking it';
  if (right === null) return 'Requested by you; needs another approver';
  return rolesWith(right)
    .map((role) => ROLE_LABELS[role])
    .join(' or ');
}

/** What a person knows before they read the list: how much needs them, and what is next. */
export function formatTaskSummary({
  count,
  readyMonth,
  month,
  daysLeft,
}: {
  count: number;
  readyMonth: Month | null;
  month: Month;
  daysLeft: number;
}): string {
  const first =
    count === 0 ? 'Nothing needs you.' : count === 1 ? 'One thing needs you.' : `${count.toLocaleString('en-US')} things need you.`;
  const ready = readyMonth === null ? '' : ` ${formatMonth(readyMonth)} is ready to close.`;
  const ends = daysLeft === 0 ? 'today' : daysLeft === 1 ? 'tomorrow' : `in ${daysLeft} days`;
  return `${first}${ready} ${formatMonth(month)} ends ${ends}.`;
}
