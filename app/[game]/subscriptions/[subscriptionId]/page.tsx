import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { type Game, openLookUp, requireGame } from '#app/_server/game.ts';
import { db, now } from '#app/_server/server-context.ts';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { formatItem, formatUtc } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { Flag, Status } from '#app/_ui/words/status.tsx';
import type { SearchParams } from '#app/[game]/_rows/define-list.ts';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { formatEmail, formatPlayer } from '#app/[game]/_subscriptions/format-names.ts';
import { FieldNames, LoadingFromInvo } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { type InvoFact, InvoFacts, InvoField } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { LinesInMonths } from '#app/[game]/_subscriptions/lines-in-months.tsx';
import { OwnRefunds } from '#app/[game]/_subscriptions/own-refunds.tsx';
import { parseOffset } from '#app/[game]/_subscriptions/page-steps.tsx';
import { NotInGame, ReadNotices } from '#app/[game]/_subscriptions/read-notices.tsx';
import { compareInstants } from '#lib/core/instant.ts';
import { parseSubscriptionId } from '#lib/core/typed-input.ts';
import { listRefundsOf } from '#lib/refunds/reads/refund-preconditions.ts';
import { readSubscriptionDetail } from '#lib/subscriptions/read-subscription-detail.ts';
import { listLineEvidence } from '#lib/subscriptions/reads.ts';
import { type Access, accessOf, pendingPriceOf } from '#lib/subscriptions/rules/subscription.ts';
import { nextChargeText, PENDING_PRICE_TEXT, subscriptionStatusText } from '#lib/subscriptions/text.ts';
import { LifetimeCard, PeriodsTable, ShareCard, type SubscriptionReading } from './billing-periods.tsx';
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

interface SubscriptionStatusCardProps {
  subscription: SubscriptionReading['subscription'];
  now: string;
  timeZone: string;
}

/** What players ask support first: the status, until when the player has access, and the next charge. */
function SubscriptionStatusCard({ subscription, now, timeZone }: SubscriptionStatusCardProps): ReactElement {
  const status = subscriptionStatusText(subscription.status);
  const willEnd = subscription.cancel_at_period_end === true;
  const isPast = (instant: string): boolean => compareInstants(instant, now) <= 0;
  const next = nextChargeText(subscription.status, willEnd);
  const facts: InvoFact[] = [
    {
      label: next.label,
      value: subscription.next_charge_at === null ? next.none : <Instant at={subscription.next_charge_at} timeZone={timeZone} />,
      field: 'next_charge_at',
    },
    {
      label: 'Current price, USD',
      value: <Money amount={subscription.amount_usd} size="fact" />,
      field: 'amount_usd',
      note: intervalOf(subscription),
    },
    ...pendingPriceFact(subscription),
    ...(willEnd
      ? [
          {
            label: 'Cancellation',
            value:
              subscription.paid_through === null ? (
                'ends immediately'
              ) : (
                <>
                  {isPast(subscription.paid_through) ? 'ended' : 'ends'} on <Instant at={subscription.paid_through} timeZone={timeZone} />
                </>
              ),
            field: 'cancel_at_period_end',
            note: 'no more charges, no second notification',
          },
        ]
      : []),
  ];
  return (
    <Card isAnswer title={formatItem(subscription.item_name)}>
      <p className={detail.state}>
        <Status tone={status.tone} word={status.label} /> {willEnd && <Flag tone="wait" word="Set to end" />}
      </p>
      <InvoField name="paid_through">
        <p className={detail.answer}>{accessSentence(accessOf(subscription, now))}</p>
      </InvoField>
      <div className={detail.facts}>
        <InvoFacts facts={facts} />
      </div>
    </Card>
  );
}

function accessSentence(access: Access): string {
  if (access.kind === 'never') return 'No access: nothing is paid for';
  const date = formatUtc(access.at);
  if (access.kind === 'trial') return `Trial until ${date}; nothing charged yet`;
  return access.kind === 'until' ? `Access until ${date}` : `Access ended ${date}`;
}

function pendingPriceFact(subscription: SubscriptionReading['subscription']): InvoFact[] {
  const pending = pendingPriceOf(subscription);
  if (pending === null) return [];
  return [
    {
      label: 'Pending price, USD',
      value: <Money amount={subscription.pending_amount_usd} size="fact" />,
      field: 'pending_amount_usd',
      note: PENDING_PRICE_TEXT[pending],
    },
  ];
}

function intervalOf({ interval, interval_count }: SubscriptionReading['subscription']): string {
  if (interval === null) return 'billing interval not reported';
  return interval_count === null || interval_count === 1 ? `every ${interval}` : `every ${interval_count} ${interval}s`;
}

interface SubscriptionDetailsCardProps {
  now: string;
  game: Game;
  read: SubscriptionReading;
  canSeeEmails: boolean;
}

/** The player, the payment method, the current period and the dates of a subscription. */
function SubscriptionDetailsCard({ now, game, read: { subscription, player }, canSeeEmails }: SubscriptionDetailsCardProps): ReactElement {
  const date = (
    label: string,
    field: 'current_period_start' | 'current_period_end' | 'created_at' | 'trial_end' | 'canceled_at' | 'ended_at',
  ): InvoFact => ({ label, value: subscription[field] && <Instant at={subscription[field]} timeZone={game.timeZone} />, field });
  const happened = (['trial_end', 'canceled_at', 'ended_at'] as const).filter((field) => subscription[field] !== null);
  const email = player?.player_email ?? null;
  const facts: InvoFact[] = [
    {
      label: 'Player',
      value: (
        <Link href={`/${game.slug}/players/${subscription.player_id}`}>
          {formatPlayer(player?.player_name ?? null, subscription.player_id)}
        </Link>
      ),
      field: 'player_id',
      isWide: true,
      note: `player ${subscription.player_id}${email === null ? '' : `, ${formatEmail(email, canSeeEmails)}`}`,
    },
    { label: 'Payment method', value: payerOf(subscription), field: 'funding_rail' },
    ...(subscription.pcstore_agreement_status === null
      ? []
      : [{ label: 'Game store agreement', value: subscription.pcstore_agreement_status, field: 'pcstore_agreement_status' }]),
    date('Created', 'created_at'),
    { label: 'Current period', value: subscription.period_seq, field: 'period_seq', note: 'counted from 1, one per charge' },
    date('Current period start', 'current_period_start'),
    date('Current period end', 'current_period_end'),
    ...happened.map((field) => date(labelOfDate(field, subscription[field], now), field)),
    {
      label: 'Subscription ID',
      value: <CopyButton text={subscription.subscription_id} what="subscription ID" />,
      field: 'subscription_id',
    },
    {
      label: 'Idempotency key',
      value: subscription.client_request_id && <CopyButton text={subscription.client_request_id} what="client_request_id" />,
      field: 'client_request_id',
    },
  ];
  return (
    <Card title="Details">
      <InvoFacts facts={facts} />
    </Card>
  );
}

function labelOfDate(field: 'trial_end' | 'canceled_at' | 'ended_at', instant: string | null, now: string): string {
  const isPast = instant !== null && compareInstants(instant, now) <= 0;
  return { trial_end: isPast ? 'Trial ended' : 'Trial ends', canceled_at: 'Canceled', ended_at: isPast ? 'Ended' : 'Ends' }[field];
}

function payerOf({ funding_rail, wallet_only, has_payment_method }: SubscriptionReading['subscription']): string {
  if (funding_rail === 'pcstore') return 'wallet first, then game store';
  if (wallet_only === true) return 'wallet only, no card';
  if (has_payment_method === true) return 'wallet first, then saved card';
  return has_payment_method === false ? 'no card attached' : 'not reported';
}
