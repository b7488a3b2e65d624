import { formatInstant } from '../instant.ts';
import type { Period } from '../model.ts';
import { formatPercent, formatUsd } from '../money.ts';
import { REFERENCE_CASES, REFERENCE_NAMES } from './reference-cases.ts';
import { recipientOf, referencePeriods } from './reference-periods.ts';

/** The reference cases of a month as three Markdown tables: figures, other fields of their lines, and recipients. */
export function referenceTable(month: number): string {
  const periods = referencePeriods(month);
  return [
    table(
      ['period_id', 'subscription_id', 'recipient', 'paid_at', 'amount', 'fee', 'partner', 'percent', 'base', 'attributed', 'refunds'],
      periods.map(figures),
    ),
    table(
      ['period_id', 'seq', 'item_id', 'item_name', 'rail', 'amount_coins', 'balance_applied_coins', 'charged', 'period_end', 'covers'],
      periods.map(particulars),
    ),
    table(
      ['player_id', 'name as JSON', 'email', 'identity_id'],
      Object.keys(REFERENCE_NAMES).map((id) => person(Number(id))),
    ),
  ].join('\n\n');
}

function figures(period: Period): string[] {
  const { attribution } = period;
  const refunds = period.refunds.map(
    (refund) =>
      `${formatInstant(refund.atMs)} ${formatUsd(refund.amount)} (${refund.basis === 'period_row' ? 'period_row' : refund.partnerBasis})`,
  );
  return [
    String(period.id),
    period.subscription.id,
    attribution === null ? `none: ${period.reason}` : String(attribution.recipientId),
    period.paidMs === null ? `never (${period.unpaidStatus})` : (period.paidText ?? formatInstant(period.paidMs)),
    formatUsd(period.amount),
    formatUsd(period.fee),
    formatUsd(period.partner),
    attribution === null
      ? ''
      : attribution.isPercentNumber === true
        ? `${attribution.percentBp / 100} (number)`
        : formatPercent(attribution.percentBp),
    attribution === null ? '' : formatUsd(attribution.base),
    attribution === null ? '' : formatUsd(attribution.attributed),
    refunds.join('; '),
  ];
}

function particulars(period: Period): string[] {
  const slot = period.id % 10_000;
  const covers = REFERENCE_CASES.find((referenceCase) => referenceCase.slot === slot)?.covers ?? '';
  const charged = period.paidMs === null || period.isWalletCovered ? 'nothing' : `${formatUsd(period.amount)} by ${period.rail}`;
  return [
    String(period.id),
    String(period.seq),
    period.subscription.itemId,
    period.subscription.itemName,
    period.rail,
    period.coins,
    period.balanceCoins,
    charged,
    formatInstant(period.endMs),
    covers,
  ];
}

function person(playerId: number): string[] {
  const { identity } = recipientOf(playerId);
  if (identity === null) return [String(playerId), 'null, unresolved', 'null', 'null'];
  const escaped = JSON.stringify(identity.name).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return [
    String(playerId),
    identity.name.length > 100 ? `${escaped.slice(0, 9)}… (${identity.name.length} characters: "Long" 74 times, then "Name")` : escaped,
    identity.email,
    identity.identityId,
  ];
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}
