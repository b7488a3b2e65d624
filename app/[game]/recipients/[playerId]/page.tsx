import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import type { ReactElement, ReactNode } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
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
import type { Game } from '#lib/core/game.ts';
import { formatMoney, formatUsd, negateMoney, signOfMoney } from '#lib/core/money.ts';
import { monthOf } from '#lib/core/month.ts';
import { findRecipientHistory, type RecipientHistory, type RecipientMonth } from '#lib/evidence/reads/recipients.ts';
import type { RecipientRun } from '#lib/payouts/reads/run-lines.ts';
import { formatOutcome } from '#lib/payouts/rules/run-words.ts';
import { OUTCOME_TEXT, RUN_COLUMN_TEXT, RUN_STATE_TEXT } from '#lib/payouts/text.ts';
import { MinimumForm } from './minimum-form.tsx';
import styles from './recipient.module.css';
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
  if (!/^\d{1,15}$/.test(playerId)) notFound();
  const history = (await findRecipientHistory(db(), game, Number(playerId), person.may('emails.read'))) ?? notFound();
  const search = await searchParams;
  const month = history.months.find((each) => each.month === search.month) ?? history.months[0];
  const scope = { windows: history.windows, recipient: Number(playerId) };
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

interface RecipientPayoutsProps {
  game: Game;
  history: RecipientHistory;
  mayPrepare: boolean;
  /** Whether they may enter payment details. */
  mayEnter: boolean;
  mayReadDetails: boolean;
}

/** What the runs paid a recipient: the answer to “Why not paid?”, the roll-forward of every run, and the minimum. */
function RecipientPayouts({ game, history, mayPrepare, mayEnter, mayReadDetails }: RecipientPayoutsProps): ReactElement | null {
  const { playerId, payouts } = history;
  const newest = payouts.runs[0];
  if (newest === undefined && !mayPrepare) return null;
  const monthOfRun = ({ window }: RecipientRun): string => formatMonth(monthOf(window.start, game.timeZone));
  const answer = newest && formatAnswer(newest, monthOfRun(newest));
  return (
    <section className={styles.section}>
      <h2>Payouts</h2>
      {newest !== undefined && answer !== undefined && (
        <Card title={signOfMoney(newest.payable_usd) === 0 ? 'Why not paid?' : 'Latest run'}>
          <CopyButton text={answer} what="answer">
            <span className={styles.answer}>{answer}</span>
          </CopyButton>
        </Card>
      )}
      {newest === undefined ? (
        <p>No payout run includes this recipient yet.</p>
      ) : (
        <SimpleTable
          label="Payout runs of this recipient"
          columns={columnsOf(game, monthOfRun)}
          rows={payouts.runs}
          keyOf={({ runNo }) => runNo}
        />
      )}
      {mayReadDetails && (
        <p>
          <Link href={`/${game.slug}/payouts/payees/${playerId}`}>
            {mayEnter && newest?.outcome === 'no_details' ? 'Enter payment details' : 'Payment details'}
          </Link>
        </p>
      )}
      {mayPrepare && (
        <div className={styles.minimum}>
          <MinimumForm about={{ game: game.slug, recipientId: playerId }} minimum_usd={payouts.minimum_usd} />
        </div>
      )}
    </section>
  );
}

/** What the newest run pays and why, in words a person can pass on. */
function formatAnswer(run: RecipientRun, month: string): string {
  const { runNo, state, outcome, payable_usd, held_usd, closing_usd } = run;
  const prefix = `${month}, run ${runNo} (${RUN_STATE_TEXT[state].toLowerCase()}):`;
  if (outcome !== 'payable') return `${prefix} ${formatOutcome(run)}`;
  const rest = signOfMoney(closing_usd) === 0 ? '' : `, ${formatMoney(closing_usd)} is carried forward`;
  return `${prefix} ${formatUsd(payable_usd)} is payable${rest}${signOfMoney(held_usd) === 0 ? '' : `, ${formatUsd(held_usd)} is on hold`}.`;
}

type AmountColumn = 'opening' | 'earned' | 'reversed' | 'pinned' | 'adjusted' | 'due' | 'closing';

function columnsOf(game: Game, monthOfRun: (run: RecipientRun) => string): SimpleColumn<RecipientRun>[] {
  const amount = (name: AmountColumn): SimpleColumn<RecipientRun> => ({
    label: RUN_COLUMN_TEXT[name],
    isFigure: true,
    isWideOnly: true,
    cell: (run) => <Money amount={name === 'reversed' ? negateMoney(run.reversed_usd) : run[`${name}_usd`]} places={4} />,
  });
  return [
    {
      label: 'Run',
      cell: (run) => (
        <>
          <Link href={`/${game.slug}/payouts/${run.runNo}`}>
            {monthOfRun(run)}, run {run.runNo}
          </Link>
          <NarrowNote>
            {OUTCOME_TEXT[run.outcome]}
            {run.state === 'approved' && ' · '}
            <StatementLink game={game} run={run} />
          </NarrowNote>
        </>
      ),
    },
    ...(['opening', 'earned', 'reversed', 'pinned', 'adjusted', 'due'] as const).map(amount),
    { label: RUN_COLUMN_TEXT.payable, isFigure: true, cell: ({ payable_usd }) => <Money amount={payable_usd} isStrong /> },
    amount('closing'),
    { label: 'Outcome', isWideOnly: true, cell: ({ outcome }) => OUTCOME_TEXT[outcome] },
    { label: 'State', isWideOnly: true, cell: ({ state }) => RUN_STATE_TEXT[state] },
    { label: 'Statement', isWideOnly: true, cell: (run) => <StatementLink game={game} run={run} /> },
  ];
}

/** The statement of a recipient and run; an approved run has one for each of its lines. */
function StatementLink({ game, run }: { game: Game; run: RecipientRun }): ReactElement | null {
  if (run.state !== 'approved') return null;
  return <Link href={`/${game.slug}/payouts/${run.runNo}/statements/${run.recipientId}`}>Statement</Link>;
}
