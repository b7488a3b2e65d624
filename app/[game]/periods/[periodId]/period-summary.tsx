import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { Button, LinkButton } from '#app/_ui/controls/button.tsx';
import { formatItem } from '#app/_ui/figures/format.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Flag, Status } from '#app/_ui/words/status.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { formatEmail, formatPlayer } from '#app/[game]/_subscriptions/format-names.ts';
import { type InvoFact, InvoFacts, InvoField } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { subtractMoney } from '#lib/core/money.ts';
import { findRefundBlocker } from '#lib/refunds/rules/limits.ts';
import { disputeOf, shareOf } from '#lib/refunds/rules/period.ts';
import type { PeriodFacts } from '#lib/refunds/rules/stored.ts';
import { BLOCKER_TEXT, formatDispute } from '#lib/refunds/text.ts';
import type { PeriodAnswer } from '#lib/subscriptions/read-subscription-detail.ts';
import { type PeriodState, periodStateOf } from '#lib/subscriptions/rules/subscription.ts';
import { PERIOD_STATE_TEXT, REFUNDS_NOT_REPORTED } from '#lib/subscriptions/text.ts';
import { moneyFact } from './period-money.tsx';

interface PeriodAnswerProps {
  game: Game;
  answer: PeriodAnswer;
  mayRefund: boolean;
  isKnownRecipient: boolean;
  canSeeEmails: boolean;
}

/** A period's status, charge and refunds, and the button that refunds it. */
export function PeriodSummaryCard({ game, answer, mayRefund, isKnownRecipient, canSeeEmails }: PeriodAnswerProps): ReactElement {
  const { period } = answer.report;
  const { state, sentence, refunded, refundedField, left } = summarizeCharge(answer);
  const text = PERIOD_STATE_TEXT[state];
  const dispute = disputeOf(answer.facts);
  const dateFact = (label: string, name: 'period_start' | 'period_end'): InvoFact => ({
    label,
    value: period[name] && <Instant at={period[name]} timeZone={game.timeZone} />,
    field: `period.${name}`,
  });
  const facts: InvoFact[] = [
    moneyFact('Refunded', refunded, refundedField),
    ...(period.paid_at === null ? [] : [{ label: 'Remaining', value: <Money amount={left} size="fact" />, note: 'charge less refunds' }]),
    {
      label: 'Settled',
      value: period.paid_at === null ? 'not paid' : <Instant at={period.paid_at} timeZone={game.timeZone} precision="second" />,
      field: 'period.paid_at',
    },
    dateFact('Period start', 'period_start'),
    dateFact('Period end', 'period_end'),
    { label: 'Period', value: period.period_seq, field: 'period.period_seq' },
    {
      label: 'Subscription',
      value: <Link href={`/${game.slug}/subscriptions/${encodeURIComponent(period.subscription_id)}`}>{period.subscription_id}</Link>,
      field: 'period.subscription_id',
      isWide: true,
    },
    { label: 'Recipient', isWide: true, ...recipientFact(game.slug, period, isKnownRecipient, canSeeEmails) },
  ];
  return (
    <Card isAnswer title={formatItem(period.item_name)}>
      <p className={detail.state}>
        <InvoField name="period.status">
          <Status tone={text.tone} word={text.label} />
        </InvoField>
      </p>
      <p className={detail.label}>{period.paid_at === null ? 'Price, not collected' : 'Charged to the player'}</p>
      <InvoField name="period.amount_usd">
        <Money amount={period.amount_usd} size="answer" />
      </InvoField>
      <p className={detail.sentence}>{sentence}</p>
      {dispute !== null && (
        <p className={detail.sentence}>
          <Flag tone="bad" word="Disputed" /> {formatDispute(dispute)} The player may already have been paid back.
        </p>
      )}
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
    const hasNoRecipient = paid_at === null || shareOf(period) === 'not_attributed';
    return { value: hasNoRecipient ? 'none' : 'unknown', field: 'period.attribution' };
  }
  const { recipient_player_id: id, recipient } = attribution;
  const email = recipient?.player_email ?? null;
  return {
    value: (
      <Link href={`/${slug}/${isKnownRecipient ? 'recipients' : 'players'}/${id}`}>{formatPlayer(recipient?.player_name ?? null, id)}</Link>
    ),
    field: 'attribution.recipient_player_id',
    note:
      recipient?.resolved === false
        ? `player ${id}, not found at Invo`
        : `player ${id}${email === null ? '' : `, ${formatEmail(email, canSeeEmails)}`}`,
  };
}

/** A charge and its refunds; null amounts are not reported, which isn't zero. */
export interface ChargeSummary {
  state: PeriodState;
  sentence: string;
  refunded: string | null;
  /** Invo's field of `refunded`: the report's sum, else the period's own. */
  refundedField: string;
  left: string | null;
}

/** Summarizes the charge of a period and its refunds, as far as Invo reports them. */
export function summarizeCharge({ report: { period, refunds }, facts }: PeriodAnswer): ChargeSummary {
  const refunded = facts.refunds_told ? facts.refunded_to_date_usd : null;
  const state = periodStateOf({ ...period, refunded_amount_usd: refunded });
  const areRefundsUnreported = refunded === null && state === 'paid';
  const isLeftKnown = refunded !== null && period.paid_at !== null && period.amount_usd !== null;
  return {
    state,
    sentence: areRefundsUnreported ? REFUNDS_NOT_REPORTED : PERIOD_STATE_TEXT[state].sentence,
    refunded,
    refundedField: refunds === null && refunded !== null ? 'period.refund.refunded_amount_usd' : 'refunds.refunded_to_date_usd',
    left: isLeftKnown ? subtractMoney(period.amount_usd ?? '0', refunded) : null,
  };
}

/** The button that refunds the period; disabled, with the reason, when Invo would refuse. */
function RefundButton({ href, facts, mayRefund }: { href: string; facts: PeriodFacts; mayRefund: boolean }): ReactElement | null {
  if (!mayRefund) return null;
  const blocker = findRefundBlocker(facts);
  if (blocker === null)
    return (
      <LinkButton kind="main" href={href}>
        Refund…
      </LinkButton>
    );
  return (
    <div className={detail.tools}>
      <Button isDisabled>Refund…</Button>
      <p className={detail.quiet}>{BLOCKER_TEXT[blocker]}</p>
    </div>
  );
}
