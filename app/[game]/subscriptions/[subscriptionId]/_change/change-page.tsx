import Link from 'next/link';
import { notFound } from 'next/navigation';
import { type ReactElement, type ReactNode, Suspense } from 'react';
import { type Game, openLookUp, requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { formatUtc } from '#app/_ui/figures/format.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { formatPrice } from '#app/[game]/_subscriptions/format-names.ts';
import { type InvoFact, InvoFacts } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/loading-from-invo.tsx';
import { parseSubscriptionId } from '#lib/core/ids.ts';
import type { GameContext } from '#lib/games/game-context.ts';
import type { ChangeFacts } from '#lib/subscriptions/read-change-facts.ts';
import { accessOf, isSubscriptionEnded, pendingPriceOf } from '#lib/subscriptions/rules/subscription.ts';
import { PENDING_PRICE_TEXT, subscriptionStatusText } from '#lib/subscriptions/text.ts';
import { labelsOf } from './change-answers.ts';
import { formatInZone } from './text.ts';

interface ChangePageProps {
  params: Promise<{ game: string; subscriptionId: string }>;
  title: string;
  /** The sentence below the title. */
  intro: string;
  /** The content, once the subscription has been read. */
  body: (change: ChangeOf) => ReactNode;
}

/** The subscription a change is about, and how it is read for the person. */
export interface ChangeOf {
  game: Game;
  subscriptionId: string;
  context: GameContext;
}

/** The frame of the three change pages: the role check, the subscription and the way back. */
export async function ChangePage({ params, title, intro, body }: ChangePageProps): Promise<ReactElement> {
  const person = await requirePerson('subscriptions.change');
  const { game: slug, subscriptionId: text } = await params;
  const game = await requireGame(slug);
  const subscriptionId = parseSubscriptionId(text) ?? notFound();
  return (
    <>
      <PageHead title={title} actions={<LinkButton href={`/${slug}/subscriptions/${subscriptionId}`}>View subscription</LinkButton>}>
        {intro}
      </PageHead>
      <Suspense fallback={<LoadingFromInvo />}>{body({ game, subscriptionId, context: openLookUp(game, person) })}</Suspense>
    </>
  );
}

interface SubscriptionNowProps {
  game: { slug: string; timeZone: string };
  read: ChangeFacts;
  /** Further facts this change depends on. */
  more?: InvoFact[];
}

const ACCESS_NOTES = { trial: ', a trial; nothing charged yet', until: '', ended: ', ended' };

/** The subscription a change is about, as Invo reports it now. */
export function SubscriptionNow({ game, read, more = [] }: SubscriptionNowProps): ReactElement {
  const { subscription, readAt } = read;
  const { item, player } = labelsOf(read);
  const text = subscriptionStatusText(subscription.status);
  const access = accessOf(subscription, readAt);
  const pending = pendingPriceOf(subscription);
  const facts: InvoFact[] = [
    { label: 'Item', value: item, field: 'item_name' },
    { label: 'Player', value: <Link href={`/${game.slug}/players/${subscription.player_id}`}>{player}</Link>, field: 'player_id' },
    { label: 'Status', value: <Status tone={text.tone} word={text.label} />, field: 'status' },
    {
      label: 'Access until',
      value:
        access.kind === 'never' ? 'none, nothing is paid for' : `${formatInZone(access.at, game.timeZone)}${ACCESS_NOTES[access.kind]}`,
      field: 'paid_through',
    },
    { label: 'Current price', value: formatPrice(subscription.amount_usd), field: 'amount_usd' },
    ...(subscription.cancel_at_period_end === true && !isSubscriptionEnded(subscription.status)
      ? [{ label: 'Cancellation', value: 'set to end with the paid period', field: 'cancel_at_period_end' }]
      : []),
    ...(pending === null
      ? []
      : [
          {
            label: 'Pending price',
            value: formatPrice(subscription.pending_amount_usd),
            field: 'pending_amount_usd',
            note: PENDING_PRICE_TEXT[pending],
          },
        ]),
    ...more,
    {
      label: 'Subscription ID',
      value: <CopyButton text={subscription.subscription_id} what="subscription id" />,
      field: 'subscription_id',
    },
  ];
  return (
    <Card title={`Subscription as of ${formatUtc(readAt, 'second')}`}>
      <InvoFacts facts={facts} />
    </Card>
  );
}
