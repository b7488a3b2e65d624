import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import type { Person } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { formatAge, formatCount } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { formatUsd } from '#lib/core/money.ts';
import { monthOf } from '#lib/core/month.ts';
import { canDo, type Task, type TaskKind } from '#lib/tasks/rules/task.ts';
import { formatTask, formatWhoCan } from '#lib/tasks/text.ts';

interface TaskTableProps {
  label: string;
  game: Pick<Game, 'slug' | 'timeZone'>;
  person: Pick<Person, 'roles'>;
  tasks: Task[];
  /** The database’s clock when the tasks were read. */
  readAt: string;
}

/** What waits for a person, one row a kind, with its count, sum and age and one button; what they can’t do names who can. */
export function TaskTable({ label, game, person, tasks, readAt }: TaskTableProps): ReactElement {
  const isFirst = (task: Task): boolean => task === tasks.find(({ kind }) => canDo(kind, person.roles));
  const factsOf = ({ amount_usd, ownCount, since }: Task): string =>
    [
      ...(amount_usd === null ? [] : [formatUsd(amount_usd)]),
      formatAge(since, readAt),
      ...(ownCount > 0 ? [`${formatCount(ownCount)} assigned to you`] : []),
    ].join(' · ');
  const columns: SimpleColumn<Task>[] = [
    {
      label: 'Task',
      cell: (task) => (
        <>
          {formatTask(task, game.timeZone).title}
          <NarrowNote>{factsOf(task)}</NarrowNote>
        </>
      ),
    },
    { label: 'Count', isFigure: true, isWideOnly: true, width: 76, cell: ({ count }) => formatCount(count) },
    {
      label: 'USD',
      isFigure: true,
      isWideOnly: true,
      width: 140,
      cell: ({ amount_usd }) => amount_usd !== null && <Money amount={amount_usd} />,
    },
    { label: 'Oldest', isWideOnly: true, width: 130, cell: ({ since }) => formatAge(since, readAt) },
    {
      label: 'Action',
      width: 190,
      cell: (task) => {
        const href = taskHref(game, task);
        const { act } = formatTask(task, game.timeZone);
        if (!canDo(task.kind, person.roles)) return <Link href={href}>{formatWhoCan(task.kind)}</Link>;
        return (
          <LinkButton href={href} kind={isFirst(task) ? 'main' : 'plain'}>
            {act}
          </LinkButton>
        );
      },
    },
  ];
  return <SimpleTable label={label} columns={columns} rows={tasks} keyOf={({ kind }) => kind} />;
}

/** Where a task is done: the thing itself where there is one, otherwise its list. */
export function taskHref({ slug, timeZone }: Pick<Game, 'slug' | 'timeZone'>, { kind, count, runNo, windowStart, itemId }: Task): string {
  const one = count === 1;
  const payouts = `/${slug}/payouts`;
  const run = runNo === null || !one ? payouts : `${payouts}/${runNo}`;
  const ofRun = (page: string): string => (runNo === null ? payouts : `${payouts}/${runNo}/${page}`);
  const month = windowStart === null || !one ? `/${slug}/months` : `/${slug}/months/${monthOf(windowStart, timeZone)}`;
  const monthPage = (page: string): string => (one ? `${month}/${page}` : month);
  const action = one && itemId !== null ? `/${slug}/actions/${itemId}` : `/${slug}/actions?show=for_people`;
  const hrefs: Record<TaskKind, string> = {
    payouts_paused: payouts,
    refunds_paused: `/${slug}/refunds`,
    actions_paused: `/settings/desk-actions/${slug}`,
    approve: one ? ofRun('approve') : payouts,
    confirm_void: run,
    approve_other: run,
    payment_back: ofRun('payments'),
    report_rows: one && itemId !== null ? `${payouts}/reports/${itemId}` : `${payouts}/reports`,
    no_answer: ofRun('payments'),
    adjustment: `${payouts}/adjustments`,
    elsewhere: ofRun('payments'),
    cancel_file: ofRun('payments'),
    reissue: ofRun('payments'),
    withdraw_reissue: ofRun('payments'),
    make_files: ofRun('payments'),
    no_file: ofRun('payments'),
    hand_over: ofRun('payments'),
    details: one && itemId !== null ? `${payouts}/payees/${itemId}` : `${payouts}/payees`,
    sender: `${payouts}/senders`,
    policy: '/settings#payout-policy',
    limit: '/settings#approvals',
    switch: `/settings/desk-actions/${slug}`,
    house_account: `/settings/desk-actions/${slug}#house-accounts`,
    roles: '/settings#approvals',
    start_run: monthPage('close'),
    returned: run,
    draft: windowStart === null || !one ? payouts : monthPage('close'),
    month_incomplete: monthPage('reconciliation'),
    refund_outcome: refundHref(slug, one, itemId),
    refund_approval: refundHref(slug, one, itemId),
    refund_approval_other: refundHref(slug, one, itemId),
    refund_check: refundHref(slug, one, itemId),
    refund_unknown: one && itemId !== null ? `/${slug}/refunds/${itemId}` : `/${slug}/refunds?show=under_way`,
    action_outcome: action,
    action_approval: action,
    action_approval_other: action,
    action_send: action,
    action_phone: action,
    delivery: one && itemId !== null ? `/${slug}/webhooks/${itemId}` : `/${slug}/webhooks?show=attention`,
    transfer_ending: `/${slug}/transfers?show=ends_soon`,
    month_changed: one ? `${month}/reconciliation#drift` : month,
  };
  return hrefs[kind];
}

function refundHref(slug: string, isOne: boolean, refundId: number | null): string {
  return isOne && refundId !== null ? `/${slug}/refunds/${refundId}` : `/${slug}/refunds?show=for_people`;
}
