import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { type Game, openLookUp, requireGame } from '#app/_server/game.ts';
import { db, now } from '#app/_server/server-context.ts';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { SearchParams } from '#app/[game]/_rows/define-list.ts';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { FieldNames } from '#app/[game]/_subscriptions/field-names.tsx';
import { LinesInMonths } from '#app/[game]/_subscriptions/lines-in-months.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/loading-from-invo.tsx';
import { OwnRefunds } from '#app/[game]/_subscriptions/own-refunds.tsx';
import { parseOffset } from '#app/[game]/_subscriptions/page-steps.tsx';
import { NotInGame, ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import { parseSubscriptionId } from '#lib/core/ids.ts';
import { listRefundsOf } from '#lib/refunds/reads/refund-preconditions.ts';
import { readSubscriptionDetail } from '#lib/subscriptions/read-subscription-detail.ts';
import { listLineEvidence } from '#lib/subscriptions/reads.ts';
import { LifetimeCard, PeriodsTable, ShareCard } from './billing-periods.tsx';
import { SubscriptionDetailsCard, SubscriptionStatusCard } from './subscription-summary.tsx';
import { SubscriptionToolbar } from './subscription-toolbar.tsx';

interface SubscriptionPageProps {
  params: Promise<{ game: string; subscriptionId: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: 'Subscription' };

export default async function SubscriptionPage({ params, searchParams }: SubscriptionPageProps): Promise<ReactElement> {
  const person = await requirePerson('desk.read');
  const { game: slug, subscriptionId: text } = await params;
  const game = await requireGame(slug);
  const subscriptionId = parseSubscriptionId(text) ?? notFound();
  const offset = parseOffset((await searchParams)['from']);
  return (
    <>
      <PageHead title="Subscription">{`${subscriptionId} · ${game.name}`}</PageHead>
      <Suspense key={offset} fallback={<LoadingFromInvo />}>
        <SubscriptionBody game={game} subscriptionId={subscriptionId} offset={offset} person={person} />
      </Suspense>
    </>
  );
}

interface SubscriptionBodyProps {
  game: Game;
  subscriptionId: string;
  offset: number;
  person: Person;
}

/** Everything about one subscription. Its status and its periods are read separately, so each may be live, stored or missing. */
async function SubscriptionBody({ game, subscriptionId, offset, person }: SubscriptionBodyProps): Promise<ReactElement> {
  const [{ subscription, periods }, evidence, refunds] = await Promise.all([
    readSubscriptionDetail(openLookUp(game, person), subscriptionId, { offset }),
    listLineEvidence(db(), game, { subscriptionId }),
    listRefundsOf(db(), game.gameId, { subscriptionId }),
  ]);
  const reading = 'value' in subscription ? subscription.value : null;
  const report = 'value' in periods ? periods.value : null;
  const isAbsent = subscription.kind === 'not_found' || (reading === null && periods.kind === 'not_found');
  return (
    <>
      {isAbsent && <NotInGame game={game} what="This subscription" path={`subscriptions/${subscriptionId}`} />}
      {!isAbsent && (
        <ReadNotices
          together="this subscription and its periods"
          reads={[
            { detail: subscription, what: 'this subscription' },
            { detail: periods, what: 'its periods' },
          ]}
        />
      )}
      {!isAbsent && periods.kind === 'not_found' && (
        <Notice voice="wait" title="Invo knows this subscription but doesn’t find its periods">
          Its billing history isn’t available, which doesn’t mean that nothing was billed. Its lines in pulled months are listed below.
        </Notice>
      )}
      <FieldNames>
        <div className={detail.page}>
          {reading !== null && (
            <>
              <SubscriptionToolbar
                slug={game.slug}
                subscriptionId={subscriptionId}
                status={reading.subscription.status}
                fundingRail={reading.subscription.funding_rail}
                periods={report?.periods ?? null}
                person={person}
              />
              <div className={detail.top}>
                <SubscriptionStatusCard subscription={reading.subscription} now={now()} timeZone={game.timeZone} />
                <SubscriptionDetailsCard now={now()} game={game} read={reading} canSeeEmails={person.may('emails.read')} />
              </div>
            </>
          )}
          {report !== null && (
            <>
              <div className={detail.halves}>
                <ShareCard slug={game.slug} share={report.current_revenue_share} timeZone={game.timeZone} />
                <LifetimeCard totals={report.lifetime_totals} />
              </div>
              <PeriodsTable slug={game.slug} subscriptionId={subscriptionId} report={report} offset={offset} />
            </>
          )}
          <OwnRefunds slug={game.slug} refunds={refunds} />
          <LinesInMonths slug={game.slug} evidence={evidence} isAlone={report === null} />
        </div>
      </FieldNames>
    </>
  );
}
