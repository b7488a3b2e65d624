import Link from 'next/link';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { type Game, openLookUp, requireGame } from '#app/_server/game.ts';
import { requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { formatItem, formatUtc } from '#app/_ui/figures/format.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import { formatPlayer, formatPrice } from '#app/[game]/_subscriptions/format-names.ts';
import { LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { type InvoFact, InvoFacts } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { NotInGame } from '#app/[game]/_subscriptions/read-notices.tsx';
import { parseSubscriptionId } from '#lib/core/typed-input.ts';
import type { GameContext } from '#lib/games/game-context.ts';
import { type ChangeFacts, digestFacts, type NoFacts } from '#lib/subscriptions/read-change-facts.ts';
import { accessOf, isSubscriptionEnded, pendingPriceOf } from '#lib/subscriptions/rules/subscription.ts';
import { PENDING_PRICE_TEXT, subscriptionStatusText } from '#lib/subscriptions/text.ts';
import styles from './change.module.css';
import type { ChangeFormProps, FormTarget, SubscriptionLabels } from './change-state.ts';
import { formatInZone } from './text.ts';

export interface ChangeParams {
  params: Promise<{ game: string; subscriptionId: string }>;
}

interface ChangeBodyProps<Facts extends ChangeFacts, Open> {
  /** Reads what the change depends on. */
  read: (context: GameContext, subscriptionId: string) => Promise<Facts | NoFacts>;
  /** The form of the change. */
  tool: (props: ChangeFormProps<Open>) => ReactElement;
  /** What the form shows, or why there is none, and further facts the change depends on. */
  viewOf: (read: Facts, game: Game) => Pick<ChangeFormProps<Open>, 'closed' | 'open'> & { more?: InvoFact[] };
}

interface ChangePageProps<Facts extends ChangeFacts, Open> extends ChangeParams, ChangeBodyProps<Facts, Open> {
  title: string;
  /** The sentence below the title. */
  intro: string;
}

/** The three change pages: the role check, the subscription, its form or why there is none, and the way back. */
export async function ChangePage<Facts extends ChangeFacts, Open>({
  params,
  title,
  intro,
  ...body
}: ChangePageProps<Facts, Open>): Promise<ReactElement> {
  const person = await requirePerson('subscriptions.change');
  const { game: slug, subscriptionId: text } = await params;
  const game = await requireGame(slug);
  const subscriptionId = parseSubscriptionId(text) ?? notFound();
  return (
    <>
      <PageHead title={title} actions={<LinkButton href={`/${slug}/subscriptions/${subscriptionId}`}>View subscription</LinkButton>}>
        {intro}
      </PageHead>
      <Suspense fallback={<LoadingFromInvo />}>
        <ChangeBody game={game} subscriptionId={subscriptionId} context={openLookUp(game, person)} {...body} />
      </Suspense>
    </>
  );
}

async function ChangeBody<Facts extends ChangeFacts, Open>({
  game,
  subscriptionId,
  context,
  read,
  tool: Tool,
  viewOf,
}: ChangeBodyProps<Facts, Open> & { game: Game; subscriptionId: string; context: GameContext }): Promise<ReactElement> {
  const facts = await read(context, subscriptionId);
  if (facts.kind === 'not_found') return <NotInGame game={game} what="This subscription" path={`subscriptions/${subscriptionId}`} />;
  const isRead = facts.kind === 'read';
  const { more, ...view } = isRead
    ? viewOf(facts, game)
    : { closed: { kind: 'no_facts' as const, sentence: facts.sentence, errorId: facts.errorId }, open: null };
  return (
    <div className={styles.page}>
      <Tool back={`/${game.slug}/subscriptions/${subscriptionId}`} facts={isRead ? facts.subscription : null} {...view} />
      {isRead && <SubscriptionNow game={game} read={facts} more={more} />}
    </div>
  );
}

/** What every form restates about a subscription; it contains no email. */
export function labelsOf({ subscription, player }: ChangeFacts): SubscriptionLabels {
  const { subscription_id: subscriptionId, player_id, item_name, amount_usd } = subscription;
  const name = player?.player_name ?? null;
  return {
    subscriptionId,
    item: formatItem(item_name),
    player: name === null ? formatPlayer(null, player_id) : `${formatPlayer(name, player_id)} (player ${player_id})`,
    price: formatPrice(amount_usd),
  };
}

/** The subscription a form is about, with the digest of the facts it shows. */
export function targetOf({ slug }: Game, { subscription, readAt }: ChangeFacts): FormTarget {
  return { game: slug, subscriptionId: subscription.subscription_id, baseline: digestFacts(subscription, readAt) };
}

interface SubscriptionNowProps {
  game: { slug: string; timeZone: string };
  read: ChangeFacts;
  more: InvoFact[] | undefined;
}

const ACCESS_NOTES = { trial: ', a trial; nothing charged yet', until: '', ended: ', ended' };

/** The subscription a change is about, as Invo reports it now. */
function SubscriptionNow({ game, read, more = [] }: SubscriptionNowProps): ReactElement {
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
