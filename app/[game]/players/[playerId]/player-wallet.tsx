import { clsx } from 'clsx';
import type { ReactElement } from 'react';
import { formatUtc, showControls } from '#app/_ui/figures/format.ts';
import { Card } from '#app/_ui/layout/card.tsx';
import { TableFrame } from '#app/_ui/layout/simple-table.tsx';
import detail from '#app/[game]/_subscriptions/detail.module.css';
import { formatCard, formatExpiry } from '#app/[game]/_subscriptions/format-names.ts';
import { InvoField } from '#app/[game]/_subscriptions/invo-fields.tsx';
import { formatMoney } from '#lib/core/money.ts';
import type { PlayerDetail } from '#lib/players/read-player-detail.ts';

/** The balances of the wallet, one row per currency. Coins are never shown as dollars, and a balance may be negative. */
export function PlayerWallet({ balances }: { balances: Extract<PlayerDetail, { kind: 'player' }>['balances'] }): ReactElement {
  return (
    <Card title="Wallet">
      <Balances balances={balances} />
    </Card>
  );
}

function Balances({ balances }: { balances: Extract<PlayerDetail, { kind: 'player' }>['balances'] }): ReactElement {
  if (balances.kind === 'not_found') return <p className={detail.quiet}>None. Invo has no wallet for this player.</p>;
  if (balances.kind === 'nothing') return <p className={detail.quiet}>Not read: Invo couldn’t be reached.</p>;
  const rows = balances.value.balances;
  if (rows.length === 0) return <p className={detail.quiet}>None. The wallet has no currencies.</p>;
  return (
    <TableFrame label="Wallet balances">
      <thead>
        <tr>
          <th scope="col">Currency</th>
          <th scope="col" className="num">
            Available
          </th>
          <th scope="col" className="num">
            Reserved
          </th>
          <th scope="col" className="num">
            Total
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ currency_id, currency_name, available_balance, reserved_balance, total_balance }) => {
          const currency = currency_name === null ? 'coins' : showControls(currency_name);
          return (
            <tr key={currency_id ?? currency}>
              <th scope="row">
                <bdi>{currency}</bdi>
              </th>
              <Amount field="available_balance" amount={available_balance} isKey />
              <Amount field="reserved_balance" amount={reserved_balance} />
              <Amount field="total_balance" amount={total_balance} />
            </tr>
          );
        })}
      </tbody>
    </TableFrame>
  );
}

function Amount({ field, amount, isKey = false }: { field: string; amount: string | null; isKey?: boolean }): ReactElement {
  return (
    <td className="num">
      <InvoField name={`balances[].${field}`}>
        {amount === null ? (
          <span className={detail.missing}>not reported</span>
        ) : (
          <span className={clsx(isKey && detail.key)}>{formatMoney(amount)}</span>
        )}
      </InvoField>
    </td>
  );
}

/** The saved cards, newest first; Invo doesn't list expired cards. */
export function PlayerCardsCard({ cards }: { cards: Extract<PlayerDetail, { kind: 'player' }>['cards'] }): ReactElement {
  return (
    <section>
      <h2>Saved cards</h2>
      <Cards cards={cards} />
    </section>
  );
}

function Cards({ cards }: { cards: Extract<PlayerDetail, { kind: 'player' }>['cards'] }): ReactElement {
  if (!('value' in cards)) return <p className={detail.quiet}>Not read: Invo couldn’t be reached.</p>;
  const rows = cards.value.cards;
  if (rows.length === 0) return <p className={detail.quiet}>No valid cards. Invo doesn’t list expired cards.</p>;
  return (
    <TableFrame label="Saved cards">
      <thead>
        <tr>
          <th scope="col">Card</th>
          <th scope="col">Expires</th>
          <th scope="col">Saved</th>
          <th scope="col">Card ID</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, brand, last_four, exp_month, exp_year, created_at }) => (
          <tr key={id}>
            <th scope="row">
              <span className={detail.when}>{formatCard({ brand, last_four })}</span>
            </th>
            <td>{formatExpiry({ exp_month, exp_year }) ?? 'not reported'}</td>
            <td className={detail.when}>{created_at === null ? 'not reported' : formatUtc(created_at)}</td>
            <td>{id}</td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  );
}
