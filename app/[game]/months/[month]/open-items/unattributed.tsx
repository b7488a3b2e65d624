import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Person } from '#app/_server/session.ts';
import { countNoun, formatCount } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Field } from '#app/_ui/forms/field.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { maskEmailsIn, OUTCOME_LENGTH_MAX } from '#lib/core/typed-input.ts';
import { sumCounts } from '#lib/evidence/rules/totals.ts';
import type { UnattributedRenewal } from '#lib/fees/reads/unattributed.ts';
import { reasonTextOf } from '#lib/subscriptions/text.ts';
import { noteUnattributedAction } from './actions.ts';
import styles from './open-items.module.css';

interface UnattributedProps {
  slug: string;
  month: string;
  /** How many Invo counts that ask for a finding. */
  count: number;
  renewals: UnattributedRenewal[];
  isSearched: boolean;
  person: Pick<Person, 'id' | 'may'>;
}

/** The renewals without attribution that ask for a finding, by name where a report names them; nothing when Invo counts none. */
export function Unattributed({ slug, month, count, renewals, isSearched, person }: UnattributedProps): ReactElement | null {
  if (count === 0 && renewals.length === 0) return null;
  const isBegun = isSearched || renewals.length > 0;
  return (
    <div className={styles.item}>
      <h2>Renewals without attribution, by name</h2>
      <p className={styles.advice}>
        {isBegun ? formatFound(count, renewals) : 'Not searched yet.'}{' '}
        {!isBegun && <Link href={`/${slug}/months/${month}/fees`}>Read the detail reports</Link>}
      </p>
      {renewals.length > 0 && (
        <SimpleTable
          label="Renewals without attribution"
          columns={columnsFor({ slug, month, person })}
          rows={renewals}
          keyOf={({ itemId }) => itemId}
        />
      )}
    </div>
  );
}

/** `2 of 4 are named by a report. 1 is placed in time; no report names its subscription. 1 renewal not found yet.` */
export function formatFound(count: number, renewals: Pick<UnattributedRenewal, 'periodId' | 'renewalCount'>[]): string {
  const named = renewals.filter(({ periodId }) => periodId !== null).length;
  const placed = sumCounts(renewals.filter(({ periodId }) => periodId === null).map(({ renewalCount }) => renewalCount));
  const left = Math.max(0, count - named - placed);
  return [
    `${formatCount(named)} of ${formatCount(count)} ${named === 1 ? 'is' : 'are'} named by a report.`,
    placed === 0
      ? ''
      : placed === 1
        ? '1 is placed in time and not findable by name: no report states its subscription.'
        : `${formatCount(placed)} are placed in time and not findable by name: no report states their subscriptions.`,
    left === 0 ? '' : `${countNoun(left, 'renewal')} not found yet.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function columnsFor({ slug, month, person }: Pick<UnattributedProps, 'slug' | 'month' | 'person'>): SimpleColumn<UnattributedRenewal>[] {
  const noteOf = ({ note }: UnattributedRenewal): string | null => (note === null || person.may('emails.read') ? note : maskEmailsIn(note));
  return [
    {
      label: 'Period',
      cell: ({ periodId, renewalCount }) =>
        periodId === null ? (
          `${countNoun(renewalCount, 'renewal')} not named`
        ) : (
          <Link href={`/${slug}/periods/${periodId}`}>Period {periodId}</Link>
        ),
    },
    {
      label: 'Subscription',
      isWideOnly: true,
      cell: ({ subscriptionId }) =>
        subscriptionId === null ? 'not reported' : <Link href={`/${slug}/subscriptions/${subscriptionId}`}>{subscriptionId}</Link>,
    },
    { label: 'Reason', isWideOnly: true, cell: ({ reason }) => (reason === null ? 'several' : reasonTextOf(reason).title) },
    { label: 'Settled', isWideOnly: true, cell: (row) => <Settled renewal={row} /> },
    { label: 'Settled, USD', isFigure: true, cell: ({ amount_usd }) => <Money amount={amount_usd} isStrong /> },
    {
      label: 'Finding',
      cell: (row) => (
        <>
          {row.note !== null && (
            <p className={styles.finding}>
              <bdi>{noteOf(row)}</bdi>
              {row.notedBy !== null && <span className={styles.by}> {row.notedBy}</span>}
            </p>
          )}
          <span className={styles.by}>{row.assignedTo === null ? 'Not assigned' : `Assigned to ${row.assignedTo.name}`}</span>
          {person.may('pulls.start') && (
            <details>
              <summary>{row.note === null ? 'Add finding' : 'Edit finding'}</summary>
              <FindingForm game={slug} month={month} renewal={row} personId={person.id} />
            </details>
          )}
        </>
      ),
    },
  ];
}

function Settled({ renewal: { periodId, settledFrom, settledTo } }: { renewal: UnattributedRenewal }): ReactElement {
  if (periodId !== null) return <Instant at={settledFrom} precision="second" />;
  return (
    <>
      <Instant at={settledFrom} precision="second" /> to <Instant at={settledTo} precision="second" />
    </>
  );
}

interface FindingFormProps {
  game: string;
  month: string;
  renewal: UnattributedRenewal;
  /** Who fills it in. */
  personId: string;
}

/** What was found out about one renewal without attribution, and who looks into it. */
function FindingForm({ game, month, renewal: { itemId, note, assignedTo }, personId }: FindingFormProps): ReactElement {
  const other = assignedTo !== null && assignedTo.id !== personId ? assignedTo.name : null;
  const current = assignedTo === null ? 'nobody' : 'me';
  return (
    <ActionForm action={noteUnattributedAction} about={{ game, month, itemId }} label="Save finding" pendingLabel="Saving…">
      <Field label="Finding">
        {(control) => <textarea {...control} name="note" rows={2} maxLength={OUTCOME_LENGTH_MAX} defaultValue={note ?? ''} />}
      </Field>
      <Field label="Assignee">
        {(control) => (
          <select {...control} name="assignee" defaultValue={other === null ? current : 'same'}>
            {other !== null && <option value="same">{other}</option>}
            <option value="me">Me</option>
            <option value="nobody">Nobody</option>
          </select>
        )}
      </Field>
    </ActionForm>
  );
}
