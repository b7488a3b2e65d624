import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { now } from '#app/_server/clock.ts';
import { openDesk } from '#app/_server/desk.ts';
import { type Game, requireGame } from '#app/_server/game.ts';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { db } from '#app/_server/wiring.ts';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import type { SearchParams } from '#app/[game]/_rows/first-rows.ts';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { FieldNames } from '#app/[game]/_subscriptions/field-names.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/loading-from-invo.tsx';
import { LinesInMonths, OwnRefunds } from '#app/[game]/_subscriptions/local-records.tsx';
import { readOffset } from '#app/[game]/_subscriptions/page-steps.tsx';
import { NotInGame, ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import { listOwnRefunds } from '#db/refunds/reads/list-own-refunds.ts';
import { listLineEvidence } from '#db/subscriptions/reads.ts';
import { parseSubscriptionId } from '#lib/search/rules/parse-search.ts';
import { readSubscriptionDetail } from '#lib/subscriptions/read-subscription-detail.ts';
import { LifetimeCard, PeriodsTable, ShareCard } from './billing-periods.tsx';
import { SubscriptionFacts, SubscriptionStatusCard } from './subscription-summary.tsx';
import { SubscriptionToolbar } from './subscription-toolbar.tsx';

interface SubscriptionPageProps {
  params: Promise<{ game: string; subscriptionId: string }>;
  searchParams: SearchParams;
}

export const metadata: Metadata = { title: 'Subscription' };

export default async function SubscriptionPage({ params, searchParams }: SubscriptionPageProps): Promise<ReactElement> {
  const person = await requirePerson('figures.read');
  const { game: slug, subscriptionId: text } = await params;
  const game = await requireGame(slug);
  const subscriptionId = parseSubscriptionId(text) ?? notFound();
  const offset = readOffset((await searchParams)['from']);
  return (
    <>
      <PageHead title="Subscription">{`${subscriptionId} of ${game.name}`}</PageHead>
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

/** Everything about one subscription once Invo was asked: its state and its cycles may each be live, stored or not to be had. */
export async function SubscriptionBody({ game, subscriptionId, offset, person }: SubscriptionBodyProps): Promise<ReactElement> {
  const [{ subscription, cycles }, evidence, refunds] = await Promise.all([
    openDesk(game).then((desk) => readSubscriptionDetail(desk, subscriptionId, { offset })),
    listLineEvidence(db(), game, { subscriptionId }),
    listOwnRefunds(db(), game.gameId, { subscriptionIds: [subscriptionId] }),
  ]);
  const answered = 'value' in subscription ? subscription.value : null;
  const listed = 'value' in cycles ? cycles.value : null;
  const isAbsent = subscription.kind === 'not_found' || (answered === null && cycles.kind === 'not_found');
  return (
    <>
      {isAbsent && <NotInGame game={game} what="This subscription" path={`subscriptions/${subscriptionId}`} />}
      {!isAbsent && (
        <ReadNotices
          together="this subscription and its cycles"
          reads={[
            { detail: subscription, what: 'this subscription' },
            { detail: cycles, what: 'its cycles' },
          ]}
        />
      )}
      {!isAbsent && cycles.kind === 'not_found' && (
        <Notice voice="wait" title="Invo knows this subscription and does not find its cycles">
          What was billed for it is not told, which does not mean that nothing was. What the months hold of it stands below.
        </Notice>
      )}
      <FieldNames>
        <div className={detail.page}>
          {answered !== null && (
            <>
              <SubscriptionToolbar
                slug={game.slug}
                subscriptionId={subscriptionId}
                status={answered.subscription.status}
                fundingRail={answered.subscription.funding_rail}
                cycles={listed?.periods ?? null}
                person={person}
              />
              <div className={detail.top}>
                <SubscriptionStatusCard subscription={answered.subscription} now={now()} timeZone={game.timeZone} />
                <SubscriptionFacts game={game} read={answered} canSeeEmails={person.may('emails.read')} />
              </div>
            </>
          )}
          {listed !== null && (
            <>
              <div className={detail.halves}>
                <ShareCard slug={game.slug} share={listed.current_revenue_share} timeZone={game.timeZone} />
                <LifetimeCard totals={listed.lifetime_totals} />
              </div>
              <PeriodsTable slug={game.slug} subscriptionId={subscriptionId} report={listed} offset={offset} />
            </>
          )}
          <OwnRefunds slug={game.slug} refunds={refunds} />
          <LinesInMonths slug={game.slug} evidence={evidence} isAlone={listed === null} />
        </div>
      </FieldNames>
    </>
  );
}
