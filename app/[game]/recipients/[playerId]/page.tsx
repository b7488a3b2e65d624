import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import type { ReactElement, ReactNode } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { DataTable } from '#app/_ui/data-table/data-table.tsx';
import { countNoun, formatCount, formatMonth, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable, TableNote } from '#app/_ui/layout/simple-table.tsx';
import { Matches, Status } from '#app/_ui/words/status.tsx';
import { AttributionTrend } from '#app/[game]/_charts/attribution-trend.tsx';
import type { SearchParams } from '#app/[game]/_rows/define-list.ts';
import { MONTH_LISTS, type MonthSource, monthSourceOf } from '#app/[game]/_rows/month-lists.ts';
import { RepeatedNotice } from '#app/[game]/_rows/repeated-notice.tsx';
import { negateMoney } from '#lib/core/money.ts';
import { parseNumericId } from '#lib/core/typed-input.ts';
import { findRecipientHistory, type RecipientHistory, type RecipientMonth } from '#lib/evidence/reads/recipients.ts';
import styles from './recipient.module.css';
import { RecipientPayouts } from './recipient-payouts.tsx';
import { trendOf } from './recipient-trend.ts';

interface RecipientPageProps {
  params: Promise<{ game: string; playerId: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: 'Recipient' };

export default async function RecipientPage({ params, searchParams }: RecipientPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, playerId } = await params;
  const game = await requireGame(slug);
  const recipientId = parseNumericId(playerId) ?? notFound();
  const history = (await findRecipientHistory(db(), game, recipientId, person.may('emails.read'))) ?? notFound();
  const search = await searchParams;
  const month = history.months.find((each) => each.month === search.month) ?? history.months[0];
  const scope = { windows: history.windows, recipient: recipientId };
  const source = month ? monthSourceOf(game, month.month, person, scope) : null;
  const name = history.name === null || history.name.trim() === '' ? `Player ${playerId}` : showControls(history.name);
  return (
    <div className={styles.page}>
      <PageHead title={name} beside={<PersonState history={history} />}>
        {`Player ${playerId} in ${game.name}. Totals cover complete months only.`}
      </PageHead>
      <RepeatedNotice repeated={history.repeated} game={game} />
      <div className={styles.top}>
        <Totals history={history} />
        <Card title="Attributed by month">
          <AttributionTrend months={trendOf(slug, history)} timeZone={game.timeZone} />
        </Card>
      </div>
      <RecipientPayouts
        game={game}
        history={history}
        mayPrepare={person.may('payouts.prepare')}
        mayEnter={person.may('payouts.prepare') && person.accountRefusal === null}
        mayReadDetails={person.may('payees.read')}
      />
      <RecipientMonths slug={slug} history={history} chosen={month?.month} />
      {source !== null && <Lines source={source} searchParams={searchParams} />}
    </div>
  );
}

function PersonState({ history }: { history: RecipientHistory }): ReactElement | null {
  if (history.isErased) return <Status tone="quiet" word="Erased" />;
  return history.resolved === false ? <Status tone="wait" word="Not found by Invo" /> : null;
}

/** What a recipient is attributed over the complete months, and their contact. */
function Totals({ history }: { history: RecipientHistory }): ReactElement {
  const { total, email, identityId, resolved, isErased } = history;
  const missing = isErased ? 'erased' : resolved === false ? 'not found by Invo' : 'not reported';
  return (
    <Card isAnswer title={`Net attributed, ${countNoun(total.monthCount, 'complete month')}`}>
      <Money amount={total.net} size="answer" />
      <dl className={styles.facts}>
        <Fact label="Gross">
          <Money amount={total.earned} size="fact" />
        </Fact>
        <Fact label="Reversed">
          <Money amount={negateMoney(total.reversed)} size="fact" />
        </Fact>
        <Fact label="Renewals">{formatCount(total.renewalCount)}</Fact>
        <Fact label="Email">
          <bdi>{email === null ? missing : showControls(email)}</bdi>
        </Fact>
        <Fact label="Identity across games">
          <bdi>{identityId === null ? missing : showControls(identityId)}</bdi>
        </Fact>
      </dl>
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

/** The renewals of the recipient in one month. */
async function Lines({ source, searchParams }: { source: MonthSource; searchParams: SearchParams }): Promise<ReactElement> {
  const { month, snapshot, recipient } = source;
  const { spec, first } = await MONTH_LISTS.renewals.loadFirst(source, searchParams, recipient ?? undefined);
  return (
    <section className={styles.section}>
      <h2>Lines settled in {formatMonth(month)}</h2>
      <DataTable key={`${month} ${snapshot.snapshotId}`} spec={spec} first={first} />
      <TableNote>Amounts in USD, times in UTC. A reversal belongs to the month of its refund.</TableNote>
    </section>
  );
}

interface RecipientMonthsProps {
  slug: string;
  history: RecipientHistory;
  /** The month whose lines are listed below. */
  chosen: string | undefined;
}

/** Every month of a recipient, newest first; each links to its lines here and to the whole month. */
function RecipientMonths({ slug, history, chosen }: RecipientMonthsProps): ReactElement {
  const { total, months, playerId } = history;
  const figure = (label: string, cell: SimpleColumn<RecipientMonth>['cell'], sum: ReactNode): SimpleColumn<RecipientMonth> => {
    return { label, isFigure: true, isWideOnly: true, cell, total: sum };
  };
  const columns: SimpleColumn<RecipientMonth>[] = [
    {
      label: 'Month',
      cell: (row) => (
        <>
          <Link
            href={`/${slug}/recipients/${playerId}?month=${row.month}`}
            scroll={false}
            className={row.month === chosen ? styles.chosen : undefined}
            aria-current={row.month === chosen ? 'true' : undefined}
          >
            {formatMonth(row.month)}
          </Link>
          <NarrowNote>
            <MonthState month={row} />
          </NarrowNote>
        </>
      ),
      total: 'Complete months',
    },
    figure('Renewals', ({ renewalCount }) => formatCount(renewalCount), formatCount(total.renewalCount)),
    figure('Gross', ({ earned }) => <Money amount={earned} />, <Money amount={total.earned} isStrong />),
    figure('Reversed', ({ reversed }) => <Money amount={negateMoney(reversed)} />, <Money amount={negateMoney(total.reversed)} isStrong />),
    {
      label: 'Net attributed',
      isFigure: true,
      cell: ({ net }) => <Money amount={net} isStrong />,
      total: <Money amount={total.net} isStrong />,
    },
    {
      label: 'Reversals',
      isFigure: true,
      isWideOnly: true,
      cell: ({ month, reversalCount }) =>
        reversalCount === 0 ? '0' : <Link href={`/${slug}/months/${month}/reversals?find=${playerId}`}>{formatCount(reversalCount)}</Link>,
    },
    { label: 'State', isWideOnly: true, cell: (row) => <MonthState month={row} /> },
    {
      label: 'Month page',
      isWideOnly: true,
      isScreenOnly: true,
      cell: ({ month }) => <Link href={`/${slug}/months/${month}?find=${playerId}`}>View {formatMonth(month, 'short')}</Link>,
    },
  ];
  return (
    <section className={styles.section}>
      <h2>Months</h2>
      <SimpleTable label="Months" columns={columns} rows={months} keyOf={({ month }) => month} />
    </section>
  );
}

function MonthState({ month }: { month: RecipientMonth }): ReactElement {
  if (month.status === 'complete') return <Matches word="Complete" />;
  if (month.status === 'open') return <Status tone="wait" word={`Open, covered until ${formatUtc(month.coveredUntil)}`} />;
  return <Status tone="bad" word="Doesn’t reconcile" />;
}
