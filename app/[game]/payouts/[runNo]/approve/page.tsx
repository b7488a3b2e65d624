import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactElement } from 'react';
import { PasswordForm } from '#app/_account/password-form.tsx';
import { openGameContext } from '#app/_server/game.ts';
import { db, now } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { countNoun, formatMonth, formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { ActionForm } from '#app/_ui/forms/form.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Column, TwoColumns } from '#app/_ui/layout/columns.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { EmptyState } from '#app/_ui/words/empty-state.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { Matches } from '#app/_ui/words/status.tsx';
import { AccountNotice } from '#app/[game]/_payouts/payout-notices.tsx';
import { formatUsd } from '#lib/core/money.ts';
import { monthOf } from '#lib/core/month.ts';
import { maskEmailsIn } from '#lib/core/typed-input.ts';
import { findRecheck } from '#lib/payouts/find-close.ts';
import { countOutcomes, findRunContent, listChangesSince, listEditors } from '#lib/payouts/reads/find-run.ts';
import { listEurAmounts, listRunDetails } from '#lib/payouts/reads/paid-details.ts';
import { type AdjustmentWords, findAdjustmentWords } from '#lib/payouts/reads/payout-decisions.ts';
import { listMoves, listPaidLines, type PaidLine } from '#lib/payouts/reads/run-lines.ts';
import { OUTCOMES } from '#lib/payouts/rules/decide-line.ts';
import { EDITOR_TEXT, formatAmountInWords } from '#lib/payouts/rules/run-words.ts';
import { OUTCOME_TEXT } from '#lib/payouts/text.ts';
import { EurRateFacts } from '../../_run/eur-rate.tsx';
import { RecheckNotice } from '../../_run/recheck-notice.tsx';
import styles from '../../_run/run.module.css';
import { RollForward, RunStatus } from '../../_run/run-head.tsx';
import { loadRun } from '../../_run/run-lists.ts';
import { approveAction, rejectAction, returnChangedAction } from '../actions.ts';
import { DetailsToCheck, Words } from './approval-words.tsx';

export const metadata: Metadata = { title: 'Approve' };

/** Everything an approval covers, with nothing folded away, and the form beside it. */
export default async function ApprovePage({ params }: { params: Promise<{ game: string; runNo: string }> }): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, runNo } = await params;
  const { game, run } = await loadRun(slug, runNo);
  const content = await findRunContent(db(), run);
  const href = `/${slug}/payouts/${run.runNo}`;
  if (run.state !== 'submitted' || content === null)
    return (
      <EmptyState title={`Run ${run.runNo} isn’t in review`} isPage action={<Link href={href}>Open run {run.runNo}</Link>}>
        There is nothing to approve.
      </EmptyState>
    );
  const canSeeEmails = person.may('emails.read');
  const named = [...content.holds, ...content.adjustments].map(({ recipientId }) => recipientId);
  const [{ paid, names }, outcomes, moves, editors, changes, recheck, words, details, eurAmounts] = await Promise.all([
    listPaidLines(db(), run, { named, canSeeEmails }),
    countOutcomes(db(), game.gameId, run.runId),
    listMoves(db(), run, { limit: 10, canSeeEmails }),
    listEditors(db(), run),
    listChangesSince(db(), run, content, now()),
    findRecheck(openGameContext(game).game, db(), run),
    content.adjustments.length === 0 ? new Map<number, AdjustmentWords>() : findAdjustmentWords(db(), run),
    person.may('payees.read') ? listRunDetails(db(), run) : [],
    content.eurRate === undefined ? [] : listEurAmounts(db(), run),
  ]);
  const because = editors.filter(({ personId }) => personId === person.id).map((editor) => EDITOR_TEXT[editor.because] ?? editor.because);
  const sum = formatUsd(run.totals.payable);
  const inWords = formatAmountInWords(run.totals.payable);
  const payees = countNoun(run.payableCount, 'recipient');
  const mayDecide = person.may('payouts.approve') && because.length === 0;
  const mayApprove = mayDecide && person.accountRefusal === null;
  const changedOtherwise = changes.some(({ kind }) => kind !== 'evidence');
  return (
    <>
      <PageHead
        title={`Approve run ${run.runNo} · ${formatMonth(monthOf(run.window.start, game.timeZone))}`}
        beside={<RunStatus run={run} />}
      >
        {run.submittedBy?.name} submitted it on {formatUtc(run.submittedAt ?? run.draftedAt)}. You approve exactly what this page shows.{' '}
        <Link href={href}>All lines</Link>
      </PageHead>
      <RollForward totals={run.totals} payableCount={run.payableCount} />
      <TwoColumns>
        <Column>
          {content.eurRate !== undefined && (
            <Card title="EUR rate">
              <EurRateFacts rate={content.eurRate} amounts={eurAmounts} />
              <p className={styles.hint}>Your approval covers this rate. Files convert by it and by no other.</p>
            </Card>
          )}
          <Card title={countNoun(paid.length, 'payment')} aside={<span className={styles.unit}>USD</span>}>
            <SimpleTable label="Payments" columns={paidColumns(slug)} rows={paid} keyOf={({ recipientId }) => recipientId} isInset isLong />
          </Card>
          <div className={styles.two}>
            <Card title="Carried forward" aside={<span className={styles.unit}>USD</span>}>
              <ul className={styles.list}>
                {OUTCOMES.filter((outcome) => outcome !== 'payable' && outcomes[outcome] !== undefined).map((outcome) => (
                  <li key={outcome}>
                    <span>
                      {OUTCOME_TEXT[outcome]} <span className={styles.quiet}>{countNoun(outcomes[outcome]?.count ?? 0, 'recipient')}</span>
                    </span>
                    <Money amount={outcomes[outcome]?.amount_usd ?? '0.00'} size="fact" />
                  </li>
                ))}
                <li>
                  <strong>Total, with fractions of a cent</strong>
                  <Money amount={run.totals.closing} size="fact" isStrong />
                </li>
              </ul>
            </Card>
            <Card title="Changes since the last run" aside={<span className={styles.unit}>USD</span>}>
              {run.previousRunId === null ? (
                <p className={styles.hint}>Nothing to compare with: this is the first run.</p>
              ) : (
                <ul className={styles.list}>
                  {moves.map(({ recipientId, name, change_usd, last_usd }) => (
                    <li key={recipientId}>
                      <span>
                        {name === null ? `Player ${recipientId}` : showControls(name)}{' '}
                        <span className={styles.quiet}>{last_usd === null ? 'new' : `${formatUsd(last_usd)} last month`}</span>
                      </span>
                      <Money amount={change_usd} size="fact" />
                    </li>
                  ))}
                </ul>
              )}
            </Card>
          </div>
          {details.length > 0 && <DetailsToCheck slug={slug} details={details} canSeeEmails={canSeeEmails} />}
          <Words
            slug={slug}
            content={content}
            names={names}
            words={words}
            shown={canSeeEmails ? showControls : (text) => showControls(maskEmailsIn(text))}
          />
        </Column>
        <Column isSticky id="approval">
          <Card title="You approve" isAnswer>
            <p className={styles.total}>{sum}</p>
            <p className={styles.hint}>
              {inWords === null ? `To ${payees}` : `${inWords}, to ${payees}`}, from snapshot {run.snapshotId}
            </p>
            <div className={styles.forms}>
              <RecheckNotice game={game} run={run} recheck={recheck} mayRecheck={mayApprove && person.may('pulls.start')} />
              {changes.length === 0 && recheck.state === 'current' && (
                <div>
                  <Matches word="Nothing changed since submission" />
                  <p className={styles.hint}>Re-checked with Invo on {formatUtc(recheck.checkedAt ?? '')}.</p>
                </div>
              )}
              {changedOtherwise && (
                <Notice voice="wait" title="Something changed since submission">
                  It can’t be approved. Return it to draft, so that its preparer submits what holds now.
                </Notice>
              )}
              {because.length > 0 && (
                <Notice voice="note" title="You can’t approve this run">
                  You {new Intl.ListFormat('en').format(because)}. Someone else must approve it.
                </Notice>
              )}
              {mayDecide && <AccountNotice refusal={person.accountRefusal} />}
              {mayApprove && (
                <>
                  {changes.length > 0 && (
                    <ActionForm
                      action={returnChangedAction}
                      about={{ game: slug, runId: run.runId }}
                      label={`Return run ${run.runNo} to draft`}
                      pendingLabel="Returning…"
                      kind="main"
                    />
                  )}
                  {changes.length === 0 && recheck.state === 'current' && (
                    <PasswordForm
                      action={approveAction}
                      about={{ game: slug, runId: run.runId, runNo: run.runNo, contentDigest: run.contentDigest ?? '' }}
                      label={`Approve ${sum} to ${payees}`}
                      pendingLabel="Approving…"
                      kind="main"
                    />
                  )}
                  <ActionForm
                    action={rejectAction}
                    about={{ game: slug, runId: run.runId }}
                    label="Send back"
                    pendingLabel="Sending back…"
                    note={{ label: 'Reason', lengthMax: 1_000, isRequired: true }}
                  />
                </>
              )}
            </div>
            <p className={styles.hint}>
              Digest <span className={styles.digest}>{formatDigest(run.contentDigest ?? '')}</span>. Approval locks the run.
              {run.approvalsWanted === 2 && ' Two people must approve this sum.'}
            </p>
          </Card>
        </Column>
      </TwoColumns>
      <div className={styles.jump} data-print="no">
        <span>
          <strong>{sum}</strong> <span className={styles.quiet}>to {payees}</span>
        </span>
        <LinkButton href="#approval">Go to approval</LinkButton>
      </div>
    </>
  );
}

function formatDigest(digest: string): string {
  return `${digest.slice(0, 4)} ${digest.slice(4, 8)}`;
}

function paidColumns(slug: string): SimpleColumn<PaidLine>[] {
  return [
    {
      label: 'Recipient',
      cell: ({ recipientId, name }) => (
        <Link href={`/${slug}/recipients/${recipientId}`}>{name === null ? `Player ${recipientId}` : showControls(name)}</Link>
      ),
    },
    {
      label: 'Last month',
      isFigure: true,
      isWideOnly: true,
      cell: ({ last_usd }) => (last_usd === null ? 'none' : <Money amount={last_usd} />),
    },
    { label: 'Payable', isFigure: true, cell: ({ payable_usd }) => <Money amount={payable_usd} isStrong /> },
  ];
}
