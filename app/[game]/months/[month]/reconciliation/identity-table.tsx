import Link from 'next/link';
import type { ReactElement } from 'react';
import { countNoun, showControls } from '#app/_ui/figures/format.ts';
import { type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import type { IdentityChanges } from '#db/evidence/reads/identity-changes.ts';
import styles from './reconciliation.module.css';

type Row = IdentityChanges['recipients'][number];

/** Recipients whom an earlier snapshot of the month names otherwise. No figure depends on a name, so this is no change of the month. */
export function IdentityTable({ changes, snapshotId, slug }: { changes: IdentityChanges; snapshotId: number; slug: string }): ReactElement {
  const { before, count, recipients } = changes;
  const columns: SimpleColumn<Row>[] = [
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

function Identity({ identity: { player_name, player_email, identity_id } }: { identity: Row['before'] }): ReactElement {
  const parts = [player_name, player_email, identity_id].filter((part) => part !== null && part.trim() !== '');
  return parts.length === 0 ? (
    <span className={styles.none}>not reported</span>
  ) : (
    <bdi className={styles.identity}>{parts.map((part) => showControls(part ?? '')).join(', ')}</bdi>
  );
}
