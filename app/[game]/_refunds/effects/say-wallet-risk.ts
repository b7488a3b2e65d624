import { formatMoney } from '#lib/core/money.ts';

/** What somebody confirms before coins are taken that may not be there; `risk` as `walletRiskOf` names it. */
export function sayWalletRisk(risk: string): string {
  return risk === 'unknown'
    ? 'I know that coins are taken from a wallet whose balance is not known, and that it may go below zero.'
    : `I know that the player’s wallet goes below zero, to ${formatMoney(risk)} coins.`;
}
