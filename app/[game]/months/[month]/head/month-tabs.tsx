import type { ReactElement } from 'react';
import { formatCount } from '#app/_ui/figures/format-count.ts';
import { Tabs } from '#app/_ui/layout/tabs.tsx';
import type { SnapshotFacts } from '#db/evidence/reads/months.ts';

/** The parts of a month, with how much is in each. */
export function MonthTabs({ href, snapshot }: { href: string; snapshot: SnapshotFacts }): ReactElement {
  const failing = snapshot.checkCount - snapshot.checkOkCount;
  return (
    <Tabs
      label="Parts of this month"
      tabs={[
        { label: 'Recipients', href, count: formatCount(snapshot.totals.recipient_count) },
        { label: 'Reversals', href: `${href}/reversals`, count: formatCount(snapshot.reversalEventCount) },
        { label: 'Lines', href: `${href}/lines`, count: formatCount(snapshot.renewalLineCount) },
        {
          label: 'Questions',
          href: `${href}/questions`,
          count: formatCount(snapshot.openItemCount),
          isAsking: snapshot.openItemCount > 0,
        },
        {
          label: 'Proof',
          href: `${href}/proof`,
          count: failing === 0 ? formatCount(snapshot.checkCount) : `${formatCount(failing)} not tying`,
          isAsking: failing > 0,
        },
      ]}
    />
  );
}
