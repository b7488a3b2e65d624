import Link from 'next/link';
import type { ReactElement } from 'react';
import { type Fact, Facts } from '#app/_ui/figures/facts.tsx';
import { formatUtc } from '#app/_ui/figures/format.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import type { ActionFacts } from '#lib/actions/rules/action-facts.ts';
import { formatMoney, formatUsd } from '#lib/core/money.ts';
import { capitalise } from '#lib/core/strings.ts';
import { orderStatusText } from '#lib/orders/text.ts';
import { rewardStateText } from '#lib/players/text.ts';
import { transferStateText } from '#lib/transfers/text.ts';
import styles from './actions.module.css';

interface FactsCardProps {
  slug: string;
  playerId: number;
  name: string;
  facts: Omit<ActionFacts, 'request'>;
  /** They were read for the request: it may be otherwise by now. */
  isBefore?: boolean;
}

/** What the action rests on, as Invo reports it now, or reported it before the request. */
export function FactsCard({ slug, playerId, name, facts, isBefore = false }: FactsCardProps): ReactElement {
  const { wallet, sender, destination, order, cards, vault, status, read_at } = facts;
  return (
    <Card
      title={isBefore ? 'Before the request' : `As reported by Invo at ${formatUtc(read_at, 'second')}`}
      {...(isBefore ? { aside: <span className={styles.when}>Invo, {formatUtc(read_at, 'second')}</span> } : {})}
    >
      <Facts
        columns={2}
        facts={[
          {
            label: 'Player',
            value: <Link href={`/${slug}/players/${playerId}`}>{name}</Link>,
            ...(name === `Player ${playerId}` ? {} : { note: `Player ${playerId}` }),
          },
          ...availableOf(wallet, 'Available'),
          ...(sender === undefined || sender.player_id === playerId ? [] : availableOf(sender, 'Available in the house account')),
          ...(destination === undefined ? [] : [{ label: 'Into game', value: destination.game_name ?? destination.game_id }]),
          ...(order === null
            ? []
            : [
                {
                  label: 'Order',
                  value: <Link href={`/${slug}/orders/${encodeURIComponent(order.order_id)}`}>{order.order_id}</Link>,
                  isWide: true as const,
                },
                { label: 'Status', value: orderStatusText(order.status, 'currency').label },
                ...order.amounts.map(({ field, amount }) => ({
                  label:
                    field === 'usd_amount'
                      ? 'Price'
                      : field === 'currency_amount'
                        ? `Coins${order.currency_name === null ? '' : `, ${order.currency_name}`}`
                        : field,
                  value: field === 'usd_amount' ? formatUsd(amount) : formatMoney(amount),
                })),
              ]),
          ...(status === undefined
            ? []
            : [
                {
                  label: 'Transfer',
                  value: <Link href={`/${slug}/transfers/${encodeURIComponent(status.transaction_id)}`}>{status.transaction_id}</Link>,
                  isWide: true as const,
                },
                { label: 'State', value: transferStateText(status.verification_state, status.transaction_status).label },
                { label: 'Amount', value: status.amount === null ? 'Not reported' : formatMoney(status.amount) },
                { label: 'After fees', value: status.net_amount === null ? 'Not reported' : formatMoney(status.net_amount) },
                { label: 'Collect by', value: status.claim_expires_at === null ? 'Not reported' : formatUtc(status.claim_expires_at) },
              ]),
          ...(vault === undefined
            ? []
            : [
                {
                  label: 'Reward',
                  value: vault.reward_ref ?? 'Not reported',
                  note: vault.vault_entry_id,
                  isWide: true as const,
                },
                { label: 'State', value: rewardStateText(vault.state).label },
                { label: 'Expires', value: vault.expires_at === null ? 'Not reported' : formatUtc(vault.expires_at) },
                ...(vault.reveal_until === null ? [] : [{ label: 'Code can be shown again until', value: formatUtc(vault.reveal_until) }]),
              ]),
          ...(cards === null
            ? []
            : [
                {
                  label: 'Saved cards',
                  value:
                    cards.cards.length === 0
                      ? 'None'
                      : cards.cards.map(({ brand, last_four }) => `${capitalise(brand ?? 'card')} •••• ${last_four ?? '????'}`).join(', '),
                  isWide: true as const,
                },
              ]),
        ]}
      />
    </Card>
  );
}

function availableOf(wallet: ActionFacts['wallet'], label: string): Fact[] {
  return (wallet?.balances ?? []).map(({ currency_name, available_balance, reserved_balance }) => ({
    label: `${label}${currency_name === null ? '' : `, ${currency_name}`}`,
    value: formatMoney(available_balance),
    ...(reserved_balance === null ? {} : { note: `Reserved ${formatMoney(reserved_balance)}` }),
  }));
}
