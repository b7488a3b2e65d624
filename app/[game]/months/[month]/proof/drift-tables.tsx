import Link from 'next/link';
import type { ReactElement } from 'react';
import { showControls } from '#app/_ui/data-table/cells/visible-text.ts';
import { countNoun } from '#app/_ui/figures/format-count.ts';
import { formatUtc } from '#app/_ui/figures/format-instant.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { TableFrame } from '#app/_ui/layout/table-frame.tsx';
import type { Drift, DriftedRecipient } from '#db/evidence/reads/drift.ts';
import { subtractMoney } from '#lib/core/money.ts';
import { totalWord } from '../check-words.ts';
import styles from './drift-tables.module.css';

interface DriftTablesProps {
  drift: Drift;
  /** The statement that stands. */
  snapshotId: number;
  slug: string;
}

/** What moved at Invo between two complete statements of one month: each figure, and each recipient whose net is another. */
export function DriftTables({ drift, snapshotId, slug }: DriftTablesProps): ReactElement {
  const { before, figures, recipients, recipientCount } = drift;
  return (
    <section aria-labelledby="drift">
      <h2 id="drift" className={styles.heading}>
        What moved since snapshot {before.snapshotId}
      </h2>
      <p className={styles.text}>
        Snapshot {before.snapshotId} of {formatUtc(before.createdAt)} is kept as it was, with every answer it was made of. Snapshot{' '}
        {snapshotId} stands now. What was paid by the earlier one is not undone: settle the difference in your next run.
      </p>
      <TableFrame label="Figures that moved">
        <Head first="Figure" before={before.snapshotId} after={snapshotId} />
        <tbody>
          {figures.map(({ name, ...sides }) => (
            <tr key={name}>
              <th scope="row">{capitalise(totalWord(name))}</th>
              <Sides {...sides} />
            </tr>
          ))}
        </tbody>
      </TableFrame>
      {recipients.length > 0 && (
        <>
          <p className={styles.text}>
            {countNoun(recipientCount, 'recipient')} with another net
            {recipientCount > recipients.length && `; the ${recipients.length} that moved most`}:
          </p>
          <TableFrame label="Recipients whose net moved">
            <Head first="Recipient" before={before.snapshotId} after={snapshotId} />
            <tbody>
              {recipients.map((recipient) => (
                <tr key={recipient.playerId}>
                  <th scope="row">
                    <Link href={`/${slug}/recipients/${recipient.playerId}`}>
                      <bdi>{nameOf(recipient)}</bdi>
                    </Link>
                  </th>
                  <Sides before={recipient.before} after={recipient.after} />
                </tr>
              ))}
            </tbody>
          </TableFrame>
        </>
      )}
    </section>
  );
}

function Head({ first, before, after }: { first: string; before: number; after: number }): ReactElement {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        <th scope="col" className="num">
          Snapshot {before}, USD
        </th>
        <th scope="col" className="num">
          Snapshot {after}, USD
        </th>
        <th scope="col" className="num">
          Difference
        </th>
      </tr>
    </thead>
  );
}

function Sides({ before, after }: { before: string | null; after: string | null }): ReactElement {
  return (
    <>
      {[before, after].map((amount, place) => (
        <td key={place === 0 ? 'before' : 'after'} className="num">
          {amount === null ? <span className={styles.absent}>not in it</span> : <Money amount={amount} />}
        </td>
      ))}
      <td className="num">
        <Money amount={subtractMoney(after ?? '0', before ?? '0')} isStrong />
      </td>
    </>
  );
}

function nameOf({ name, playerId }: DriftedRecipient): string {
  return name === null || name.trim() === '' ? `Player ${playerId}` : showControls(name);
}

function capitalise(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
