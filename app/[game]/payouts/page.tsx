import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { config, db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { countForBadges } from '#app/_shell/badge-count.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { countNoun, formatMonth, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable, TableNote } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import type { Game } from '#lib/core/game.ts';
import { formatUsd } from '#lib/core/money.ts';
import { monthOf } from '#lib/core/month.ts';
import { maskName } from '#lib/core/roles.ts';
import { formatPaymentReference } from '#lib/payments/rules/payment-reference.ts';
import { listRuns, type Run } from '#lib/payouts/reads/find-run.ts';
import { listWaitingPayouts, type WaitingPayout } from '#lib/payouts/reads/waiting-payouts.ts';
import { progressOf } from '#lib/payouts/rules/run-content.ts';
import { DemoYearNotice } from '../_payouts/demo-year-notice.tsx';
import styles from './_run/run.module.css';
import { PayoutsHead, RunStatus } from './_run/run-head.tsx';

export const metadata: Metadata = { title: 'Payouts' };

/** Items the card of what waits lists. */
const WAITING_MAX = 10;

/** The payout runs of a game, newest first. */
export default async function PayoutsPage({ params }: { params: Promise<{ game: string }> }): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const game = await requireGame((await params).game);
  const mayApprove = person.may('payouts.approve');
  const [runs, waiting, { payouts: count }] = await Promise.all([
    listRuns(db(), game.gameId),
    mayApprove ? listWaitingPayouts(db(), game.gameId, person.id, WAITING_MAX) : [],
    countForBadges(game, person),
  ]);
  const canSeeEmails = person.may('emails.read');
  return (
    <>
      <PayoutsHead
        slug={game.slug}
        person={person}
        waiting={<WaitingCard game={game} waiting={waiting} canSeeEmails={canSeeEmails} count={count} />}
      />
      <DemoYearNotice
        runs={runs.flatMap((run) =>
          run.state === 'void' ? [] : [{ month: monthOf(run.window.start, game.timeZone), progress: progressOf(run) }],
        )}
        timeZone={game.timeZone}
      />
      {runs.length === 0 ? (
        <EmptyState
          title="No payout runs yet"
          action={
            <LinkButton kind="main" href={`/${game.slug}/months`}>
              Choose a month
            </LinkButton>
          }
        >
          Start a run on the Close tab of a complete month. The first run can be any month; later runs follow in order.
        </EmptyState>
      ) : (
        <>
          <SimpleTable label="Payout runs" columns={columnsOf(game)} rows={runs} keyOf={({ runId }) => runId} />
          <TableNote>
            Amounts in USD.
            {config().hasDemoYear &&
              ' The demo people closed the earlier months when this demo was started; their payments have dates of their own.'}
          </TableNote>
        </>
      )}
    </>
  );
}

function columnsOf(game: Game): SimpleColumn<Run>[] {
  return [
    {
      label: 'Run',
      cell: (run) => (
        <>
          <Link href={`/${game.slug}/payouts/${run.runNo}`}>
            {formatMonth(monthOf(run.window.start, game.timeZone))}, run {run.runNo}
          </Link>
          <NarrowNote>
            <RunStatus run={run} />
          </NarrowNote>
        </>
      ),
    },
    { label: 'State', isWideOnly: true, cell: (run) => <RunStatus run={run} /> },
    { label: 'Payable recipients', isFigure: true, isWideOnly: true, cell: (run) => `${run.payableCount} of ${run.lineCount}` },
    { label: 'Opening', isFigure: true, isWideOnly: true, cell: ({ totals }) => <Money amount={totals.opening} places={4} /> },
    { label: 'Due', isFigure: true, isWideOnly: true, cell: ({ totals }) => <Money amount={totals.due} places={4} /> },
    {
      label: 'Payable',
      isFigure: true,
      cell: ({ totals, state }) =>
        state === 'void' ? (
          <s>
            <Money amount={totals.payable} />
          </s>
        ) : (
          <Money amount={totals.payable} isStrong />
        ),
    },
    { label: 'Carried forward', isFigure: true, isWideOnly: true, cell: ({ totals }) => <Money amount={totals.closing} places={4} /> },
    { label: 'Prepared by', isWideOnly: true, cell: (run) => (run.submittedBy ?? run.draftedBy).name },
    {
      label: 'Approved by',
      isWideOnly: true,
      cell: ({ approvals }) => (approvals.length === 0 ? '–' : approvals.map(({ by }) => by.name).join(', ')),
    },
  ];
}

interface WaitingCardProps {
  game: Game;
  waiting: WaitingPayout[];
  canSeeEmails: boolean;
  /** How many there are, listed or not. */
  count: number;
}

/** What waits for the person who looks; nothing when nothing does. */
function WaitingCard({ game, waiting, canSeeEmails, count }: WaitingCardProps): ReactElement | null {
  if (waiting.length === 0) return null;
  return (
    <Card
      title="Waiting for you"
      aside={<span className={styles.quiet}>{count > waiting.length ? `${waiting.length} of ${count}` : count}</span>}
    >
      <ul className={styles.waiting}>
        {waiting.map((each) => {
          const { title, facts, href, act } = describe(game, { ...each, name: maskName(each.name, canSeeEmails) });
          return (
            <li key={`${each.kind} ${each.id}`}>
              <div>
                <strong>{title}</strong>
                <span className={styles.hint}>{facts}</span>
              </div>
              <LinkButton href={href} kind={each.kind === 'approve' ? 'main' : 'plain'}>
                {act}
              </LinkButton>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function describe(game: Game, each: WaitingPayout): { title: string; facts: string; href: string; act: string } {
  const { id, kind, runNo, windowStart, recipientId, name, amount_usd, payableCount, by, reason, since } = each;
  const payouts = `/${game.slug}/payouts`;
  const recipient = name === null || name.trim() === '' ? `player ${recipientId}` : showControls(name);
  if (kind === 'adjustment')
    return {
      title: `Confirm ${formatUsd(amount_usd)} for ${recipient}`,
      facts: `Proposed by ${by ?? 'a person'} on ${formatUtc(since)}: “${showControls(reason ?? '')}”`,
      href: `${payouts}/adjustments`,
      act: 'Review adjustment',
    };
  if (kind === 'details')
    return {
      title: `Confirm payment details of ${recipientId === null ? countNoun(payableCount ?? 0, 'recipient') : recipient}`,
      facts: `Proposed by ${by ?? 'a person'} on ${formatUtc(since)}: “${showControls(reason ?? '')}”`,
      href: recipientId === null ? `${payouts}/payees` : `${payouts}/payees/${recipientId}`,
      act: 'Review payment details',
    };
  if (kind === 'sender')
    return {
      title: `Confirm sender account ${showControls(reason ?? '')}`,
      facts: `Proposed by ${by ?? 'a person'} on ${formatUtc(since)}`,
      href: `${payouts}/senders`,
      act: 'Review sender account',
    };
  if (kind === 'report_rows')
    return {
      title: `Decide rows of bank report ${id}`,
      facts: `They confirmed nothing by themselves. Added by ${by ?? 'a person'} on ${formatUtc(since)}`,
      href: `${payouts}/reports/${id}`,
      act: 'Review rows',
    };
  const run = `run ${runNo}, ${formatMonth(monthOf(windowStart ?? since, game.timeZone))}`;
  const sum = `${formatUsd(amount_usd)} to ${countNoun(payableCount ?? 0, 'recipient')}`;
  const payments = `${countNoun(payableCount ?? 0, 'payment')}, ${formatUsd(amount_usd)}`;
  const href = `${payouts}/${runNo}`;
  switch (kind) {
    case 'approve':
      return {
        title: `Approve ${run}`,
        facts: `${sum}, submitted by ${by ?? 'a person'} on ${formatUtc(since)}`,
        href: `${href}/approve`,
        act: 'Review run',
      };
    case 'confirm_void':
      return {
        title: `Confirm voiding ${run}`,
        facts: `Requested by ${by ?? 'a person'}: “${showControls(reason ?? '')}”`,
        href,
        act: 'Open run',
      };
    case 'elsewhere':
      return {
        title: `Confirm ${payments} as paid elsewhere`,
        facts: `Run ${runNo}. Proposed by ${by ?? 'a person'} on ${formatUtc(since)}: “${showControls(reason ?? '')}”`,
        href: `${href}/payments`,
        act: 'Review payments',
      };
    case 'cancel_file':
      return {
        title: `Confirm cancelling a file of ${payments}`,
        facts: `Run ${runNo}. Requested by ${by ?? 'a person'} on ${formatUtc(since)}: “${showControls(reason ?? '')}”`,
        href: `${href}/payments#file-${id}`,
        act: 'Review file',
      };
    case 'reissue':
    case 'withdraw_reissue':
      return {
        title: `${kind === 'reissue' ? 'Confirm re-issuing' : 'Withdraw the re-issue of'} ${formatUsd(amount_usd)} to ${recipient}`,
        facts: `Run ${runNo}. ${kind === 'reissue' ? '' : 'Its payment has changed, so it can’t be confirmed. '}Proposed by ${by ?? 'a person'} on ${formatUtc(since)}: “${showControls(reason ?? '')}”`,
        href: `${href}/payments/${formatPaymentReference({ gameId: game.gameId, runNo: runNo ?? 0, itemNo: id })}`,
        act: 'Review payment',
      };
    case 'returned':
      return by === null
        ? { title: `Submit ${run} again`, facts: 'It returned to draft after you submitted it.', href, act: 'Open run' }
        : { title: `Correct ${run}`, facts: `Sent back by ${by}: “${showControls(reason ?? '')}”`, href, act: 'Open run' };
  }
}
