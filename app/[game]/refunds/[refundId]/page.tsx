import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactElement } from 'react';
import { now } from '#app/_server/clock.ts';
import { requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { db } from '#app/_server/wiring.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { RefreshWhile } from '#app/_ui/words/refresh-while.tsx';
import { Effects } from '#app/[game]/_refunds/effects/effects.tsx';
import { StopNotice } from '#app/[game]/_refunds/stop/stop-notice.tsx';
import { findOpenStatement, findRefund } from '#db/refunds/reads/find-refund.ts';
import { listRefundTimeline } from '#db/refunds/reads/refund-history.ts';
import { findRefundLimits, findRefundStop } from '#db/refunds/reads/refund-preconditions.ts';
import { maskEmailsIn } from '#lib/core/typed-text.ts';
import { previewReversal } from '#lib/refunds/rules/estimate.ts';
import { limitedAmountOf } from '#lib/refunds/rules/limits.ts';
import { isEnded } from '#lib/refunds/rules/state.ts';
import { parseNumericId } from '#lib/search/rules/parse-search.ts';
import { Acts } from './acts/acts.tsx';
import { listRefundActs } from './acts/list-acts.ts';
import { Answer } from './answer.tsx';
import { AskedFor } from './asked-for.tsx';
import { findLastFacts, findLateChanges } from './late-changes.ts';
import { LateNotice } from './late-notice.tsx';
import { ReceiptTable } from './receipt-table.tsx';
import styles from './refund.module.css';
import { Timeline } from './timeline.tsx';
import { WhoAndWhen } from './who-and-when.tsx';

export const metadata: Metadata = { title: 'Refund' };

interface RefundPageProps {
  params: Promise<{ game: string; refundId: string }>;
}

export default async function RefundPage({ params }: RefundPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, refundId: text } = await params;
  const game = await requireGame(slug);
  const refundId = parseNumericId(text) ?? notFound();
  const refund = (await findRefund(db(), game.gameId, refundId)) ?? notFound();
  const canSeeEmails = person.may('emails.read');
  const [timeline, said, stop, limits] = await Promise.all([
    listRefundTimeline(db(), game.gameId, refund.refundId, { canSeeEmails }),
    findOpenStatement(db(), game.gameId, refund.refundId),
    findRefundStop(db(), game.gameId),
    findRefundLimits(db(), game.gameId),
  ]);
  const statement = said === null || canSeeEmails ? said : { ...said, text: maskEmailsIn(said.text) };
  const lateChanges = findLateChanges(refund, timeline);
  // What was expected when it ended; until then, what is to be expected by now.
  const reversal = isEnded(refund.state) ? { month: refund.estimate.reversal_month, orLater: null } : previewReversal(now(), game.timeZone);
  const scene = {
    state: refund.state,
    amount_usd: limitedAmountOf(refund.estimate),
    needsSecondApprover: refund.needsSecondApprover,
    attemptCount: refund.attemptCount,
    requesterId: refund.requestedBy.id,
    ownerId: refund.owner.id,
    statementBy: statement?.by.id ?? null,
    isImpossible: lateChanges.length > 0,
  };
  return (
    <div className={styles.page}>
      <PageHead title={`Refund ${refund.refundId}`} actions={<LinkButton href={`/${slug}/refunds`}>All refunds</LinkButton>}>
        <WhoAndWhen refund={refund} timeZone={game.timeZone} />
      </PageHead>
      <StopNotice game={game} person={person} stop={stop} />
      <RefreshWhile
        isBusy={!isEnded(refund.state) || refund.nextLookAt !== null}
        every_ms={['approved', 'sending'].includes(refund.state) ? 1_000 : 4_000}
      />
      <LateNotice changes={lateChanges} amount_usd={refund.amount_usd} />
      <div className={styles.top}>
        <Answer game={game} refund={refund} lastFacts={findLastFacts(refund, timeline)} isStopped={stop !== null} />
        <div className={styles.side}>
          <Acts slug={slug} refund={refund} acts={listRefundActs(scene, person, limits)} statement={statement} />
          <Card title="What it was expected to do, an estimate">
            <Effects slug={slug} facts={refund.facts} estimate={refund.estimate} reversal={reversal} />
          </Card>
        </div>
        <AskedFor refund={refund} canSeeEmails={canSeeEmails} />
      </div>
      {refund.state === 'landed' && <ReceiptTable refund={refund} />}
      <Timeline entries={timeline} timeZone={game.timeZone} />
    </div>
  );
}
