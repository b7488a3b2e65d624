import type { ReactElement, ReactNode } from 'react';
import type { Person } from '#app/_server/session.ts';
import { countNoun, formatCount } from '#app/_ui/figures/format.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Tabs } from '#app/_ui/layout/tabs.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import type { BalanceJob } from '#lib/balances/reads.ts';
import { countUnanswered, isActive } from '#lib/balances/rules/balance-job.ts';
import { labelJob } from '#lib/balances/text.ts';
import type { Tone } from '#lib/core/strings.ts';

/** The state of a job. */
export function JobStatus({ job }: { job: BalanceJob }): ReactElement {
  const tone: Tone = isActive(job.state) ? 'busy' : job.isComplete ? 'good' : 'bad';
  return <Status tone={tone} word={labelJob(job)} />;
}

/** Whose balances a job reads. */
export function describeScope(job: BalanceJob): string {
  return job.addressCount === null ? 'All players' : countNoun(job.addressCount, 'email');
}

/** How many were requested without a readable answer, where that is known. */
export function formatUnanswered(job: BalanceJob): string {
  const count = countUnanswered(job);
  return count === null ? 'Unknown' : formatCount(count);
}

/** The head of the pages about balances. */
export function BalancesHead({ slug, person, children }: { slug: string; person: Person; children: ReactNode }): ReactElement {
  const tabs = [
    { label: 'Balance files', href: `/${slug}/balances` },
    ...(person.may('balances.export') ? [{ label: 'Withdrawals', href: `/${slug}/balances/withdrawals` }] : []),
  ];
  return (
    <>
      <PageHead title="Balances">{children}</PageHead>
      <Tabs label="Balances" tabs={tabs} />
    </>
  );
}
