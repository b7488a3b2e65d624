import Link from 'next/link';
import { notFound } from 'next/navigation';
import { type ReactElement, type ReactNode, Suspense } from 'react';
import { type Game, requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { formatUtc } from '#app/_ui/figures/format-instant.ts';
import { sayUsd } from '#app/_ui/figures/say-usd.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { type InvoFact, InvoFacts } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/loading-from-invo.tsx';
import { parseSubscriptionId } from '#lib/search/rules/parse-search.ts';
import type { ChangeFacts } from '#lib/subscriptions/read-change-facts.ts';
import {
  accessOf,
  isSubscriptionEnded,
  STAGED_PRICE_TEXT,
  stagedPriceOf,
  subscriptionStatusText,
} from '#lib/subscriptions/rules/subscription.ts';
import { labelsOf } from './change-answers.ts';
import { formatInZone } from './text.ts';

interface ChangePageProps {
  params: Promise<{ game: string; subscriptionId: string }>;
  title: string;
  /** The sentence under the title. */
  words: string;
  /** What the page shows once Invo was asked. */
  body: (game: Game, subscriptionId: string) => ReactNode;
}

/** The frame of the three pages that change a subscription: who may, which one, and the way back. */
export async function ChangePage({ params, title, words, body }: ChangePageProps): Promise<ReactElement> {
  await requirePerson('subscriptions.change');
  const { game: slug, subscriptionId: text } = await params;
  const game = await requireGame(slug);
  const subscriptionId = parseSubscriptionId(text) ?? notFound();
  return (
    <>
      <PageHead title={title} actions={<LinkButton href={`/${slug}/subscriptions/${subscriptionId}`}>The subscription</LinkButton>}>
        {words}
      </PageHead>
      <Suspense fallback={<LoadingFromInvo />}>{body(game, subscriptionId)}</Suspense>
    </>
  );
}

interface SubscriptionNowProps {
  game: { slug: string; timeZone: string };
  read: ChangeFacts;
  /** What this change rests on besides. */
  more?: InvoFact[];
}

/** The subscription a change is about, as Invo tells it now. */
export function SubscriptionNow({ game, read, more = [] }: SubscriptionNowProps): ReactElement {
  const { subscription, readAt } = read;
  const { item, player } = labelsOf(read);
  const words = subscriptionStatusText(subscription.status);
  const access = accessOf(subscription.paid_through, readAt);
  const staged = stagedPriceOf(subscription);
  const facts: InvoFact[] = [
    { label: 'Item', value: item, field: 'item_name' },
    { label: 'Player', value: <Link href={`/${game.slug}/players/${subscription.player_id}`}>{player}</Link>, field: 'player_id' },
    { label: 'State', value: <Status tone={words.tone} word={words.label} />, field: 'status' },
    {
      label: 'Access',
      value:
        access.kind === 'never'
          ? 'none, nothing is paid for'
          : `${access.kind === 'until' ? 'until' : 'ended'} ${formatInZone(access.at, game.timeZone)}`,
      field: 'paid_through',
    },
    { label: 'Price now', value: sayUsd(subscription.amount_usd), field: 'amount_usd' },
    ...(subscription.cancel_at_period_end === true && !isSubscriptionEnded(subscription.status)
      ? [{ label: 'Cancellation', value: 'set to end with what is paid', field: 'cancel_at_period_end' }]
      : []),
    ...(staged === null
      ? []
      : [
          {
            label: 'Staged price',
            value: sayUsd(subscription.pending_amount_usd),
            field: 'pending_amount_usd',
            note: STAGED_PRICE_TEXT[staged],
          },
        ]),
    ...more,
    { label: 'Subscription', value: <CopyButton text={subscription.subscription_id} what="subscription id" />, field: 'subscription_id' },
  ];
  return (
    <Card title={`The subscription, as Invo told it at ${formatUtc(readAt, 'second')}`}>
      <InvoFacts facts={facts} />
    </Card>
  );
}
