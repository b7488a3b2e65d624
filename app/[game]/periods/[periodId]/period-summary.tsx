import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { Button, LinkButton } from '#app/_ui/controls/button.tsx';
import { showControls } from '#app/_ui/data-table/cells/visible-text.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { type InvoFact, InvoFacts, InvoField } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { subtractMoney } from '#lib/core/money.ts';
import { maskEmail } from '#lib/core/roles.ts';
import { findRefundHindrance, HINDRANCE_SENTENCES } from '#lib/refunds/rules/find-hindrance.ts';
import type { PeriodFacts } from '#lib/refunds/rules/period-facts.ts';
import { shareOf } from '#lib/refunds/rules/share-of.ts';
import type { PeriodAnswer } from '#lib/subscriptions/read-subscription-detail.ts';
import { PERIOD_STATE_TEXT, type PeriodState, periodStateOf } from '#lib/subscriptions/rules/period-state.ts';

interface PeriodAnswerProps {
  game: Game;
  answer: PeriodAnswer;
  mayRefund: boolean;
  isKnownRecipient: boolean;
  canSeeEmails: boolean;
}

/** What this period is: its state, what was charged for it, what went back, and the way to a refund. */
export function PeriodSummaryCard({ game, answer, mayRefund, isKnownRecipient, canSeeEmails }: PeriodAnswerProps): ReactElement {
  const { period } = answer.report;
  const { state, sentence, refunded, refundedField, left } = summarizeCharge(answer);
  const words = PERIOD_STATE_TEXT[state];
  const facts: InvoFact[] = [
    { label: 'Refunded so far', value: <Money amount={refunded} size="fact" />, field: refundedField },
    ...(period.paid_at === null
      ? []
      : [{ label: 'Left of the charge', value: <Money amount={left} size="fact" />, note: 'charged less refunded' }]),
    {
      label: 'Settled',
      value: period.paid_at === null ? 'never' : <Instant at={period.paid_at} timeZone={game.timeZone} precision="second" />,
      field: 'period.paid_at',
    },
    {
      label: 'Billing window, from',
      value: period.period_start && <Instant at={period.period_start} timeZone={game.timeZone} />,
      field: 'period.period_start',
    },
    {
      label: 'Billing window, to',
      value: period.period_end && <Instant at={period.period_end} timeZone={game.timeZone} />,
      field: 'period.period_end',
    },
    { label: 'Number in its subscription', value: period.period_seq, field: 'period.period_seq' },
    {
      label: 'Subscription',
      value: <Link href={`/${game.slug}/subscriptions/${encodeURIComponent(period.subscription_id)}`}>{period.subscription_id}</Link>,
      field: 'period.subscription_id',
      isWide: true,
    },
    { label: 'Attributed to', isWide: true, ...recipientFact(game.slug, period, isKnownRecipient, canSeeEmails) },
  ];
  return (
    <Card isAnswer title={period.item_name === null ? 'Item not recorded' : showControls(period.item_name)}>
      <p className={detail.state}>
        <InvoField name="period.status">
          <Status tone={words.tone} word={words.label} />
        </InvoField>
      </p>
      <p className={detail.label}>{period.paid_at === null ? 'Price, never collected' : 'Charged to the player'}</p>
      <InvoField name="period.amount_usd">
        <Money amount={period.amount_usd} size="answer" />
      </InvoField>
      <p className={detail.sentence}>{sentence}</p>
      <RefundButton href={`/${game.slug}/periods/${period.period_id}/refund`} facts={answer.facts} mayRefund={mayRefund} />
      <div className={detail.facts}>
        <InvoFacts facts={facts} />
      </div>
    </Card>
  );
}

function recipientFact(
  slug: string,
  period: PeriodAnswer['report']['period'],
  isKnownRecipient: boolean,
  canSeeEmails: boolean,
): Omit<InvoFact, 'label'> {
  const { attribution, paid_at } = period;
  if (attribution === null) {
    const isNobody = paid_at === null || shareOf(period) === 'nobody';
    return { value: isNobody ? 'nobody' : 'not known', field: 'period.attribution' };
  }
  const { recipient_player_id: id, recipient } = attribution;
  const email = recipient?.player_email ?? null;
  return {
    value: (
      <Link href={`/${slug}/${isKnownRecipient ? 'recipients' : 'players'}/${id}`}>
        {showControls(recipient?.player_name ?? `Player ${id}`)}
      </Link>
    ),
    field: 'attribution.recipient_player_id',
    note:
      recipient?.resolved === false
        ? `player ${id}, not found at Invo`
        : `player ${id}${email === null ? '' : `, ${canSeeEmails ? email : maskEmail(email)}`}`,
  };
}

/** What became of a charge and what went back of it; null: Invo said nothing of refunds, which is not zero. */
export interface ChargeSummary {
  state: PeriodState;
  sentence: string;
  refunded: string | null;
  /** Invo's own field of it: the report's sum, else the line's. */
  refundedField: string;
  left: string | null;
}

/** Tells the charge of a period and its refunds, as far as Invo tells them. */
export function summarizeCharge({ report: { period, refunds }, facts }: PeriodAnswer): ChargeSummary {
  const refunded = facts.refunds_told ? facts.refunded_to_date_usd : null;
  const state = periodStateOf({ ...period, refunded_amount_usd: refunded });
  const isSilent = refunded === null && state === 'paid';
  const isLeftKnown = refunded !== null && period.paid_at !== null && period.amount_usd !== null;
  return {
    state,
    sentence: isSilent ? 'It was collected. Whether anything was given back, Invo does not tell.' : PERIOD_STATE_TEXT[state].sentence,
    refunded,
    refundedField: refunds === null && refunded !== null ? 'period.refund.refunded_amount_usd' : 'refunds.refunded_to_date_usd',
    left: isLeftKnown ? subtractMoney(period.amount_usd ?? '0', refunded) : null,
  };
}

/** The way to a refund of the period; where Invo would refuse one, the reason stands beside the closed door. */
export function RefundButton({ href, facts, mayRefund }: { href: string; facts: PeriodFacts; mayRefund: boolean }): ReactElement | null {
  if (!mayRefund) return null;
  const hindrance = findRefundHindrance(facts);
  if (hindrance === null)
    return (
      <LinkButton kind="main" href={href}>
        Refund…
      </LinkButton>
    );
  return (
    <div className={detail.tools}>
      <Button isDisabled>Refund…</Button>
      <p className={detail.quiet}>{HINDRANCE_SENTENCES[hindrance]}</p>
    </div>
  );
}
