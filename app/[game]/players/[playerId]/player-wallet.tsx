import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { formatCard, formatExpiry } from '#app/[game]/_subscriptions/format-names.ts';
import { InvoField } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { formatMoney } from '#lib/core/money.ts';
import type { PlayerBalances, PlayerCards } from '#lib/invo/routes/support-reads.ts';
import type { Detail } from '#lib/subscriptions/read-detail.ts';

/** The balances of the wallet, one row per currency. Coins are never shown as dollars, and a balance may be negative. */
export function PlayerWallet({ balances }: { balances: Detail<PlayerBalances> }): ReactElement {
  if (balances.kind === 'not_found') return <p className={detail.quiet}>None. Invo has no wallet for this player.</p>;
  if (balances.kind === 'nothing') return <p className={detail.quiet}>Not read: Invo couldn’t be reached.</p>;
  const rows = balances.value.balances;
  if (rows.length === 0) return <p className={detail.quiet}>None. The wallet has no currencies.</p>;
  return (
    <SimpleTable
      label="Wallet balances"
      isInset
      rows={rows}
      keyOf={({ currency_id, currency_name }) => currency_id ?? currencyOf(currency_name)}
      columns={[
        { label: 'Currency', cell: ({ currency_name }) => <bdi>{currencyOf(currency_name)}</bdi> },
        { label: 'Available', isFigure: true, cell: (held) => <Amount field="available_balance" held={held} isKey /> },
        { label: 'Reserved', isFigure: true, cell: (held) => <Amount field="reserved_balance" held={held} /> },
        { label: 'Total', isFigure: true, cell: (held) => <Amount field="total_balance" held={held} /> },
      ]}
    />
  );
}

function currencyOf(name: string | null): string {
  return name === null ? 'coins' : showControls(name);
}

interface AmountProps {
  field: 'available_balance' | 'reserved_balance' | 'total_balance';
  held: PlayerBalances['balances'][number];
  isKey?: boolean;
}

function Amount({ field, held, isKey = false }: AmountProps): ReactElement {
  const amount = held[field];
  return (
    <InvoField name={`balances[].${field}`}>
      {amount === null ? (
        <span className={detail.missing}>{held.unreadable.some((name) => name === field) ? 'not readable' : 'not reported'}</span>
      ) : (
        <span className={clsx(isKey && detail.key)}>{formatMoney(amount)}</span>
      )}
    </InvoField>
  );
}

/** The saved cards, newest first; Invo doesn't list expired cards. */
export function PlayerCardsTable({ cards }: { cards: Detail<PlayerCards> }): ReactElement {
  if (!('value' in cards)) return <p className={detail.quiet}>Not read: Invo couldn’t be reached.</p>;
  const rows = cards.value.cards;
  if (rows.length === 0) return <p className={detail.quiet}>No valid cards. Invo doesn’t list expired cards.</p>;
  return (
    <SimpleTable
      label="Saved cards"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Card', cell: (card) => <span className={detail.when}>{formatCard(card)}</span> },
        { label: 'Expires', cell: (card) => formatExpiry(card) ?? 'not reported' },
        {
          label: 'Saved',
          isWideOnly: true,
          cell: ({ created_at }) => <span className={detail.when}>{created_at === null ? 'not reported' : formatUtc(created_at)}</span>,
        },
        { label: 'Card ID', cell: ({ id }) => id },
      ]}
    />
  );
}
