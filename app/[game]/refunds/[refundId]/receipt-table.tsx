import type { ReactElement } from 'react';
import { Notice } from '#app/_ui/words/notice.tsx';
import { ComparedTable } from '#app/[game]/_subscriptions/invo-fields.tsx';
import type { Figure } from '#lib/core/comparison.ts';
import { formatMoney, formatUsd, parseMoney } from '#lib/core/money.ts';
import { compareReceipt, type ReceiptFigure, type StoredReceipt } from '#lib/refunds/rules/receipt.ts';
import type { Refund } from '#lib/refunds/rules/refund.ts';
import styles from './refund.module.css';

/** Labels of the figures of a receipt, by Invo's names. */
const FIELD_LABELS: Readonly<Record<string, string>> = {
  refunded_amount_usd: 'Refunded',
  card_refunded_usd: 'Refunded to the card',
  balance_delta_coins: 'Coins',
  new_balance: 'Wallet balance after',
  is_full_refund: 'Completes the period',
  total_refunded_amount_usd: 'Total refunded for the period',
  remaining_refundable_usd: 'Remaining for the period',
  partner_revenue_reversed_usd: 'Partner revenue reversed',
  partner_revenue_reversal_mode: 'Reversal mode',
  card_fee_charged_to_partner_usd: 'Card fee charged to you',
  invo_fee_retained: 'Invo keeps its fee',
  recipient_player_id: 'Recipient (player ID)',
  original_attributed_amount_usd: 'Attributed to the recipient',
  refunded_attributed_amount_usd: 'Total reversed from the recipient',
  net_attributed_amount_usd: 'Net attributed to the recipient',
};

/** Invo's receipt compared with the estimate, field by field; differences in words. */
export function ReceiptTable({ refund: { receipt, estimate, outcomeSource, transaction_id } }: { refund: Refund }): ReactElement {
  if (receipt === null)
    return (
      <Notice voice="wait" title="Two people recorded this as refunded; there is no receipt yet">
        Sharebook reads the figures from the period. They appear here as soon as the period shows the refund.
      </Notice>
    );
  // What neither side knows is no row: a period without a share has no recipient.
  const rows = compareReceipt(estimate, receipt).filter(({ expected, reported }) => expected !== null || reported !== null);
  const differing = namesOf(rows.filter(({ agrees }) => agrees === false));
  const isOwn = outcomeSource === 'receipt' || outcomeSource === 'replay';
  const missing = isOwn ? namesOf(rows.filter(({ reported }) => reported === null)) : '';
  const matching = rows.every(({ agrees }) => agrees) ? 'All figures match the estimate.' : 'All figures known on both sides match.';
  return (
    <section aria-labelledby="receipt">
      <h2 id="receipt">{isOwn ? 'Receipt compared with the estimate' : 'Period compared with the estimate'}</h2>
      <p className={styles.note}>
        {differing === '' ? matching : `Different from the estimate: ${differing}. Invo’s figures apply.`}
        {missing !== '' && ` Estimated, but not on the receipt: ${missing}.`}
      </p>
      {!isOwn && (
        <Notice voice="note" title={outcomeSource === 'people' ? 'Two people recorded this as refunded' : 'Invo no longer has the receipt'}>
          These figures are read from the period. Figures it doesn’t show are not reported.
        </Notice>
      )}
      {receipt.processor_refund_adopted === true && (
        <Notice voice="note" title="An earlier attempt made the card refund; this attempt recorded it">
          The card was refunded once.
        </Notice>
      )}
      <ComparedTable
        areFigures
        label="Receipt and estimate"
        rows={rows.map(({ unit, field, expected, reported, agrees }) => ({
          field,
          label: FIELD_LABELS[field] ?? field,
          expected: formatFigure(unit, expected, 'Unknown'),
          reported: formatFigure(unit, reported, 'Not reported'),
          agrees,
        }))}
      />
      <p className={styles.note}>{formatIds(receipt, transaction_id)}</p>
    </section>
  );
}

function namesOf(rows: ReceiptFigure[]): string {
  return rows.map(({ field }) => FIELD_LABELS[field] ?? field).join(', ');
}

function formatFigure(unit: ReceiptFigure['unit'], figure: Figure, missing: string): string {
  if (figure === null) return missing;
  if (typeof figure === 'boolean') return figure ? 'Yes' : 'No';
  if (unit === 'text' || parseMoney(figure) === null) return figure;
  return unit === 'usd' ? formatUsd(figure) : `${formatMoney(figure)} coins`;
}

function formatIds({ funding_shape, processor_refund_reference, refunded_at }: StoredReceipt, transaction_id: string | null): string {
  return Object.entries({ transaction_id, funding_shape, processor_refund_reference, refunded_at })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name} ${value}`)
    .join(' · ');
}
