import type { ReactElement, ReactNode } from 'react';
import type { Person } from '#app/_server/session.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Tabs } from '#app/_ui/layout/tabs.tsx';

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
