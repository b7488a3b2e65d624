import type { ReactElement } from 'react';
import { ListRow } from '#app/_ui/figures/row-list.tsx';
import { formatMoney, signOfMoney } from '#lib/core/money.ts';
import { coinsTaken, type RefundEstimate } from '#lib/refunds/rules/estimate.ts';
import styles from './wallet-effect.module.css';

/** The player's wallet before and after; below zero in red and in words. */
export function WalletEffect({ estimate }: { estimate: RefundEstimate }): ReactElement {
  const { wallets } = estimate;
  const [wallet, ...others] = wallets ?? [];
  if (wallet === undefined)
    return (
      <ListRow label="Wallet" note={wallets === null ? 'Invo did not tell the balance.' : null}>
        {wallets === null ? 'not known' : 'The player has none'}
      </ListRow>
    );
  if (others.length > 0)
    return (
      <ListRow label="Wallet" note="Invo does not say which of them a refund moves.">
        {[wallet, ...others].map(({ currency_name, before }) => `${formatMoney(before)} ${currency_name ?? 'coins'}`).join(', ')} now
      </ListRow>
    );
  const name = wallet.currency_name ?? 'coins';
  const isBelowZero = wallet.after !== null && signOfMoney(wallet.after) < 0;
  const owes = coinsTaken(estimate) === null ? 'It was below zero before.' : 'The player spent coins that are taken back, and owes them.';
  return (
    <ListRow label="Wallet" note={isBelowZero ? owes : null}>
      {formatMoney(wallet.before)} →{' '}
      {wallet.after === null ? (
        'not known'
      ) : (
        <span className={isBelowZero ? styles.negative : undefined}>
          {formatMoney(wallet.after)} <bdi>{name}</bdi>
          {isBelowZero && ', below zero'}
        </span>
      )}
    </ListRow>
  );
}
