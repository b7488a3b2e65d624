import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { TableNote } from '#app/_ui/data-table/table-note.tsx';
import { formatMonth } from '#app/_ui/figures/format-instant.ts';
import { loadFirstRows, type SearchParams } from '#app/[game]/_rows/first-rows.ts';
import { loadRows, loadStatement } from '#app/[game]/_rows/load-rows.ts';
import { renewalTable } from '#app/[game]/_rows/tables/renewal-table.ts';
import { withFile } from '#app/[game]/_rows/with-file.ts';
import styles from './recipient.module.css';

interface RecipientLinesProps {
  game: Game;
  playerId: number;
  month: string;
  searchParams: SearchParams;
  mayExport: boolean;
}

/** The renewals of one recipient in one month. */
export async function RecipientLines({
  game,
  playerId,
  month,
  searchParams,
  mayExport,
}: RecipientLinesProps): Promise<ReactElement | null> {
  const statement = await loadStatement(game, month, new URLSearchParams());
  if (!statement) return null;
  const spec = withFile(renewalTable(statement, playerId), statement, 'renewals', mayExport, playerId);
  const first = await loadFirstRows(spec, searchParams, (asked) => loadRows('renewals', statement, asked, { canSeeEmails: false }));
  return (
    <section className={styles.section}>
      <h2>Lines settled in {formatMonth(month)}</h2>
      <DataTable key={`${month} ${statement.snapshot.snapshotId}`} spec={spec} first={first} />
      <TableNote>Amounts in USD, instants in UTC. A reversal stands in the month of its refund.</TableNote>
    </section>
  );
}
