import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { db } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { countNoun, formatCount, formatMonth } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Field } from '#app/_ui/forms/field.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Column, TwoColumns } from '#app/_ui/layout/columns.tsx';
import { type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { Snapshot } from '#lib/evidence/rules/evidence.ts';
import { sumCounts } from '#lib/evidence/rules/totals.ts';
import { type DetailFacts, type DetailMonth, findDetailMonth } from '#lib/fees/reads/detail-jobs.ts';
import { type DetailFigures, type DetailSetting, type LifetimeDifference, minutesOf } from '#lib/fees/rules/detail-figures.ts';
import { loadMonth } from '../../load-month.ts';
import { chooseDetailsAction, readDetailsAction } from './actions.ts';
import { DetailProgress } from './detail-progress.tsx';
import { FeeTable } from './fee-table.tsx';
import styles from './fees.module.css';

export const metadata: Metadata = { title: 'Fees' };

export default async function FeesPage({ params }: { params: Promise<{ game: string; month: string }> }): Promise<ReactElement | null> {
  const person = await requirePerson('figures.read');
  const { game: slug, month: text } = await params;
  const { game, row } = await loadMonth(slug, text);
  const { snapshot } = row;
  if (snapshot === null) return null;
  const facts = await findDetailMonth(db(), game.gameId, row.window);
  const about = { game: game.slug, month: row.month };
  const mayRead = person.may('pulls.start') && snapshot.status === 'complete';
  const { month, setting } = facts;
  return (
    <TwoColumns>
      <Column>
        <JobNotices slug={game.slug} facts={facts} snapshot={snapshot} />
        {month === null ? (
          <NotRead name={formatMonth(row.month)} snapshot={snapshot} facts={facts} mayRead={mayRead} about={about} />
        ) : (
          <>
            <FeeTable figures={month.figures} totals={snapshot.totals} />
            <LifetimeTotals slug={game.slug} month={month} />
          </>
        )}
      </Column>
      <Column>
        {month !== null && (
          <Card title="Detail reports">
            <Facts facts={readingFacts(month, snapshot, `/${game.slug}/months/${row.month}/open-items`)} />
            {mayRead && !isActive(facts) && (
              <ActionForm action={readDetailsAction} about={about} label="Read again" pendingLabel="Starting…" />
            )}
          </Card>
        )}
        {mayRead && (
          <Card title="What is read">
            <ChooseDetails about={about} setting={setting} figures={month?.figures ?? null} />
          </Card>
        )}
      </Column>
    </TwoColumns>
  );
}

function isActive({ job }: DetailFacts): boolean {
  return job?.state === 'queued' || job?.state === 'running';
}

/** A running job or one that failed, and figures of an older snapshot. */
function JobNotices({ slug, facts, snapshot }: { slug: string; facts: DetailFacts; snapshot: Snapshot }): ReactElement | null {
  const { job, month } = facts;
  return (
    <>
      {job !== null && isActive(facts) && <DetailProgress key={job.detailJobId} game={slug} first={{ ...job, requestedBy: '' }} />}
      {job?.state === 'failed' && job.failure !== null && (
        <Notice
          voice="bad"
          title="Couldn’t read all detail reports"
          actions={job.failure.errorId !== null && <CopyButton text={job.failure.errorId} what="error ID" />}
        >
          {job.failure.sentence} What was read is kept.
        </Notice>
      )}
      {month !== null && month.snapshotId !== snapshot.snapshotId && (
        <Notice voice="wait" title={`Fees of snapshot ${month.snapshotId}`}>
          The month is now stated by snapshot {snapshot.snapshotId}, whose detail reports aren’t read yet.
        </Notice>
      )}
      {month?.searchStopped && (
        <Notice voice="wait" title="The search for renewals without attribution stopped">
          {month.searchStopped}
        </Notice>
      )}
    </>
  );
}

interface NotReadProps {
  name: string;
  snapshot: Snapshot;
  facts: DetailFacts;
  mayRead: boolean;
  about: { game: string; month: string };
}

function NotRead({ name, snapshot, facts, mayRead, about }: NotReadProps): ReactElement {
  if (snapshot.status !== 'complete')
    return (
      <EmptyState title={`Fees of ${name} are not read`}>
        Detail reports are read when a month is complete: over, and reconciled.
      </EmptyState>
    );
  if (isActive(facts)) return <EmptyState title={`Reading the fees of ${name}`}>They appear here when the reports are read.</EmptyState>;
  return (
    <EmptyState
      title={`Fees of ${name} are not read`}
      action={
        mayRead && <ActionForm action={readDetailsAction} about={about} kind="main" label="Read detail reports" pendingLabel="Starting…" />
      }
    >
      Invo reports fees period by period. {mayRead ? 'Reading them changes nothing at Invo.' : 'The finance and admin roles can read them.'}
    </EmptyState>
  );
}

interface ChooseDetailsProps {
  about: { game: string; month: string };
  setting: DetailSetting;
  /** null: not counted yet. */
  figures: DetailFigures | null;
}

/** What is read of every month of the game, with how long all of it takes. */
function ChooseDetails({ about, setting, figures }: ChooseDetailsProps): ReactElement {
  const choices = [
    {
      name: 'cardPeriods',
      label: 'Read all card periods',
      bySize: 'Below 2,000',
      count: figures && figures.cardPeriods.count - figures.unnamed,
    },
    { name: 'subscriptions', label: 'Read all subscriptions', bySize: 'Up to 5,000', count: figures && figures.subscriptions.count },
  ] as const;
  return (
    <ActionForm action={chooseDetailsAction} about={about} label="Save for all months" pendingLabel="Saving…">
      {choices.map(({ name, label, bySize, count }) => (
        <Field
          key={name}
          label={label}
          hint={count === null ? undefined : `All of this month: about ${countNoun(minutesOf(count), 'minute')}.`}
        >
          {(control) => (
            <select {...control} name={name} defaultValue={setting[name]}>
              <option value="by_size">{bySize} (default)</option>
              <option value="on">Always</option>
              <option value="off">Never</option>
            </select>
          )}
        </Field>
      ))}
    </ActionForm>
  );
}

function readingFacts({ figures, computedAt, snapshotId, searchNextAt }: DetailMonth, snapshot: Snapshot, openItemsHref: string) {
  const { cardPeriods, refunded, subscriptions, unnamed } = figures;
  const ofAll = ({ count, read }: { count: number; read: number }): string => `${formatCount(read)} of ${formatCount(count)}`;
  const unattributed = sumCounts(Object.values(snapshot.totals.unattributed_reasons));
  return [
    { label: 'Added up', value: <Instant at={computedAt} /> },
    { label: 'Snapshot', value: snapshotId },
    { label: 'Card periods read', value: ofAll(cardPeriods) },
    { label: 'Refunded periods read', value: ofAll(refunded) },
    { label: 'Subscriptions read', value: ofAll(subscriptions) },
    {
      label: 'Renewals without attribution, named',
      value: <Link href={openItemsHref}>{ofAll({ count: unattributed, read: Math.max(0, unattributed - unnamed) })}</Link>,
    },
    ...(searchNextAt === null ? [] : [{ label: 'Search continues', value: <Instant at={searchNextAt} /> }]),
  ];
}

/** Invo's totals over the life of each subscription against the lines of the months. */
function LifetimeTotals({ slug, month }: { slug: string; month: DetailMonth }): ReactElement {
  const { matching, differing, notComparable, differences } = month.figures.lifetime;
  const compared = matching + differing + notComparable;
  const columns: SimpleColumn<LifetimeDifference>[] = [
    {
      label: 'Subscription',
      cell: ({ subscription_id }) => <Link href={`/${slug}/subscriptions/${subscription_id}`}>{subscription_id}</Link>,
    },
    { label: 'Gross, Invo', isFigure: true, cell: (row) => <Money amount={row.invo_gross_usd} /> },
    { label: 'Gross, evidence', isFigure: true, cell: (row) => <Money amount={row.own_gross_usd} /> },
    { label: 'Reversed, Invo', isFigure: true, isWideOnly: true, cell: (row) => <Money amount={row.invo_reversed_usd} /> },
    { label: 'Reversed, evidence', isFigure: true, isWideOnly: true, cell: (row) => <Money amount={row.own_reversed_usd} /> },
  ];
  return (
    <Card title="Lifetime totals">
      <p className={styles.text}>
        {compared === 0
          ? 'Not compared: no subscription of this month is read.'
          : `Invo’s totals over the life of ${formatCount(matching)} of ${formatCount(matching + differing)} subscriptions match the lines of the pulled months. ${formatCount(notComparable)} can’t be compared: they were refunded outside those months, or Invo states no totals.`}
      </p>
      {differences.length > 0 && (
        <SimpleTable
          label="Subscriptions whose lifetime totals differ"
          isInset
          columns={columns}
          rows={differences}
          keyOf={({ subscription_id }) => subscription_id}
        />
      )}
      {differing > differences.length && (
        <p className={styles.text}>
          First {formatCount(differences.length)} of {formatCount(differing)}.
        </p>
      )}
    </Card>
  );
}
