import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import type { Person } from '#app/_server/session.ts';
import { formatMonth, formatUtc } from '#app/_ui/figures/format.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Tabs } from '#app/_ui/layout/tabs.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import type { Tone } from '#lib/core/format-text.ts';
import type { Game } from '#lib/core/game.ts';
import { monthOf } from '#lib/core/month.ts';
import type { Run } from '#lib/payouts/reads/find-run.ts';
import { formatStarted } from '#lib/payouts/rules/run-activity.ts';
import type { RunState } from '#lib/payouts/rules/run-content.ts';
import { RUN_STATE_TEXT } from '#lib/payouts/text.ts';
import { RollForward } from './roll-forward.tsx';

const TONES: Record<RunState, Tone> = { draft: 'quiet', submitted: 'busy', rejected: 'wait', approved: 'good', void: 'quiet' };

/** The state of a run as a pill. */
export function RunStatus({ state }: { state: RunState }): ReactElement {
  return <Status tone={TONES[state]} word={RUN_STATE_TEXT[state]} />;
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
          ...(person.may('payees.read') ? [{ label: 'Payment details', href: `${href}/payees` }] : []),
        ]}
      />
    </>
  );
}

export interface RunHeadProps {
  game: Game;
  run: Run;
  actions?: ReactNode;
}

/** The head of every page of a run: title, state, who did what last, the roll-forward and the tabs. */
export function RunHead({ game, run, actions }: RunHeadProps): ReactElement {
  const month = monthOf(run.window.start, game.timeZone);
  const href = `/${game.slug}/payouts/${run.runNo}`;
  return (
    <>
      <PageHead title={`Run ${run.runNo} · ${formatMonth(month)}`} beside={<RunStatus state={run.state} />} actions={actions}>
        {formatProgress(run)} <Link href={`/${game.slug}/months/${month}/close`}>Close tab</Link> ·{' '}
        <Link href={`/${game.slug}/months/${month}/reconciliation`}>snapshot {run.snapshotId}</Link>
      </PageHead>
      <RollForward totals={run.totals} payableCount={run.payableCount} />
      <Tabs
        label="Parts of this run"
        tabs={[
          { label: 'Lines', href, count: run.lineCount.toLocaleString('en-US') },
          { label: 'Holds', href: `${href}/holds` },
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
