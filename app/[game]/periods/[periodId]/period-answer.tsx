import Link from 'next/link';
import type { ReactElement } from 'react';
import type { Game } from '#app/_server/game.ts';
import { showControls } from '#app/_ui/data-table/cells/visible-text.ts';
import { Instant } from '#app/_ui/figures/instant.tsx';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { Status } from '#app/_ui/words/status.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { type InvoFact, InvoFacts } from '#app/[game]/_subscriptions/invo-facts.tsx';
import { InvoField } from '#app/[game]/_subscriptions/invo-field.tsx';
import { maskEmail } from '#lib/core/roles.ts';
import { shareOf } from '#lib/refunds/rules/period.ts';
import type { PeriodAnswer } from '#lib/subscriptions/read-period-detail.ts';
import { CYCLE_WORDS } from '#lib/subscriptions/rules/cycle-state.ts';
import { RefundDoor } from './refund-door.tsx';
import { tellCharge } from './tell-charge.ts';

interface PeriodAnswerProps {
  game: Game;
  answer: PeriodAnswer;
  mayRefund: boolean;
  isKnownRecipient: boolean;
  canSeeEmails: boolean;
}

/** What this period is: its state, what was charged for it, what went back, and the way to a refund. */
export function PeriodAnswerCard({ game, answer, mayRefund, isKnownRecipient, canSeeEmails }: PeriodAnswerProps): ReactElement {
  const { period } = answer.report;
  const { state, sentence, refunded, refundedField, left } = tellCharge(answer);
  const words = CYCLE_WORDS[state];
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
      <RefundDoor href={`/${game.slug}/periods/${period.period_id}/refund`} facts={answer.facts} mayRefund={mayRefund} />
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
    const isNobody = paid_at === null || shareOf(period) === 'not_attributed';
    return { value: isNobody ? 'not_attributed' : 'not known', field: 'period.attribution' };
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
