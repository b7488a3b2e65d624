import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactElement } from 'react';
import { resumeRefundsAction } from '#app/_pauses/actions.ts';
import { ResumeForm } from '#app/_pauses/resume-form.tsx';
import { requireGame } from '#app/_server/game.ts';
import { db, now } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { RefreshWhile } from '#app/_ui/words/refresh-while.tsx';
import { Effects } from '#app/[game]/_refunds/effects.tsx';
import { PauseNotice } from '#app/[game]/_refunds/pause-notice.tsx';
import { ComparedTable } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { overLimitOf } from '#lib/approvals/rules/approval.ts';
import type { Figure } from '#lib/core/comparison.ts';
import { formatMoney, formatUsd, parseMoney } from '#lib/core/money.ts';
import { maskEmailsIn, parseNumericId } from '#lib/core/typed-input.ts';
import { findRefundSituation } from '#lib/refunds/reads/find-refund.ts';
import { listRefundTimeline } from '#lib/refunds/reads/refund-history.ts';
import { previewReversal } from '#lib/refunds/rules/estimate.ts';
import { limitedAmountsOf } from '#lib/refunds/rules/limits.ts';
import { compareReceipt, type ReceiptFigure } from '#lib/refunds/rules/receipt.ts';
import type { Refund } from '#lib/refunds/rules/refund.ts';
import { isEnded } from '#lib/refunds/rules/state.ts';
import type { StoredReceipt } from '#lib/refunds/rules/stored.ts';
import { listRefundsElsewhere } from '#lib/webhooks/reads/period-of-event.ts';
import { ActionsPanel } from './actions-panel.tsx';
import { listAllowedActions } from './allowed-actions.ts';
import styles from './refund.module.css';
import { ElsewhereNotice, findLateChanges, LateChangesNotice, People, RequestCard, Summary } from './summary.tsx';
import { Timeline } from './timeline.tsx';

export const metadata: Metadata = { title: 'Refund' };

interface RefundPageProps {
  params: Promise<{ game: string; refundId: string }>;
  searchParams: Promise<{ before?: string | string[] }>;
}

export default async function RefundPage({ params, searchParams }: RefundPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, refundId: text } = await params;
  const game = await requireGame(slug);
  const refundId = parseNumericId(text) ?? notFound();
  const { before: given } = await searchParams;
  const before = typeof given === 'string' ? given : null;
  // Estimate, request and receipt tell of the player's card and wallet.
  const [canSeeEmails, canReadDesk] = [person.may('emails.read'), person.may('desk.read')];
  const found = await findRefundSituation(db(), { gameId: game.gameId, refundId, personId: person.id });
  const { refund, outcome: recorded, pause, limits, accounts, besides } = found ?? notFound();
  // After the refund: a page that shows it ended refreshes no more, so its timeline must have the end.
  const timeline = await listRefundTimeline(db(), game.gameId, refundId, { canSeeEmails, before });
  const outcome = recorded === null || canSeeEmails ? recorded : { ...recorded, text: maskEmailsIn(recorded.text) };
  // Only an approval can still wait for what Invo reports.
  const { subscription_id: subscriptionId, period_seq: periodSeq } = refund;
  const elsewhere =
    refund.state === 'awaiting_approval' ? await listRefundsElsewhere(db(), game.gameId, { subscriptionId, periodSeq }) : [];
  const lateChanges = findLateChanges(refund, timeline.newestPeriod);
  // The estimate as it was when the refund ended; until then, as of now.
  const reversal = isEnded(refund.state) ? { month: refund.estimate.reversal_month, orLater: null } : previewReversal(now(), game.timeZone);
  const situation = {
    state: refund.state,
    exceedsLimit: overLimitOf('refunds', person.roles, limitedAmountsOf(refund.estimate), limits) !== null,
    accounts,
    needsSecondApprover: refund.needsSecondApprover,
    attemptCount: refund.attemptCount,
    requesterId: refund.requestedBy.id,
    assigneeId: refund.assignee.id,
    recordedBy: outcome?.by.id ?? null,
    isImpossible: lateChanges.length > 0,
  };
  return (
    <div className={styles.page}>
      <PageHead title={`Refund ${refund.refundId}`} actions={<LinkButton href={`/${slug}/refunds`}>All refunds</LinkButton>}>
        <People refund={refund} timeZone={game.timeZone} />
      </PageHead>
      <PauseNotice game={game} person={person} pause={pause}>
        <ResumeForm slug={slug} what="refunds" person={person} pause={pause} action={resumeRefundsAction} />
      </PauseNotice>
      <RefreshWhile
        isBusy={!isEnded(refund.state) || refund.nextCheckAt !== null}
        every_ms={['approved', 'sending'].includes(refund.state) ? 1_000 : 4_000}
      />
      <ElsewhereNotice refunds={elsewhere} requestedAt={refund.requestedAt} />
      <LateChangesNotice changes={lateChanges} amount_usd={refund.amount_usd} />
      <div className={styles.top}>
        <Summary
          game={game}
          refund={refund}
          lastFacts={timeline.lastErrorFacts}
          newestPeriod={timeline.newestPeriod}
          isPaused={pause !== null}
        />
        <div className={styles.side}>
          <ActionsPanel slug={slug} refund={refund} actions={listAllowedActions(situation, person)} outcome={outcome} besides={besides} />
          {canReadDesk && (
            <Card title="Estimated effects">
              <Effects slug={slug} facts={refund.facts} estimate={refund.estimate} reversal={reversal} />
            </Card>
          )}
        </div>
        {canReadDesk && <RequestCard refund={refund} canSeeEmails={canSeeEmails} />}
      </div>
      {canReadDesk && refund.state === 'landed' && <ReceiptTable refund={refund} />}
      <Timeline {...timeline} href={`/${slug}/refunds/${refundId}`} isNewest={before === null} timeZone={game.timeZone} />
    </div>
  );
}

/** Labels of the figures of a receipt, by Invo's names. */
const FIELD_LABELS: Readonly<Record<string, string>> = {
  refunded_amount_usd: 'Refunded',
  card_refunded_usd: 'Refunded to the card',
  balance_delta_coins: 'Coins',
  new_balance: 'Wallet balance after',
  is_full_refund: 'Completes the period',
  total_refunded_amount_usd: 'Total refunded for the period',
  remaining_refundable_usd: 'Remaining for the period',
  partner_revenue_reversed_usd: 'Partner revenue reversed',
  partner_revenue_reversal_mode: 'Reversal mode',
  card_fee_charged_to_partner_usd: 'Card fee charged to you',
  invo_fee_retained: 'Invo keeps its fee',
  recipient_player_id: 'Recipient (player ID)',
  original_attributed_amount_usd: 'Attributed to the recipient',
  refunded_attributed_amount_usd: 'Total reversed from the recipient',
  net_attributed_amount_usd: 'Net attributed to the recipient',
};

/** Invo's receipt compared with the estimate, field by field; differences in words. */
function ReceiptTable({ refund: { receipt, estimate, outcomeSource, transaction_id } }: { refund: Refund }): ReactElement {
  if (receipt === null)
    return (
      <Notice voice="wait" title="Two people recorded this as refunded; there is no receipt yet">
        Sharebook reads the figures from the period. They appear here as soon as the period shows the refund.
      </Notice>
    );
  // What neither side knows is no row: a period without a share has no recipient.
  const rows = compareReceipt(estimate, receipt).filter(({ expected, reported }) => expected !== null || reported !== null);
  const differing = namesOf(rows.filter(({ agrees }) => agrees === false));
  const isOwn = outcomeSource === 'receipt' || outcomeSource === 'replay';
  const missing = isOwn ? namesOf(rows.filter(({ reported }) => reported === null)) : '';
  const matching = rows.every(({ agrees }) => agrees) ? 'All figures match the estimate.' : 'All figures known on both sides match.';
  return (
    <section aria-labelledby="receipt">
      <h2 id="receipt">{isOwn ? 'Receipt compared with the estimate' : 'Period compared with the estimate'}</h2>
      <p className={styles.note}>
        {differing === '' ? matching : `Different from the estimate: ${differing}. Invo’s figures apply.`}
        {missing !== '' && ` Estimated, but not on the receipt: ${missing}.`}
      </p>
      {!isOwn && (
        <Notice voice="note" title={outcomeSource === 'people' ? 'Two people recorded this as refunded' : 'Invo no longer has the receipt'}>
          These figures are read from the period. Figures it doesn’t show are not reported.
        </Notice>
      )}
      {receipt.processor_refund_adopted === true && (
        <Notice voice="note" title="An earlier attempt made the card refund; this attempt recorded it">
          The card was refunded once.
        </Notice>
      )}
      <ComparedTable
        areFigures
        label="Receipt and estimate"
        rows={rows.map(({ unit, field, expected, reported, agrees }) => ({
          field,
          label: FIELD_LABELS[field] ?? field,
          expected: formatFigure(unit, expected, 'Unknown'),
          reported: formatFigure(unit, reported, 'Not reported'),
          agrees,
        }))}
      />
      <p className={styles.note}>{formatIds(receipt, transaction_id)}</p>
    </section>
  );
}

function namesOf(rows: ReceiptFigure[]): string {
  return rows.map(({ field }) => FIELD_LABELS[field] ?? field).join(', ');
}

function formatFigure(unit: ReceiptFigure['unit'], figure: Figure, missing: string): string {
  if (figure === null) return missing;
  if (typeof figure === 'boolean') return figure ? 'Yes' : 'No';
  if (unit === 'text' || parseMoney(figure) === null) return figure;
  return unit === 'usd' ? formatUsd(figure) : `${formatMoney(figure)} coins`;
}

function formatIds({ funding_shape, processor_refund_reference, refunded_at }: StoredReceipt, transaction_id: string | null): string {
  return Object.entries({ transaction_id, funding_shape, processor_refund_reference, refunded_at })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${value}`)
    .join(' · ');
}
