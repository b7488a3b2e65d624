import { randomUUID } from 'node:crypto';
import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { type ReactElement, Suspense } from 'react';
import { type Game, openLookUp, requireGame } from '#app/_server/game.ts';
import { db, now } from '#app/_server/server-context.ts';
import { type Person, requirePerson } from '#app/_server/session.ts';
import { LinkButton } from '#app/_ui/controls/button.tsx';
import { CopyButton } from '#app/_ui/controls/copy-button.tsx';
import { Facts } from '#app/_ui/figures/facts.tsx';
import { formatItem, formatUtc } from '#app/_ui/figures/format.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import { PageHead } from '#app/_ui/layout/page-head.tsx';
import { Notice } from '#app/_ui/words/notice.tsx';
import { formatPeriodDates } from '#app/[game]/_refunds/effects.tsx';
import { PauseNotice } from '#app/[game]/_refunds/pause-notice.tsx';
import { LoadingFromInvo, RefreshButton } from '#app/[game]/_subscriptions/invo-controls.tsx';
import { OwnRefunds } from '#app/[game]/_subscriptions/own-refunds.tsx';
import { formatUsd, signOfMoney } from '#lib/core/money.ts';
import { parseNumericId } from '#lib/core/typed-input.ts';
import { digestBaseline, readFreshFacts } from '#lib/refunds/read-refund-facts.ts';
import { findRefundPreconditions, type Preconditions } from '#lib/refunds/reads/refund-preconditions.ts';
import { findRefundBlocker } from '#lib/refunds/rules/limits.ts';
import { remainingOf } from '#lib/refunds/rules/period.ts';
import type { PeriodFacts } from '#lib/refunds/rules/stored.ts';
import { BLOCKER_TEXT, formatCharged, formatReportedUsd, refundStatusText } from '#lib/refunds/text.ts';
import { RefundForm } from './refund-form.tsx';

export const metadata: Metadata = { title: 'Refund a period' };

export default async function RefundFormPage({ params }: { params: Promise<{ game: string; periodId: string }> }): Promise<ReactElement> {
  const person = await requirePerson('refunds.request');
  const { game: slug, periodId: text } = await params;
  const game = await requireGame(slug);
  const periodId = parseNumericId(text) ?? notFound();
  const stored = await findRefundPreconditions(db(), game.gameId, periodId, person.id);
  return (
    <>
      <PageHead title={`Refund period ${periodId}`} actions={<LinkButton href={`/${slug}/periods/${periodId}`}>View period</LinkButton>}>
        Nothing is sent until you confirm. Submitting twice creates only one refund.
      </PageHead>
      <PauseNotice game={game} person={person} pause={stored.pause}>
        <LinkButton href={`/${slug}/refunds`}>All refunds</LinkButton>
      </PauseNotice>
      <Suspense fallback={<LoadingFromInvo />}>
        <LoadForm game={game} periodId={periodId} person={person} stored={stored} />
      </Suspense>
    </>
  );
}

interface LoadFormProps {
  game: Game;
  periodId: number;
  person: Person;
  stored: Preconditions;
}

/** The refund form of a period, or why there is none: a refund is open, Invo couldn't be read, or Invo would refuse. */
async function LoadForm({ game, periodId, person, stored }: LoadFormProps): Promise<ReactElement> {
  const { open, limits, earlier } = stored;
  if (open !== null) return <OpenRefundNotice slug={game.slug} open={open} />;
  const facts = await readFreshFacts(openLookUp(game, person), periodId);
  if ('sentence' in facts) return <NoFactsNotice {...facts} />;
  const { period } = facts;
  const blocker = findRefundBlocker(period);
  const card = <PeriodCard slug={game.slug} period={period} readAt={facts.read_at} />;
  if (blocker !== null)
    return (
      <>
        <Notice voice="bad" title="This period can’t be refunded">
          {BLOCKER_TEXT[blocker]}
        </Notice>
        {card}
      </>
    );
  return (
    <>
      {card}
      <RefundForm
        game={{ slug: game.slug, name: game.name, timeZone: game.timeZone }}
        facts={facts}
        now={now()}
        roles={person.roles}
        limits={limits}
        isPaused={stored.pause !== null}
        draftId={randomUUID()}
        baseline={digestBaseline(period).toString('hex')}
      />
      <OwnRefunds slug={game.slug} refunds={earlier} />
    </>
  );
}

function OpenRefundNotice({ slug, open }: { slug: string; open: NonNullable<Preconditions['open']> }): ReactElement {
  const { refundId, amount_usd, requestedAt, requestedByName } = open;
  const { label, sentence } = refundStatusText(open);
  return (
    <Notice
      voice="wait"
      title={`This period has an open refund: ${label}`}
      actions={
        <LinkButton kind="main" href={`/${slug}/refunds/${refundId}`}>
          View refund {refundId}
        </LinkButton>
      }
    >
      {requestedByName} requested {formatUsd(amount_usd)} on {formatUtc(requestedAt)}. {sentence} You can request another refund when this
      one has ended.
    </Notice>
  );
}

function NoFactsNotice({ sentence, errorId }: { sentence: string; errorId: string | null }): ReactElement {
  return (
    <Notice
      voice="bad"
      title="Can’t start a refund: the period couldn’t be read from Invo"
      actions={
        <>
          <RefreshButton word="Try again" />
          {errorId !== null && <CopyButton text={errorId} what="reference" />}
        </>
      }
    >
      {sentence}
    </Notice>
  );
}

/** The period as Invo reports it now. */
function PeriodCard({ slug, period, readAt }: { slug: string; period: PeriodFacts; readAt: string }): ReactElement {
  const remaining = remainingOf(period);
  const isCoinsOnly = period.rail === 'pcstore' && signOfMoney(period.pcstore_charged_usd ?? '0') === 0;
  return (
    <Card title={`Period, as reported by Invo on ${formatUtc(readAt, 'second')}`}>
      <Facts
        columns={4}
        facts={[
          { label: 'Item', value: <bdi>{formatItem(period.item_name)}</bdi> },
          {
            label: 'Period',
            value: (
              <Link href={`/${slug}/periods/${period.period_id}`}>
                {period.period_seq === null ? 'Number not reported' : `Period ${period.period_seq}`}
              </Link>
            ),
            note: formatPeriodDates(period),
          },
          {
            label: 'Subscription',
            value: <Link href={`/${slug}/subscriptions/${period.subscription_id}`}>{period.subscription_id}</Link>,
            isWide: true,
          },
          { label: 'Paid', value: period.paid_at === null ? 'Not paid' : formatUtc(period.paid_at) },
          {
            label: 'Price',
            value: formatReportedUsd(period.amount_usd),
            note: `Charged: ${formatCharged(period)}${isCoinsOnly ? '. Refundable in coins only.' : ''}`,
          },
          { label: 'Refunded', value: formatReportedUsd(period.refunds_told ? period.refunded_to_date_usd : null) },
          { label: 'Remaining', value: formatReportedUsd(period.refunds_told ? remaining : null) },
        ]}
      />
    </Card>
  );
}
