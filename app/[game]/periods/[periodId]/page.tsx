import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { type Game, openLookUp, requireGame } from '#app/_server/game.ts';
import { db } from '#app/_server/server-context.ts';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { FieldNames, LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { LinesInMonths } from '#app/[game]/_subscriptions/lines-in-months.tsx';
import { OwnRefunds } from '#app/[game]/_subscriptions/own-refunds.tsx';
import { NotInGame, ReadNotice } from '#app/[game]/_subscriptions/read-notices.tsx';
import { parseNumericId } from '#lib/core/typed-input.ts';
import { listRefundsOf } from '#lib/refunds/reads/refund-preconditions.ts';
import { readPeriodDetail } from '#lib/subscriptions/read-subscription-detail.ts';
import { listLineEvidence } from '#lib/subscriptions/reads.ts';
import { listRefundsElsewhere } from '#lib/webhooks/reads/period-of-event.ts';
import { AllFields, PeriodFundingCards } from './period-details.tsx';
import { PeriodMoney } from './period-money.tsx';
import { PeriodSummaryCard } from './period-summary.tsx';
import { PeriodRefunds, RefundsElsewhere } from './refund-history.tsx';

interface PeriodPageProps {
  params: Promise<{ game: string; periodId: string }>;
}

export async function generateMetadata({ params }: PeriodPageProps): Promise<Metadata> {
  return { title: `Period ${(await params).periodId}` };
}

export default async function PeriodPage({ params }: PeriodPageProps): Promise<ReactElement> {
  const person = await requirePerson('desk.read');
  const { game: slug, periodId: text } = await params;
  const game = await requireGame(slug);
  const periodId = parseNumericId(text) ?? notFound();
  return (
    <>
      <PageHead title={`Period ${periodId}`}>Charge, refunds and attribution of one billing period · {game.name}</PageHead>
      <Suspense fallback={<LoadingFromInvo />}>
        <PeriodBody game={game} periodId={periodId} person={person} />
      </Suspense>
    </>
  );
}

/** Everything about one period: live, stored, or only its lines in pulled months. */
async function PeriodBody({ game, periodId, person }: { game: Game; periodId: number; person: Person }): Promise<ReactElement> {
  const [canSeeEmails, mayRefund] = [person.may('emails.read'), person.may('refunds.request')];
  const [period, evidence, refunds] = await Promise.all([
    readPeriodDetail(openLookUp(game, person), periodId),
    listLineEvidence(db(), game, { periodId }),
    listRefundsOf(db(), game.gameId, { periodId }),
  ]);
  const records = (
    <>
      <OwnRefunds slug={game.slug} refunds={refunds} />
      <LinesInMonths slug={game.slug} evidence={evidence} isAlone={!('value' in period)} />
    </>
  );
  if (period.kind === 'not_found' || period.kind === 'nothing') {
    return (
      <div className={detail.page}>
        {period.kind === 'not_found' ? (
          <NotInGame game={game} what={`Period ${periodId}`} path={`periods/${periodId}`} />
        ) : (
          <ReadNotice detail={period} what="this period" />
        )}
        {records}
      </div>
    );
  }
  const { report } = period.value;
  const { subscription_id: subscriptionId, period_seq: periodSeq } = report.period;
  const elsewhere = periodSeq === null ? [] : await listRefundsElsewhere(db(), game.gameId, { subscriptionId, periodSeq });
  const isKnownRecipient = evidence.renewals.length > 0;
  return (
    <>
      <ReadNotice detail={period} what="this period" />
      <FieldNames>
        <div className={detail.page}>
          <div className={detail.top}>
            <PeriodSummaryCard
              game={game}
              answer={period.value}
              mayRefund={mayRefund}
              isKnownRecipient={isKnownRecipient}
              canSeeEmails={canSeeEmails}
            />
            <PeriodMoney report={report} />
          </div>
          <PeriodFundingCards report={report} timeZone={game.timeZone} />
          <PeriodRefunds answer={period.value} timeZone={game.timeZone} />
          <RefundsElsewhere slug={game.slug} refunds={elsewhere} mayReadDeliveries={person.may('deliveries.read')} />
          {records}
          <AllFields answer={period.value} canSeeEmails={canSeeEmails} />
        </div>
      </FieldNames>
    </>
  );
}
