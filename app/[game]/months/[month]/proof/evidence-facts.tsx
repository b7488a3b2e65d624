import type { ReactElement } from 'react';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { countNoun, formatCount } from '#app/_ui/figures/format-count.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import type { SnapshotFacts } from '#db/evidence/reads/months.ts';
import type { EvidenceCounts } from '#db/evidence/reads/snapshots.ts';

interface EvidenceFactsProps {
  snapshot: SnapshotFacts;
  evidence: EvidenceCounts;
  timeZone: string;
}

/** What a statement stands on: when it was pulled, from how many answers, and the digest that pins it. */
export function EvidenceFacts({ snapshot, evidence, timeZone }: EvidenceFactsProps): ReactElement {
  const { totals } = snapshot;
  return (
    <Card title="What this stands on">
      <Facts
        columns={4}
        facts={[
          { label: 'Stored', value: <Instant at={snapshot.createdAt} timeZone={timeZone} precision="second" /> },
          { label: 'Invo’s clock on the totals', value: <Instant at={snapshot.generatedAt} timeZone={timeZone} precision="second" /> },
          { label: 'Calls', value: formatCount(evidence.callCount), note: 'of the pull that built it' },
          {
            label: 'Answers kept',
            value: formatCount(evidence.responseCount),
            note: `${formatCount(evidence.responseByteCount)} bytes as Invo sent them`,
          },
          { label: 'Parts pulled', value: formatCount(evidence.sliceCount), note: 'windows that tile the month without gap or overlap' },
          {
            label: 'Totals asked in',
            value: countNoun(snapshot.controlWindowCount, 'window'),
            note: 'one unless the month is above Invo’s caps',
          },
          {
            label: 'Refunds in the month',
            value: formatCount(totals.refund_events_in_window),
            note: `${formatCount(totals.reversals_without_receipts)} without receipts`,
          },
          {
            label: 'Settled, then refunded whole',
            value:
              totals.renewals_settled_then_fully_reversed === null
                ? 'not available'
                : formatCount(totals.renewals_settled_then_fully_reversed),
            note: 'renewals that pay nothing',
          },
          { label: 'Place in the chain', value: formatCount(snapshot.chainNo), note: 'each statement pins the one before it' },
          { label: 'Digest, SHA-256', value: <CopyButton text={snapshot.digest} what="digest" /> },
        ]}
      />
    </Card>
  );
}
