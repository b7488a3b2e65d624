import { clsx } from 'clsx';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { countNoun, formatCount, formatMonth, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Tabs } from '#app/_ui/layout/tabs.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import type { Game } from '#lib/core/game.ts';
import { negateMoney, normalizeMoney } from '#lib/core/money.ts';
import { monthOf } from '#lib/core/month.ts';
import type { Tone } from '#lib/core/strings.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import { RUN_AMOUNTS, type RunTotals } from '#lib/payouts/rules/compose-run.ts';
import { progressOf, type RunProgress } from '#lib/payouts/rules/run-content.ts';
import { formatStarted } from '#lib/payouts/rules/run-words.ts';
import { RUN_COLUMN_TEXT, RUN_STATE_TEXT } from '#lib/payouts/text.ts';
import styles from './run.module.css';

const TONES: Record<RunProgress, Tone> = {
  draft: 'quiet',
  submitted: 'busy',
  rejected: 'wait',
  approved: 'good',
  exported: 'busy',
  paid: 'good',
  closed: 'quiet',
  void: 'quiet',
};

/** The state of a run as a pill, and beside it how many of its payments are paid where others aren’t. */
export function RunStatus({ run }: { run: Pick<Run, 'state' | 'exportedAt' | 'paidAt' | 'closedAt' | 'paidSoFar'> }): ReactElement {
  const progress = progressOf(run);
  const { paid, count } = run.paidSoFar ?? { paid: 0, count: 0 };
  const isDone = progress === 'paid' || progress === 'closed';
  const hasOthers = paid < count && (progress === 'exported' || isDone || (progress === 'approved' && paid > 0));
  return (
    <>
      <Status tone={TONES[progress]} word={RUN_STATE_TEXT[progress]} />
      {hasOthers && (
        <span className={styles.quiet}>
          {' '}
          {formatCount(paid)} of {formatCount(count)} paid
        </span>
      )}
    </>
  );
}

/** The head of the pages on all payouts of a game: the title, what waits for the person, and the tabs. */
export function PayoutsHead({ slug, person, waiting }: { slug: string; person: Pick<Person, 'may'>; waiting?: ReactNode }): ReactElement {
  const href = `/${slug}/payouts`;
  return (
    <>
      <PageHead title="Payouts">One run a month. The person who prepares it can’t approve it.</PageHead>
      {waiting}
      <Tabs
        label="Payouts"
        tabs={[
          { label: 'Runs', href },
          { label: 'Adjustments', href: `${href}/adjustments` },
          ...(person.may('payees.read')
            ? [
                { label: 'Payment details', href: `${href}/payees` },
                { label: 'Sender accounts', href: `${href}/senders` },
                { label: 'Bank reports', href: `${href}/reports` },
              ]
            : []),
        ]}
      />
    </>
  );
}

/** A recipient by the name Invo last reported, at most two lines of it. */
export function RecipientLink({ slug, recipientId, name }: { slug: string; recipientId: number; name: string | null }): ReactElement {
  return (
    <Link className={styles.name} href={`/${slug}/recipients/${recipientId}`}>
      {name === null ? `Player ${recipientId}` : showControls(name)}
    </Link>
  );
}

interface RunHeadProps {
  game: Game;
  run: Run;
  actions?: ReactNode;
}

/** The head of every page of a run: title, state, who did what last, the roll-forward and the tabs. */
export async function RunHead({ game, run, actions }: RunHeadProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const month = monthOf(run.window.start, game.timeZone);
  const href = `/${game.slug}/payouts/${run.runNo}`;
  return (
    <>
      <PageHead title={`Run ${run.runNo} · ${formatMonth(month)}`} beside={<RunStatus run={run} />} actions={actions}>
        {formatProgress(run)} <Link href={`/${game.slug}/months/${month}/close`}>Close tab</Link> ·{' '}
        <Link href={`/${game.slug}/months/${month}/reconciliation`}>snapshot {run.snapshotId}</Link>
      </PageHead>
      <RollForward totals={run.totals} payableCount={run.payableCount} isVoid={run.state === 'void'} />
      <Tabs
        label="Parts of this run"
        tabs={[
          { label: 'Lines', href, count: run.lineCount.toLocaleString('en-US') },
          { label: 'Holds', href: `${href}/holds` },
          ...(person.may('payees.read') ? [{ label: 'Payments', href: `${href}/payments` }] : []),
          { label: 'Journal', href: `${href}/journal` },
          { label: 'Statements', href: `${href}/statements` },
        ]}
      />
    </>
  );
}

/** Who did what last, and what comes next. */
function formatProgress(run: Run): string {
  switch (run.state) {
    case 'draft':
      return formatStarted(run.draftedBy.name, formatUtc(run.draftedAt));
    case 'submitted': {
      const wanted = run.approvalsWanted - run.approvals.length;
      const by = `${run.submittedBy?.name ?? 'A person'} submitted it on ${formatUtc(run.submittedAt ?? run.draftedAt)}.`;
      return `${by} ${wanted === 1 ? 'One person' : 'Two people'} who didn’t work on it must approve.`;
    }
    case 'rejected':
      return `${run.rejectedBy?.name ?? 'A person'} sent it back: “${run.rejectReason ?? ''}”`;
    case 'approved':
      return `Approved by ${run.approvals.map(({ by }) => by.name).join(' and ')} on ${formatUtc(run.approvedAt ?? run.draftedAt)}.`;
    case 'void': {
      const by = `Voided by ${run.voidedBy?.name ?? 'a person'}`;
      return `${run.voidRequestedBy === null ? by : `${by}, requested by ${run.voidRequestedBy.name}`}: “${run.voidReason ?? ''}”`;
    }
  }
}

interface RollForwardProps {
  totals: RunTotals;
  payableCount: number;
  /** A voided run pays nobody: its payable isn’t the answer of the page. */
  isVoid?: boolean;
}

/** How a run's payable comes about: nine figures, each the next step of the one before. */
export function RollForward({ totals, payableCount, isVoid = false }: RollForwardProps): ReactElement {
  const answer = isVoid ? null : 'payable';
  return (
    <dl className={styles.strip}>
      {RUN_AMOUNTS.map((column) => (
        <div key={column} className={clsx(column === answer && styles.answer, (column === 'due' || column === 'closing') && styles.result)}>
          <dt>{column === answer ? `Payable to ${countNoun(payableCount, 'recipient')}` : RUN_COLUMN_TEXT[column]}</dt>
          <dd>
            <Money
              amount={normalizeMoney(column === 'reversed' ? negateMoney(totals.reversed) : totals[column])}
              size={column === answer ? 'answer' : 'fact'}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}
