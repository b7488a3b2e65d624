import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import { countNoun, formatCount, formatPlayer, formatUtc } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { subtractMoney } from '#lib/core/money.ts';
import { capitalise } from '#lib/core/strings.ts';
import type { Drift, DriftDetails, DriftedLine, DriftedRecipient } from '#lib/evidence/reads/drift.ts';
import { formatDriftLines, formatTotalName } from '#lib/evidence/text.ts';
import styles from './reconciliation.module.css';

interface DriftTablesProps {
  drift: Drift;
  changes: DriftDetails;
  /** The snapshot that is shown. */
  snapshotId: number;
  slug: string;
}

interface Sides {
  before: string | null;
  after: string | null;
}

/** What changed at Invo between two complete snapshots of a month: each total, each recipient with a different net, and each line. */
export function DriftTables({ drift, changes, snapshotId, slug }: DriftTablesProps): ReactElement {
  const { from: before } = drift;
  const { figures, recipients, recipientCount, lines } = changes;
  const lineCount = drift.lines_added + drift.lines_removed + drift.lines_changed;
  const columnsOf = <Row extends Sides>(label: string, name: (row: Row) => ReactNode): SimpleColumn<Row>[] => [
    { label, cell: (row) => <>{name(row)}</> },
    { label: `Snapshot ${before.snapshotId}, USD`, isFigure: true, isWideOnly: true, cell: (row) => <Side amount={row.before} /> },
    { label: `Snapshot ${snapshotId}, USD`, isFigure: true, isWideOnly: true, cell: (row) => <Side amount={row.after} /> },
    {
      label: 'Difference',
      isFigure: true,
      cell: (row) => (
        <>
          <Money amount={subtractMoney(row.after ?? '0', row.before ?? '0')} isStrong />
          <NarrowNote>
            <span className={styles.sides}>
              <Side amount={row.before} /> to <Side amount={row.after} />
            </span>
          </NarrowNote>
        </>
      ),
    },
  ];
  return (
    <section className={styles.drift} aria-labelledby="drift">
      <h2 id="drift">Changes since snapshot {before.snapshotId}</h2>
      <p className={styles.text}>
        Snapshot {before.snapshotId} of {formatUtc(before.createdAt)} and its responses are kept. Snapshot {snapshotId} is shown. Payments
        based on the earlier snapshot stay as they are: settle the difference in your next run.
      </p>
      <SimpleTable
        label="Changed totals"
        columns={columnsOf<DriftDetails['figures'][number]>('Total', ({ name }) => capitalise(formatTotalName(name)))}
        rows={figures}
        keyOf={({ name }) => name}
      />
      {recipients.length > 0 && (
        <>
          <p className={styles.text}>
            {countNoun(recipientCount, 'recipient')} with a different net
            {recipientCount > recipients.length && `, showing the ${recipients.length} largest changes`}
          </p>
          <SimpleTable
            label="Recipients with a different net"
            columns={columnsOf<DriftedRecipient>('Recipient', (recipient) => (
              <Link href={`/${slug}/recipients/${recipient.playerId}`}>
                <bdi>{formatPlayer(recipient.name, recipient.playerId)}</bdi>
              </Link>
            ))}
            rows={recipients}
            keyOf={({ playerId }) => playerId}
          />
        </>
      )}
      {lines.length === 0 ? (
        <p className={styles.text}>{formatDriftLines(drift)}</p>
      ) : (
        <>
          <p className={styles.text}>
            {formatDriftLines(drift)} Each with what it adds to net attributed
            {lineCount > lines.length && `, showing the ${formatCount(lines.length)} largest effects`}.
          </p>
          <SimpleTable
            label="Changed lines"
            columns={columnsOf<DriftedLine>('Line', (line) => <LineName line={line} slug={slug} />)}
            rows={lines}
            keyOf={({ kind, periodId, at, before: was, after }) => `${kind} ${periodId} ${at} ${was} ${after}`}
          />
        </>
      )}
    </section>
  );
}

function LineName({ line: { kind, periodId, playerId, at }, slug }: { line: DriftedLine; slug: string }): ReactElement {
  return (
    <>
      {kind === 'renewal' ? 'Renewal' : 'Reversal'} of period {periodId} for{' '}
      <Link href={`/${slug}/recipients/${playerId}`}>player {playerId}</Link>
      {at === null ? ', without receipts' : `, ${formatUtc(at, 'second')}`}
    </>
  );
}

function Side({ amount }: { amount: string | null }): ReactElement {
  return amount === null ? <span className={styles.none}>none</span> : <Money amount={amount} />;
}
