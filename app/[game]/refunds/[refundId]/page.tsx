import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactElement } from 'react';
import { requireGame } from '#app/_server/game.ts';
import { db, now } from '#app/_server/server-context.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { RefreshWhile } from '#app/_ui/words/refresh-while.tsx';
import { resumeRefundsAction } from '#app/[game]/_pauses/actions.ts';
import { ResumeForm } from '#app/[game]/_pauses/resume-form.tsx';
import { Effects } from '#app/[game]/_refunds/effects.tsx';
import { PauseNotice } from '#app/[game]/_refunds/pause-notice.tsx';
import { parseNumericId } from '#lib/core/ids.ts';
import { maskEmailsIn } from '#lib/core/typed-input.ts';
import { findRefundSituation } from '#lib/refunds/reads/find-refund.ts';
import { listRefundTimeline } from '#lib/refunds/reads/refund-history.ts';
import { previewReversal } from '#lib/refunds/rules/estimate.ts';
import { overLimitOf } from '#lib/refunds/rules/limits.ts';
import { isEnded } from '#lib/refunds/rules/state.ts';
import { listRefundsElsewhere } from '#lib/webhooks/reads/period-of-event.ts';
import { ActionsPanel } from './actions-panel.tsx';
import { listAllowedActions } from './allowed-actions.ts';
import { ReceiptTable } from './receipt-table.tsx';
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
  const [found, timeline] = await Promise.all([
    findRefundSituation(db(), { gameId: game.gameId, refundId, personId: person.id }),
    listRefundTimeline(db(), game.gameId, refundId, { canSeeEmails, before }),
  ]);
  const { refund, outcome: recorded, pause, limits, accounts, besides } = found ?? notFound();
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
    exceedsLimit: overLimitOf(person.roles, refund.estimate, limits) !== null,
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
