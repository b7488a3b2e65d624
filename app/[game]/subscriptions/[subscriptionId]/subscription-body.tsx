import type { ReactElement } from 'react';
import { now } from '#app/_server/clock.ts';
import type { Game } from '#app/_server/game.ts';
import { openGameContext } from '#app/_server/open-game-context.ts';
import type { Person } from '#app/_server/session.ts';
import { db } from '#app/_server/wiring.ts';
import { Notice } from '#app/_ui/words/notice.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { FieldNames } from '#app/[game]/_subscriptions/field-names.tsx';
import { HeldLines } from '#app/[game]/_subscriptions/held-lines.tsx';
import { NotHere } from '#app/[game]/_subscriptions/not-here.tsx';
import { OwnRefunds } from '#app/[game]/_subscriptions/own-refunds.tsx';
import { ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import { listOwnRefunds } from '#db/refunds/reads/refund-preconditions.ts';
import { listLineEvidence } from '#db/subscriptions/reads/list-line-evidence.ts';
import { readSubscriptionDetail } from '#lib/subscriptions/read-subscription-detail.ts';
import { CyclesTable } from './cycles-table.tsx';
import { LifetimeCard, ShareCard } from './share-cards.tsx';
import { SubscriptionAnswer } from './subscription-answer.tsx';
import { SubscriptionFacts } from './subscription-facts.tsx';
import { SubscriptionTools } from './subscription-tools.tsx';

interface SubscriptionBodyProps {
  game: Game;
  subscriptionId: string;
  offset: number;
  person: Person;
}

/** Everything about one subscription once Invo was asked: its state and its cycles may each be live, stored or not to be had. */
export async function SubscriptionBody({ game, subscriptionId, offset, person }: SubscriptionBodyProps): Promise<ReactElement> {
  const [{ subscription, cycles }, evidence, refunds] = await Promise.all([
    openGameContext(game).then((desk) => readSubscriptionDetail(desk, subscriptionId, { offset })),
    listLineEvidence(db(), game, { subscriptionId }),
    listOwnRefunds(db(), game.gameId, { subscriptionIds: [subscriptionId] }),
  ]);
  const answered = 'value' in subscription ? subscription.value : null;
  const listed = 'value' in cycles ? cycles.value : null;
  const isAbsent = subscription.kind === 'not_found' || (answered === null && cycles.kind === 'not_found');
  return (
    <>
      {isAbsent && <NotHere game={game} what="This subscription" path={`subscriptions/${subscriptionId}`} />}
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
              <SubscriptionTools
                slug={game.slug}
                subscriptionId={subscriptionId}
                status={answered.subscription.status}
                fundingRail={answered.subscription.funding_rail}
                cycles={listed?.periods ?? null}
                person={person}
              />
              <div className={detail.top}>
                <SubscriptionAnswer subscription={answered.subscription} now={now()} timeZone={game.timeZone} />
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
              <CyclesTable slug={game.slug} subscriptionId={subscriptionId} report={listed} offset={offset} />
            </>
          )}
          <OwnRefunds slug={game.slug} refunds={refunds} />
          <HeldLines slug={game.slug} evidence={evidence} isAlone={listed === null} />
        </div>
      </FieldNames>
    </>
  );
}
