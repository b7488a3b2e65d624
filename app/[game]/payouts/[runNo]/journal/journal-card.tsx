import type { ReactElement, ReactNode } from 'react';
import { formatDay } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable, TableNote } from '#app/_ui/layout/simple-table.tsx';
import type { StoredJournal } from '#lib/accounting/reads.ts';
import type { AccountMap } from '#lib/accounting/rules/account-map.ts';
import { ACCOUNT_LABELS, type JournalLine, linesOf, type Transfer } from '#lib/accounting/rules/journal.ts';
import { JOURNAL_KIND_TEXT, TRANSFER_TEXT } from '#lib/accounting/text.ts';
import { negateMoney, signOfMoney, sumMoney } from '#lib/core/money.ts';
import styles from './journal.module.css';

interface JournalCardProps {
  journal: StoredJournal;
  map: AccountMap;
  timeZone: string;
  downloads: ReactNode;
}

/** One journal: its transfers to the last digit, and its lines as they are posted. */
export function JournalCard({ journal, map, timeZone, downloads }: JournalCardProps): ReactElement {
  const { journalNo, kind, runNo, runState, postedOn, writtenBy, writtenAt, transfers } = journal;
  return (
    <Card title={`${journalNo} · ${JOURNAL_KIND_TEXT[kind]}`} aside={downloads}>
      <p className={styles.text}>
        Dated {formatDay(`${postedOn}T00:00:00Z`)}. Run {runNo}
        {runState === 'void' ? ', voided' : ''}, posted by {writtenBy} at <Instant at={writtenAt} timeZone={timeZone} />.
      </p>
      <h3 className={styles.heading}>Lines</h3>
      <SimpleTable
        label={`Lines of ${journalNo}`}
        isInset
        columns={lineColumns(linesOf(transfers), map)}
        rows={linesOf(transfers)}
        keyOf={({ account }) => account}
      />
      <h3 className={styles.heading}>Transfers</h3>
      <SimpleTable
        label={`Transfers of ${journalNo}`}
        isInset
        columns={TRANSFER_COLUMNS}
        rows={transfers.map(turnAround)}
        keyOf={(transfer) => transfer.kind}
      />
      <TableNote>
        Each kind of transfer is rounded as one running total over all journals, so that cents never drift. A posted amount can differ from
        its exact amount by up to a cent.
      </TableNote>
    </Card>
  );
}

/** A transfer below zero is one above zero in the other direction. */
function turnAround(transfer: Transfer): Transfer {
  const { debit, credit, exact_usd, posted_usd } = transfer;
  if (signOfMoney(exact_usd) >= 0) return transfer;
  return { ...transfer, debit: credit, credit: debit, exact_usd: negateMoney(exact_usd), posted_usd: negateMoney(posted_usd) };
}

const TRANSFER_COLUMNS: SimpleColumn<Transfer>[] = [
  {
    label: 'Transfer',
    cell: ({ kind, debit, credit }) => (
      <>
        {TRANSFER_TEXT[kind]}
        <NarrowNote>
          {ACCOUNT_LABELS[debit]} to {ACCOUNT_LABELS[credit]}
        </NarrowNote>
      </>
    ),
  },
  { label: 'Debit', isWideOnly: true, cell: ({ debit }) => ACCOUNT_LABELS[debit] },
  { label: 'Credit', isWideOnly: true, cell: ({ credit }) => ACCOUNT_LABELS[credit] },
  { label: 'Exact USD', isFigure: true, isWideOnly: true, cell: ({ exact_usd }) => <Money amount={exact_usd} places={4} /> },
  { label: 'Posted USD', isFigure: true, cell: ({ posted_usd }) => <Money amount={posted_usd} /> },
];

function lineColumns(lines: JournalLine[], { accounts }: AccountMap): SimpleColumn<JournalLine>[] {
  const sum = (amounts: (string | null)[]): ReactElement => <Money amount={sumMoney(amounts.map((each) => each ?? '0.00'))} isStrong />;
  const cell = (amount: string | null): ReactNode => amount !== null && <Money amount={amount} />;
  return [
    { label: 'Account', cell: ({ account }) => ACCOUNT_LABELS[account], total: 'Balance' },
    {
      label: 'In your books',
      isWideOnly: true,
      cell: ({ account }) => [accounts[account]?.code, accounts[account]?.name].filter(Boolean).join(' ') || 'not set',
      total: '',
    },
    { label: 'Debit USD', isFigure: true, cell: ({ debit_usd }) => cell(debit_usd), total: sum(lines.map(({ debit_usd }) => debit_usd)) },
    {
      label: 'Credit USD',
      isFigure: true,
      cell: ({ credit_usd }) => cell(credit_usd),
      total: sum(lines.map(({ credit_usd }) => credit_usd)),
    },
  ];
}
