import type { ReactElement } from 'react';
import { formatMonth, formatUtc } from '#app/_ui/figures/format-instant.ts';
import { ListRow, RowList } from '#app/_ui/figures/row-list.tsx';
import { formatMoney, signOfMoney } from '#lib/core/money.ts';
import type { RefundEstimate, ReversalPreview } from '#lib/refunds/rules/estimate.ts';
import type { RefundFacts } from '#lib/refunds/rules/period.ts';
import { shareOf } from '#lib/refunds/rules/period.ts';
import { describeAccess } from './describe-access.ts';
import { describeCoins } from './describe-coins.ts';
import { describeCost } from './describe-cost.ts';
import { describeRecipient } from './describe-recipient.ts';
import { WalletEffect } from './wallet-effect.tsx';

export interface EffectsProps {
  slug: string;
  facts: RefundFacts;
  estimate: RefundEstimate;
  reversal: ReversalPreview;
}

/** What a refund is expected to do, line by line; what cannot be told says so and is never a zero. */
export function Effects({ slug, facts, estimate, reversal }: EffectsProps): ReactElement {
  return (
    <RowList>
      <CardEffect facts={facts} estimate={estimate} />
      <ListRow label="Coins" note={coinsNote(estimate)}>
        {describeCoins(estimate.balance_delta_coins)}
      </ListRow>
      <WalletEffect estimate={estimate} />
      <CostEffect estimate={estimate} />
      <RecipientEffect facts={facts} estimate={estimate} />
      <ReversalEffect slug={slug} facts={facts} reversal={reversal} />
      <AccessEffect facts={facts} estimate={estimate} />
      <ListRow label="Of this period">
        {formatMoney(estimate.total_refunded_amount_usd)} USD refunded in all, {formatMoney(estimate.remaining_refundable_usd)} USD left
      </ListRow>
    </RowList>
  );
}

function CardEffect({ facts, estimate }: Pick<EffectsProps, 'facts' | 'estimate'>): ReactElement {
  const { card_refunded_usd: card, is_full_refund } = estimate;
  if (card === null)
    return (
      <ListRow label="To the card" note="Invo does not tell what the card was charged for this period.">
        not known
      </ListRow>
    );
  if (signOfMoney(card) > 0)
    return (
      <ListRow label="To the card" isStrong note="This refund completes the period, and only then the whole charge goes back.">
        {formatMoney(card)} USD
      </ListRow>
    );
  const note = is_full_refund
    ? `The wallet paid for this period${facts.period.rail === 'pcstore' ? ', not the store' : ''}: coins only.`
    : 'A partial refund never touches the card.';
  return (
    <ListRow label="To the card" note={note}>
      Nothing
    </ListRow>
  );
}

function CostEffect({ estimate }: Pick<EffectsProps, 'estimate'>): ReactElement {
  const kept = estimate.invo_fee_retained_usd;
  const note = `Invo keeps its fee${kept === null ? '' : ` of ${formatMoney(kept)} USD`}; it never comes back.`;
  return (
    <ListRow label="Costs you" note={note}>
      {describeCost(estimate)}
    </ListRow>
  );
}

function RecipientEffect({ facts, estimate: { recipient } }: Pick<EffectsProps, 'facts' | 'estimate'>): ReactElement {
  return (
    <ListRow label="Recipient" note={recipient === null ? null : 'The corrected figure to pay; Invo moves nothing.'}>
      {describeRecipient(facts, recipient)}
    </ListRow>
  );
}

function ReversalEffect({ slug, facts, reversal: { month, orLater } }: Omit<EffectsProps, 'estimate'>): ReactElement {
  const share = shareOf(facts.period);
  if (share === 'not_attributed') return <ListRow label="Reversal">None: there is no share to take back</ListRow>;
  if (share === 'unknown') return <ListRow label="Reversal">Not known: Invo has no attribution of this period on record</ListRow>;
  return (
    <ListRow label="Reversal" note="Invo reports it in the month it is carried out in; no earlier month changes.">
      in the report of <a href={`/${slug}/months/${month}/reversals`}>{formatMonth(month)}</a>
      {orLater !== null && `; in that of ${formatMonth(orLater.month)} if it is carried out from ${formatUtc(orLater.from)} on`}
    </ListRow>
  );
}

function AccessEffect({ facts, estimate: { access } }: Pick<EffectsProps, 'facts' | 'estimate'>): ReactElement {
  const note = 'A refund does not cancel the subscription; cancelling is a step of its own.';
  if (access === null)
    return (
      <ListRow label="Access" note={note}>
        not known
      </ListRow>
    );
  return (
    <ListRow label="Access" note={note}>
      {describeAccess(access, facts.read_at)}
    </ListRow>
  );
}

function coinsNote({ balance_delta_coins: delta, is_full_refund }: RefundEstimate): string | null {
  if (delta === null) return 'Invo does not tell how many coins paid for this period.';
  if (signOfMoney(delta) < 0) return 'Coins that earlier partial refunds had handed out are taken back.';
  return is_full_refund || signOfMoney(delta) === 0 ? null : 'Ten coins for a dollar.';
}
