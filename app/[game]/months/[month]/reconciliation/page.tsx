import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { countNoun, formatCount, showControls } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Column, TwoColumns } from '#app/_ui/layout/columns.tsx';
import { type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { Flag, Matches, Status } from '#app/_ui/words/status.tsx';
import { negateMoney } from '#lib/core/money.ts';
import { type IdentityChanges, maskChanges } from '#lib/evidence/reads/drift.ts';
import { type EvidenceCounts, findReconciliation, type SnapshotSummary } from '#lib/evidence/reads/snapshots.ts';
import type { Snapshot } from '#lib/evidence/rules/evidence.ts';
import { SHEETS } from '#lib/evidence/rules/sheets.ts';
import { loadMonth } from '../../load-month.ts';
import { Checks, FailingChecks } from './checks.tsx';
import { DriftTables } from './drift-tables.tsx';
import styles from './reconciliation.module.css';

export const metadata: Metadata = { title: 'Reconciliation' };

interface ReconciliationPageProps {
  params: Promise<{ game: string; month: string }>;
}

export default async function ReconciliationPage({ params }: ReconciliationPageProps): Promise<ReactElement | null> {
  const person = await requirePerson('figures.read');
  const { game: slug, month } = await params;
  const { game, row } = await loadMonth(slug, month);
  const { snapshot, newer, drift } = row;
  if (snapshot === null) return null;
  const { checks, newerChecks, evidence, changes, identityChanges, snapshots } = await findReconciliation(db(), game.gameId, {
    window: row.window,
    snapshotId: snapshot.snapshotId,
    newerId: newer?.snapshotId ?? null,
  });
  return (
    <TwoColumns>
      <Column>
        {newer !== null && <FailingChecks label={`Newer snapshot ${newer.snapshotId} doesn’t reconcile`} checks={newerChecks} />}
        <Checks snapshotId={snapshot.snapshotId} checks={checks} />
        {drift !== null && changes !== null && (
          <DriftTables drift={drift} changes={changes} snapshotId={snapshot.snapshotId} slug={game.slug} />
        )}
        {identityChanges !== null && (
          <IdentityTable
            changes={maskChanges(identityChanges, person.may('emails.read'))}
            snapshotId={snapshot.snapshotId}
            slug={game.slug}
          />
        )}
        {snapshots.length > 1 && (
          <SnapshotsTable
            snapshots={snapshots}
            shownId={snapshot.snapshotId}
            exportHref={person.may('files.export') ? `/${game.slug}/months/${row.month}/export` : null}
          />
        )}
      </Column>
      <Column>
        <EvidenceCard snapshot={snapshot} evidence={evidence} />
        <Card title="How checks work">
          <p className={styles.text}>
            Each check compares what Invo states with the sum of its lines, to the last digit. A failed check blocks the month. A warning
            doesn’t. No figure is adjusted.
          </p>
        </Card>
      </Column>
    </TwoColumns>
  );
}

type ChangedIdentity = IdentityChanges['recipients'][number];

/** Recipients whom an earlier snapshot of the month names otherwise. No figure depends on a name, so this is no change of the month. */
function IdentityTable({ changes, snapshotId, slug }: { changes: IdentityChanges; snapshotId: number; slug: string }): ReactElement {
  const { before, count, recipients } = changes;
  const columns: SimpleColumn<ChangedIdentity>[] = [
    { label: 'Player', cell: ({ playerId }) => <Link href={`/${slug}/recipients/${playerId}`}>{playerId}</Link> },
    { label: `Snapshot ${before.snapshotId}`, cell: (row) => <Identity identity={row.before} /> },
    { label: `Snapshot ${snapshotId}`, cell: (row) => <Identity identity={row.after} /> },
  ];
  return (
    <section aria-labelledby="identity">
      <h2 id="identity">Identity changes since snapshot {before.snapshotId}</h2>
      <p className={styles.text}>
        Invo reports {countNoun(count, 'recipient')} by another name, email or identity
        {count > recipients.length && `, showing the first ${recipients.length}`}. No figure changed.
      </p>
      <SimpleTable label="Recipients with another identity" columns={columns} rows={recipients} keyOf={({ playerId }) => playerId} />
    </section>
  );
}

function Identity({ identity: { player_name, player_email, identity_id } }: { identity: ChangedIdentity['before'] }): ReactElement {
  const parts = [player_name, player_email, identity_id].filter((part) => part !== null && part.trim() !== '');
  return parts.length === 0 ? (
    <span className={styles.none}>not reported</span>
  ) : (
    <bdi className={styles.identity}>{parts.map((part) => showControls(part ?? '')).join(', ')}</bdi>
  );
}

/** What a snapshot consists of: when it was stored, from how many responses, and the digest that pins it. */
function EvidenceCard({ snapshot, evidence }: { snapshot: Snapshot; evidence: EvidenceCounts }): ReactElement {
  const { totals } = snapshot;
  const settledAndReversed = totals.renewals_settled_then_fully_reversed;
  return (
    <Card title="Evidence">
      <dl className={styles.facts}>
        <Fact label="Snapshot">{snapshot.snapshotId}</Fact>
        <Fact label="Position in the chain">{formatCount(snapshot.chainNo)}</Fact>
        <Fact label="Stored">
          <Instant at={snapshot.createdAt} precision="second" />
        </Fact>
        <Fact label="Reported by Invo at">
          <Instant at={snapshot.generatedAt} precision="second" />
        </Fact>
        <Fact label="Windows pulled">{formatCount(evidence.sliceCount)}</Fact>
        <Fact label="Windows of totals">{formatCount(snapshot.controlWindowCount)}</Fact>
        <Fact label="Calls">{formatCount(evidence.callCount)}</Fact>
        <Fact label="Responses stored">
          {formatCount(evidence.responseCount)} ({formatCount(Math.ceil(evidence.responseByteCount / 1000))} kB)
        </Fact>
        <Fact label="Refunds">{formatCount(totals.refund_events_in_window)}</Fact>
        <Fact label="Reversals without receipts">{formatCount(totals.reversals_without_receipts)}</Fact>
        <Fact label="Settled, then fully reversed">{settledAndReversed === null ? 'not available' : formatCount(settledAndReversed)}</Fact>
      </dl>
      <div className={styles.digest}>
        SHA-256 digest
        <CopyButton text={snapshot.digest} what="digest" />
      </div>
    </Card>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }): ReactElement {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface SnapshotsTableProps {
  snapshots: SnapshotSummary[];
  shownId: number;
  /** null: the person may export no files. */
  exportHref: string | null;
}

/** Every snapshot of the month, newest first. None is ever changed, so an earlier one can always be compared and exported. */
function SnapshotsTable({ snapshots, shownId, exportHref }: SnapshotsTableProps): ReactElement {
  const columns: SimpleColumn<SnapshotSummary>[] = [
    {
      label: 'Snapshot',
      cell: ({ snapshotId }) => (
        <>
          {snapshotId} {snapshotId === shownId && <Flag tone="busy" word="shown" />}
        </>
      ),
    },
    { label: 'State', cell: ({ status }) => <SnapshotState status={status} /> },
    { label: 'Stored', isWideOnly: true, cell: ({ createdAt }) => <Instant at={createdAt} precision="second" /> },
    { label: 'Gross', isFigure: true, isWideOnly: true, cell: (each) => <Money amount={each.gross_attributed_usd} /> },
    { label: 'Reversed', isFigure: true, isWideOnly: true, cell: (each) => <Money amount={negateMoney(each.reversed_attributed_usd)} /> },
    { label: 'Net attributed', isFigure: true, cell: (each) => <Money amount={each.net_attributed_usd} isStrong /> },
    { label: 'Calls', isFigure: true, isWideOnly: true, cell: ({ callCount }) => formatCount(callCount) },
  ];
  if (exportHref !== null) {
    columns.push({
      label: 'Export',
      isWideOnly: true,
      isScreenOnly: true,
      cell: ({ snapshotId, status }) =>
        status === 'complete' && (
          <span className={styles.exports}>
            {SHEETS.map((sheet) => (
              <a
                key={sheet}
                href={`${exportHref}/${sheet}?snapshot=${snapshotId}`}
                aria-label={`Export ${sheet} of snapshot ${snapshotId}`}
                download
              >
                {sheet}
              </a>
            ))}
          </span>
        ),
    });
  }
  return (
    <section>
      <h2>Snapshots of this month</h2>
      <SimpleTable label="Snapshots of this month" columns={columns} rows={snapshots} keyOf={({ snapshotId }) => snapshotId} />
    </section>
  );
}

function SnapshotState({ status }: Pick<SnapshotSummary, 'status'>): ReactElement {
  if (status === 'complete') return <Matches word="Complete" />;
  return status === 'open' ? <Status tone="wait" word="Open" /> : <Status tone="bad" word="Doesn’t reconcile" />;
}
