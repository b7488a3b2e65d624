import type { ReactElement } from 'react';
import { ListRow, RowList } from '#app/_ui/figures/facts.tsx';
import { formatInstant, formatMonth, formatUtc } from '#app/_ui/figures/format.ts';
import { compareInstants } from '#lib/core/instant.ts';
import { formatMoney, formatUsd, signOfMoney } from '#lib/core/money.ts';
import { coinsTaken, type ReversalPreview, takesMintedCoins } from '#lib/refunds/rules/estimate.ts';
import { disputeOf, shareOf } from '#lib/refunds/rules/period.ts';
import type { PeriodFacts, RefundEstimate, RefundFacts } from '#lib/refunds/rules/stored.ts';
import { formatCoins, formatCost, formatDispute, formatRecipient } from '#lib/refunds/text.ts';
import styles from './effects.module.css';

export interface EffectsProps {
  slug: string;
  facts: RefundFacts;
  estimate: RefundEstimate;
  reversal: ReversalPreview;
}

/** The estimated effects of a refund, line by line; what is unknown says so and is never a zero. */
export function Effects({ slug, facts, estimate, reversal }: EffectsProps): ReactElement {
  return (
    <RowList>
      <DisputeEffect period={facts.period} />
      <CardEffect facts={facts} estimate={estimate} />
      <ListRow label="Coins" note={coinsNote(estimate)}>
        {formatCoins(estimate.balance_delta_coins)}
      </ListRow>
      <WalletEffect estimate={estimate} />
      <CostEffect estimate={estimate} />
      <ListRow
        label="Recipient"
        note={estimate.recipient === null ? null : 'The net attributed amount after this refund. Invo moves no money.'}
      >
        {formatRecipient(facts, estimate.recipient)}
      </ListRow>
      <ReversalEffect slug={slug} facts={facts} reversal={reversal} />
      <ListRow label="Access" note="A refund doesn’t cancel the subscription. Canceling is a separate step.">
        {estimate.access === null ? 'Unknown' : formatAccess(estimate.access, facts.read_at)}
      </ListRow>
      <ListRow label="Period total">
        {formatUsd(estimate.total_refunded_amount_usd)} refunded, {formatUsd(estimate.remaining_refundable_usd)} remaining
      </ListRow>
    </RowList>
  );
}

/** A chargeback; nothing where there is none. */
function DisputeEffect({ period }: Pick<RefundFacts, 'period'>): ReactElement | null {
  const dispute = disputeOf(period);
  if (dispute === null) return null;
  return (
    <ListRow label="Disputed" isStrong note="The player may already have been paid back. Check with Invo before you refund.">
      <span className={styles.negative}>{formatDispute(dispute)}</span>
    </ListRow>
  );
}

function CardEffect({ facts, estimate }: Pick<EffectsProps, 'facts' | 'estimate'>): ReactElement {
  const card = estimate.card_refunded_usd;
  const isCharged = card !== null && signOfMoney(card) > 0;
  const nothing = card === null ? 'Unknown' : 'Nothing';
  return (
    <ListRow label="Card" note={cardNote(facts, estimate)} isStrong={isCharged}>
      {isCharged ? formatUsd(card) : nothing}
    </ListRow>
  );
}

function cardNote({ period }: RefundFacts, { card_refunded_usd: card, is_full_refund }: RefundEstimate): string {
  if (card === null) return 'Invo doesn’t report the card charge of this period.';
  if (signOfMoney(card) > 0) return 'This refund completes the period, so the full card charge is refunded.';
  if (!is_full_refund) return 'Partial refunds never go to the card.';
  return `The wallet paid for this period${period.rail === 'pcstore' ? ', not the store' : ''}, so only coins are refunded.`;
}

function coinsNote(estimate: RefundEstimate): string | null {
  const { balance_delta_coins: delta, is_full_refund } = estimate;
  if (takesMintedCoins(estimate))
    return 'Coins that the card charge minted are taken back. Invo doesn’t report how many; the wallet may go below zero.';
  if (delta === null) return 'Invo doesn’t report how many coins paid for this period.';
  if (signOfMoney(delta) < 0) return 'Coins from earlier partial refunds are taken back.';
  return is_full_refund || signOfMoney(delta) === 0 ? null : '10 coins per $1.00.';
}

/** The player’s wallet before and after; below zero in red and in words. */
function WalletEffect({ estimate }: Pick<EffectsProps, 'estimate'>): ReactElement {
  const { wallets } = estimate;
  const [wallet, ...others] = wallets ?? [];
  if (wallet === undefined)
    return (
      <ListRow label="Wallet" note={wallets === null ? 'Invo didn’t report the balance.' : null}>
        {wallets === null ? 'Unknown' : 'The player has no wallet'}
      </ListRow>
    );
  if (others.length > 0)
    return (
      <ListRow label="Wallet" note="Invo doesn’t report which balance a refund changes.">
        {[wallet, ...others].map(({ currency_name, before }) => `${formatMoney(before)} ${currency_name ?? 'coins'}`).join(', ')} now
      </ListRow>
    );
  const isBelowZero = wallet.after !== null && signOfMoney(wallet.after) < 0;
  const belowZeroNote =
    coinsTaken(estimate) === null
      ? 'The balance was already below zero.'
      : 'The player has spent coins that are taken back, and owes them.';
  return (
    <ListRow label="Wallet" note={isBelowZero ? belowZeroNote : null}>
      {formatMoney(wallet.before)} →{' '}
      {wallet.after === null ? (
        'unknown'
      ) : (
        <span className={isBelowZero ? styles.negative : undefined}>
          {formatMoney(wallet.after)} <bdi>{wallet.currency_name ?? 'coins'}</bdi>
          {isBelowZero && ', below zero'}
        </span>
      )}
    </ListRow>
  );
}

function CostEffect({ estimate }: Pick<EffectsProps, 'estimate'>): ReactElement {
  const fee = estimate.invo_fee_retained_usd;
  return (
    <ListRow label="Cost to you" note={`Invo keeps its fee${fee === null ? '' : ` of ${formatUsd(fee)}`}.`}>
      {formatCost(estimate)}
    </ListRow>
  );
}

function ReversalEffect({ slug, facts, reversal: { month, orLater } }: Omit<EffectsProps, 'estimate'>): ReactElement {
  const share = shareOf(facts.period);
  if (share === 'not_attributed') return <ListRow label="Reversal">None: no recipient has a share</ListRow>;
  if (share === 'unknown') return <ListRow label="Reversal">Unknown: Invo reports no attribution for this period</ListRow>;
  return (
    <ListRow label="Reversal" note="Invo reports the reversal in the month of the refund. Earlier months don’t change.">
      In <a href={`/${slug}/months/${month}/reversals`}>{formatMonth(month)}</a>
      {orLater !== null && `, or in ${formatMonth(orLater.month)} if the refund is made on or after ${formatUtc(orLater.from)}`}
    </ListRow>
  );
}

/** The start and the end of a period, in UTC. */
export function formatPeriodDates({ period_start: start, period_end: end }: Pick<PeriodFacts, 'period_start' | 'period_end'>): string {
  if (start === null && end === null) return 'dates not reported';
  if (end === null) return `from ${formatUtc(start ?? '')}, end not reported`;
  return start === null ? `until ${formatUtc(end)}, start not reported` : `${formatInstant(start, 'UTC')} to ${formatUtc(end)}`;
}

/** What a refund does to access, as seen at `now`: a period refunded in full no longer counts toward paid_through (document 2, States). */
export function formatAccess({ until_before: before, until_after: after }: NonNullable<RefundEstimate['access']>, now: string): string {
  if (before === null) return 'None: no paid access';
  if (compareInstants(before, now) <= 0) return `Already ended on ${formatUtc(before)}`;
  if (after === null) return `Ends immediately (was until ${formatUtc(before)}; no paid time remains)`;
  if (compareInstants(after, before) === 0) return `Unchanged, until ${formatUtc(before)}`;
  return compareInstants(after, now) > 0
    ? `Ends on ${formatUtc(after)} instead of ${formatUtc(before)}`
    : `Ends immediately (was until ${formatUtc(before)}; the remaining paid time ended on ${formatUtc(after)})`;
}
