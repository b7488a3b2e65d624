import type { ReactElement } from 'react';
import { Notice } from '#app/_ui/words/notice.tsx';
import { ComparedTable } from '#app/[game]/_subscriptions/invo-fields.tsx';
import type { RefundDetail } from '#db/refunds/reads/find-refund.ts';
import type { Figure } from '#lib/core/comparison.ts';
import { formatMoney, parseMoney } from '#lib/core/money.ts';
import { compareReceipt, type KeptReceipt, type ReceiptFigure } from '#lib/refunds/rules/compare-receipt.ts';
import { FIELD_LABELS } from './field-labels.ts';
import styles from './refund.module.css';

/** What Invo says it did beside what was expected, field by field; differences in words. */
export function ReceiptTable({ refund: { receipt, estimate, outcomeSource, transaction_id } }: { refund: RefundDetail }): ReactElement {
  if (receipt === null)
    return (
      <Notice voice="wait" title="Two people said that it was refunded; there is no receipt yet">
        The figures are read from the period, which shows the refund itself; they stand here as soon as that is done.
      </Notice>
    );
  // What neither side knows is no row: a period without a share has no recipient to speak of.
  const rows = compareReceipt(estimate, receipt).filter(({ expected, told }) => expected !== null || told !== null);
  const differing = namesOf(rows.filter(({ agrees }) => agrees === false));
  const untold = hasOwnReceipt(outcomeSource) ? namesOf(rows.filter(({ told }) => told === null)) : '';
  return (
    <section aria-labelledby="receipt">
      <h2 id="receipt">{hasOwnReceipt(outcomeSource) ? 'The receipt beside the estimate' : 'What the period shows beside the estimate'}</h2>
      <p className={styles.note}>
        {differing === ''
          ? rows.every(({ agrees }) => agrees)
            ? 'Every figure is as expected.'
            : 'Where both are known they agree.'
          : `Not as expected: ${differing}. What Invo says is what holds.`}
        {untold !== '' && ` Expected, and not on the receipt: ${untold}.`}
      </p>
      <Remarks receipt={receipt} outcomeSource={outcomeSource} />
      <ComparedTable
        areFigures
        label="Receipt beside estimate"
        rows={rows.map(({ unit, field, expected, told, agrees }) => ({
          field,
          label: FIELD_LABELS[field] ?? field,
          expected: sayFigure(unit, expected, 'not known'),
          told: sayFigure(unit, told, 'not told'),
          agrees,
        }))}
      />
      <p className={styles.note}>
        {[
          transaction_id === null ? null : `transaction_id ${transaction_id}`,
          receipt.funding_shape === null ? null : `funding_shape ${receipt.funding_shape}`,
          receipt.processor_refund_reference === null ? null : `processor_refund_reference ${receipt.processor_refund_reference}`,
          receipt.refunded_at === null ? null : `refunded_at ${receipt.refunded_at}`,
        ]
          .filter((each) => each !== null)
          .join(' · ')}
      </p>
    </section>
  );
}

function namesOf(rows: ReceiptFigure[]): string {
  return rows.map(({ field }) => FIELD_LABELS[field] ?? field).join(', ');
}

function Remarks({ receipt, outcomeSource }: { receipt: KeptReceipt; outcomeSource: string | null }): ReactElement {
  return (
    <>
      {!hasOwnReceipt(outcomeSource) && (
        <Notice voice="note" title={outcomeSource === 'people' ? 'Two people said that it was refunded' : 'Invo lost the receipt'}>
          The figures below are read from the period; what it does not show is not told.
        </Notice>
      )}
      {receipt.processor_refund_adopted === true && (
        <Notice voice="note" title="The card refund was made by an earlier try and recorded by this one">
          It is not a second card movement: the card got its money back once.
        </Notice>
      )}
    </>
  );
}

function hasOwnReceipt(outcomeSource: string | null): boolean {
  return outcomeSource === 'receipt' || outcomeSource === 'replay';
}

function sayFigure(unit: ReceiptFigure['unit'], figure: Figure, missing: string): string {
  if (figure === null) return missing;
  if (typeof figure === 'boolean') return figure ? 'yes' : 'no';
  return unit === 'words' || parseMoney(figure) === null ? figure : `${formatMoney(figure)} ${unit === 'usd' ? 'USD' : 'coins'}`;
}
