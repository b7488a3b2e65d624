import type { Metadata } from 'next';
import type { ReactElement } from 'react';
import { db, now } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { formatDay, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable, TableNote } from '#app/_ui/layout/simple-table.tsx';
import { sumMoney } from '#lib/core/money.ts';
import { type DueLine, type HoldInForce, listDueLines, listHoldsInForce } from '#lib/payouts/reads/payout-decisions.ts';
import { DUE_LINES_MAX } from '#lib/payouts/rules/policy.ts';
import { HOLD_REASON_TEXT, OUTCOME_TEXT } from '#lib/payouts/text.ts';
import styles from '../../_run/run.module.css';
import { RecipientLink, RunHead } from '../../_run/run-head.tsx';
import { loadRun } from '../../_run/run-lists.ts';
import { releaseAction } from './actions.ts';
import { HoldForms } from './hold-forms.tsx';

export const metadata: Metadata = { title: 'Holds' };

/** Whose money is due, who holds what of it, and why. */
export default async function HoldsPage({ params }: { params: Promise<{ game: string; runNo: string }> }): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, runNo } = await params;
  const { game, run } = await loadRun(slug, runNo);
  const canSeeEmails = person.may('emails.read');
  const [first, holds] = await Promise.all([
    listDueLines(db(), run, { find: '', canSeeEmails }, DUE_LINES_MAX),
    listHoldsInForce(db(), run, now(), canSeeEmails),
  ]);
  const mayPrepare = person.may('payouts.prepare') && run.state !== 'void';
  return (
    <>
      <RunHead game={game} run={run} />
      {mayPrepare ? (
        <HoldForms game={slug} run={{ runId: run.runId, runNo: run.runNo, state: run.state }} first={first} />
      ) : (
        <SimpleTable
          label="Lines with money due"
          columns={lineColumns(slug)}
          rows={first.rows}
          keyOf={({ recipientId }) => recipientId}
          isLong
        />
      )}
      <section className={styles.section}>
        <h2>Holds in force</h2>
        {holds.length === 0 ? (
          <p className={styles.hint}>None. Every amount due can be paid.</p>
        ) : (
          <>
            <SimpleTable
              label="Holds in force"
              columns={holdColumns(slug, mayPrepare)}
              rows={groupHolds(holds)}
              keyOf={({ first }) => first.holdId}
            />
            <TableNote>
              Amounts in USD. A hold applies to every run until it ends. A person who releases one can’t approve the run.
            </TableNote>
          </>
        )}
      </section>
    </>
  );
}

function lineColumns(slug: string): SimpleColumn<DueLine>[] {
  return [
    { label: 'Recipient', cell: (line) => <RecipientLink slug={slug} {...line} /> },
    { label: 'Due', isFigure: true, isWideOnly: true, cell: ({ due_usd }) => <Money amount={due_usd} places={4} /> },
    { label: 'Payable', isFigure: true, cell: ({ payable_usd }) => <Money amount={payable_usd} isStrong /> },
    { label: 'Outcome', cell: ({ outcome }) => OUTCOME_TEXT[outcome] },
  ];
}

/** Holds of one recipient for one reason, the oldest first. */
interface HoldGroup {
  first: HoldInForce;
  holds: HoldInForce[];
}

/** A recipient whose periods are held month after month for one reason is one row. */
function groupHolds(holds: readonly HoldInForce[]): HoldGroup[] {
  const groups = Map.groupBy(holds, ({ recipientId, reason, note, placedBy }) => JSON.stringify([recipientId, reason, note, placedBy]));
  return [...groups.values()].flatMap((group) => {
    const sorted = group.toSorted((one, other) => one.placedAt.localeCompare(other.placedAt));
    return sorted[0] === undefined ? [] : [{ first: sorted[0], holds: sorted }];
  });
}

function holdColumns(slug: string, mayPrepare: boolean): SimpleColumn<HoldGroup>[] {
  const columns: SimpleColumn<HoldGroup>[] = [
    {
      label: 'Recipient',
      cell: (group) => (
        <>
          <RecipientLink slug={slug} {...group.first} />
          <NarrowNote>{reasonOf(group)}</NarrowNote>
        </>
      ),
    },
    { label: 'Amount', isFigure: true, cell: ({ holds }) => <HeldAmount holds={holds} /> },
    { label: 'Reason', isWideOnly: true, cell: reasonOf },
    { label: 'Note', isWideOnly: true, cell: ({ first: { note } }) => showControls(note) },
    { label: 'Placed by', isWideOnly: true, cell: ({ first: { placedBy } }) => placedBy },
    { label: 'Since', isWideOnly: true, cell: ({ first: { placedAt } }) => formatUtc(placedAt) },
    { label: 'Ends', isWideOnly: true, cell: ({ first: { expiresAt, reason } }) => formatEnd(expiresAt, reason) },
  ];
  if (mayPrepare)
    columns.push({
      label: 'Action',
      isScreenOnly: true,
      cell: ({ first, holds }) =>
        holds.length === 1 ? (
          <Release slug={slug} hold={first} word="Release" />
        ) : (
          <details>
            <summary className={styles.release} aria-label={`${holds.length} holds on player ${first.recipientId}`}>
              {holds.length} holds
            </summary>
            {holds.map((hold) => (
              <Release
                key={hold.holdId}
                slug={slug}
                hold={hold}
                word={hold.periodId === null ? 'Release' : `Release period ${hold.periodId}`}
              />
            ))}
          </details>
        ),
    });
  return columns;
}

function HeldAmount({ holds }: { holds: HoldInForce[] }): ReactElement | string {
  const amounts = holds.flatMap(({ amount_usd }) => amount_usd ?? []);
  return amounts.length < holds.length ? 'Everything due' : <Money amount={sumMoney(amounts)} isStrong />;
}

/** Releases one hold, with a note. */
function Release({ slug, hold: { holdId, recipientId }, word }: { slug: string; hold: HoldInForce; word: string }): ReactElement {
  return (
    <details>
      <summary className={styles.release} aria-label={`${word}: the hold on player ${recipientId}`}>
        {word}
      </summary>
      <ActionForm
        action={releaseAction}
        about={{ game: slug, holdId }}
        label="Release hold"
        pendingLabel="Releasing…"
        note={{ label: 'Note on the release', lengthMax: 500, isRequired: true }}
      />
    </details>
  );
}

function reasonOf({ first: { reason, periodId }, holds }: HoldGroup): string {
  const text = HOLD_REASON_TEXT[reason as keyof typeof HOLD_REASON_TEXT] ?? reason;
  if (holds.length > 1) return `${text}, ${holds.length} ${periodId === null ? 'holds' : 'periods'}`;
  return periodId === null ? text : `${text}, period ${periodId}`;
}

function formatEnd(expiresAt: string | null, reason: string): string {
  if (expiresAt !== null) return formatDay(expiresAt);
  return reason === 'excluded' ? 'With this run' : 'When released';
}
