import type { Metadata } from 'next';
import type { ReactElement, ReactNode } from 'react';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { countNoun, formatDay } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable, TableNote } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { type ApprovedRun, findMonthJournals, type StoredJournal } from '#lib/accounting/reads.ts';
import type { AccountMap } from '#lib/accounting/rules/account-map.ts';
import { ACCOUNT_LABELS, cardFeesOf, cardFeesToPost, type JournalLine, linesOf, type Transfer } from '#lib/accounting/rules/journal.ts';
import { LAYOUTS, type Layout, listUnmapped } from '#lib/accounting/rules/layouts.ts';
import {
  formatCardFees,
  formatJournalGaps,
  formatMissingAccounts,
  JOURNAL_KIND_TEXT,
  LAYOUT_LABELS,
  TRANSFER_TEXT,
} from '#lib/accounting/text.ts';
import { formatUsd, negateMoney, signOfMoney, sumMoney } from '#lib/core/money.ts';
import styles from '../../_run/run.module.css';
import { RunHead } from '../../_run/run-head.tsx';
import { loadRun } from '../../_run/run-lists.ts';
import { postCardFeesAction } from '../actions.ts';

export const metadata: Metadata = { title: 'Journal' };

export default async function JournalPage({ params }: { params: Promise<{ game: string; runNo: string }> }): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, runNo: text } = await params;
  const { game, run } = await loadRun(slug, text);
  const { journals, map, run: approved } = await findMonthJournals(db(), game.gameId, run.window);
  const href = `/${slug}/payouts/${run.runNo}/journal`;
  const posted = journals.map(({ transfers }) => ({ lines: linesOf(transfers) }));
  const unmapped = LAYOUTS.map((layout) => ({ layout, accounts: listUnmapped(layout, posted, map.accounts) }));
  const layouts = unmapped.filter(({ accounts }) => accounts.length === 0).map(({ layout }) => layout);
  const hasFiles = person.may('files.export') && journals.length > 0;
  return (
    <>
      <RunHead
        game={game}
        run={run}
        actions={
          hasFiles && <Downloads href={href} layouts={layouts} label={journals.length > 1 && layouts.length > 0 ? 'All journals' : null} />
        }
      />
      {approved !== null && <Gaps run={approved} journals={journals} slug={slug} mayPost={person.may('payouts.prepare')} />}
      {approved === null && (
        <EmptyState title={journals.length === 0 ? 'No journal yet' : 'This month has no approved run'}>
          Sharebook posts the journal when the run is approved.
        </EmptyState>
      )}
      {hasFiles && layouts.length < LAYOUTS.length && (
        <Notice
          voice={layouts.length === 0 ? 'wait' : 'note'}
          title={layouts.length === 0 ? 'Accounts aren’t set' : 'Some accounts aren’t set'}
          actions={<LinkButton href={`/settings/accounts/${slug}`}>Set accounts</LinkButton>}
        >
          {formatMissingAccounts(unmapped).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Notice>
      )}
      <div className={styles.journals}>
        {journals.map((journal) => (
          <JournalCard
            key={journal.entryNo}
            journal={journal}
            map={map}
            timeZone={game.timeZone}
            downloads={
              hasFiles && journals.length > 1 && <Downloads href={href} layouts={layouts} journalNo={journal.journalNo} label={null} />
            }
          />
        ))}
      </div>
    </>
  );
}

interface DownloadsProps {
  href: string;
  layouts: Layout[];
  journalNo?: string;
  label: string | null;
}

function Downloads({ href, layouts, journalNo, label }: DownloadsProps): ReactElement {
  const query = journalNo === undefined ? '' : `?journal=${journalNo}`;
  return (
    <span className={styles.downloads}>
      {label}
      {layouts.map((layout) => (
        <LinkButton key={layout} href={`${href}/${layout}${query}`} kind={journalNo === undefined ? 'plain' : 'quiet'} isFile>
          {LAYOUT_LABELS[layout]}
        </LinkButton>
      ))}
    </span>
  );
}

interface GapsProps {
  run: ApprovedRun;
  journals: StoredJournal[];
  slug: string;
  mayPost: boolean;
}

/** What the journals of the month lack, card fees first. */
function Gaps({ run, journals, slug, mayPost }: GapsProps): ReactElement {
  const fees = cardFeesOf(run.details);
  const toPost = cardFeesToPost(
    fees,
    journals.filter(({ runId }) => runId === run.runId),
  );
  const isOpen = toPost !== null && signOfMoney(toPost) !== 0;
  const gaps = formatJournalGaps(run);
  const isComplete = fees.state === 'whole' && !isOpen && gaps.length === 0;
  return (
    <Notice
      voice={isComplete ? 'good' : 'wait'}
      title={isComplete ? 'Everything Invo reports is posted' : 'Not everything is in these journals'}
      actions={
        isOpen &&
        mayPost && (
          <ActionForm
            action={postCardFeesAction}
            about={{ game: slug, runId: run.runId }}
            label={`Post card fees of ${formatUsd(toPost)}`}
            pendingLabel="Posting…"
          />
        )
      }
    >
      {[formatCardFees(fees, toPost), ...gaps].map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Notice>
  );
}

interface JournalCardProps {
  journal: StoredJournal;
  map: AccountMap;
  timeZone: string;
  downloads: ReactNode;
}

/** One journal: its lines as they are posted, and behind a press its transfers to the last digit. */
function JournalCard({ journal, map, timeZone, downloads }: JournalCardProps): ReactElement {
  const { journalNo, kind, runNo, runState, postedOn, writtenBy, writtenAt, transfers } = journal;
  return (
    <Card title={`${journalNo} · ${JOURNAL_KIND_TEXT[kind]}`} aside={downloads}>
      <p className={styles.text}>
        Dated {formatDay(`${postedOn}T00:00:00Z`)}. Run {runNo}
        {runState === 'void' ? ', voided' : ''}, posted by {writtenBy} at <Instant at={writtenAt} timeZone={timeZone} />.
      </p>
      <SimpleTable
        label={`Lines of ${journalNo}`}
        isInset
        columns={lineColumns(linesOf(transfers), map)}
        rows={linesOf(transfers)}
        keyOf={({ account }) => account}
      />
      <details className={styles.folded}>
        <summary>{countNoun(transfers.length, 'transfer')} with every digit</summary>
        <SimpleTable
          label={`Transfers of ${journalNo}`}
          isInset
          columns={TRANSFER_COLUMNS}
          rows={transfers.map(turnAround)}
          keyOf={(transfer) => transfer.kind}
        />
        <TableNote>
          Each kind of transfer is rounded as one running total over all journals, so that cents never drift. A posted amount can differ
          from its exact amount by up to a cent.
        </TableNote>
      </details>
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
  const inYourBooks: SimpleColumn<JournalLine> = {
    label: 'In your books',
    isWideOnly: true,
    cell: ({ account }) => [accounts[account]?.code, accounts[account]?.name].filter(Boolean).join(' ') || 'not set',
    total: '',
  };
  return [
    { label: 'Account', cell: ({ account }) => ACCOUNT_LABELS[account], total: 'Balance' },
    ...(Object.keys(accounts).length === 0 ? [] : [inYourBooks]),
    { label: 'Debit USD', isFigure: true, cell: ({ debit_usd }) => cell(debit_usd), total: sum(lines.map(({ debit_usd }) => debit_usd)) },
    {
      label: 'Credit USD',
      isFigure: true,
      cell: ({ credit_usd }) => cell(credit_usd),
      total: sum(lines.map(({ credit_usd }) => credit_usd)),
    },
  ];
}
