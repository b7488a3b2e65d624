import type { ReactElement, ReactNode } from 'react';
import { countNoun, formatCount } from '#app/_ui/figures/format.ts';
import { Money } from '#app/_ui/figures/money.tsx';
import { Card } from '#app/_ui/layout/card.tsx';
import { NarrowNote, type SimpleColumn, SimpleTable } from '#app/_ui/layout/simple-table.tsx';
import { negateMoney } from '#lib/core/money.ts';
import type { JoinedTotals } from '#lib/evidence/rules/totals.ts';
import { AFTER_FEES_GAP_TEXT, afterFeesOf, type DetailFigures } from '#lib/fees/rules/detail-figures.ts';
import styles from './fees.module.css';

export interface FeeRow {
  label: string;
  /** A deduction is negative; a text replaces a figure that doesn't exist. */
  amount: { usd: string } | { text: string };
  /** What the figure is about, and what it lacks. */
  basis: string;
  isTotal?: boolean;
}

type Totals = Pick<JoinedTotals, 'partner_revenue_usd' | 'reversals_without_receipts'>;

/** From partner revenue to what is left of it after fees, each fee with the periods it was read for. */
export function FeeTable({ figures, totals }: { figures: DetailFigures; totals: Totals }): ReactElement {
  const after = afterFeesOf(figures, totals);
  return (
    <Card title="After fees" aside={<span className={styles.unit}>USD</span>}>
      <SimpleTable
        label="Fees and what is left after them"
        isInset
        columns={COLUMNS}
        rows={feeRows(figures, totals)}
        keyOf={({ label }) => label}
      />
      {'gaps' in after && (
        <div className={styles.gaps}>
          <p>Partner revenue after fees isn’t available for this month:</p>
          <ul>
            {after.gaps.map((gap) => (
              <li key={gap}>{AFTER_FEES_GAP_TEXT[gap]}</li>
            ))}
          </ul>
        </div>
      )}
      <p className={styles.text}>
        Card fees of a charge, chargeback fees and held amounts are of the periods that settled in this month, as last read. Card fees on
        refunds are a separate payout line: those of this month’s refunds.
      </p>
    </Card>
  );
}

const COLUMNS: SimpleColumn<FeeRow>[] = [
  {
    label: 'Fee',
    cell: ({ label, basis }) => (
      <>
        {label}
        <NarrowNote>{basis}</NarrowNote>
      </>
    ),
  },
  { label: 'Basis', isWideOnly: true, cell: ({ basis }) => <span className={styles.basis}>{basis}</span> },
  { label: 'Amount', isFigure: true, cell: (row) => amountOf(row) },
];

function amountOf({ amount, isTotal = false }: FeeRow): ReactNode {
  return 'usd' in amount ? <Money amount={amount.usd} isStrong={isTotal} /> : <span className={styles.missing}>{amount.text}</span>;
}

/** The rows of the table. Not read, not recorded, not available and none are never mixed. */
export function feeRows(figures: DetailFigures, totals: Totals): FeeRow[] {
  const { cardPeriods, refunded, pass_through, chargeback, held, card_fee } = figures;
  const after = afterFeesOf(figures, totals);
  const ofCharge = (label: string, leg: Leg): FeeRow => ({
    label,
    amount: legAmount(leg, cardPeriods),
    basis: join([readFor(cardPeriods, 'card period'), unrecorded(leg)]),
  });
  return [
    { label: 'Partner revenue, net of reversals', amount: { usd: totals.partner_revenue_usd }, basis: 'Invo’s total of the month' },
    ofCharge('International card fee', pass_through),
    ofCharge('Chargeback fees', chargeback),
    ofCharge('Held for disputes', held),
    {
      label: 'Card fee on refunds',
      amount: legAmount(card_fee, refunded),
      basis: join([
        readFor(refunded, 'refunded period'),
        unrecorded(card_fee),
        card_fee.undated === 0 ? '' : `${formatCount(card_fee.undated)} refunded in several months not added`,
      ]),
    },
    {
      label: 'Partner revenue after fees',
      amount: 'amount_usd' in after ? { usd: after.amount_usd } : { text: 'not available' },
      basis: 'amount_usd' in after ? 'Every period is read' : `${countNoun(after.gaps.length, 'reason')} below`,
      isTotal: true,
    },
  ];
}

type Leg = DetailFigures['pass_through'];

function legAmount({ amount_usd, unrecorded }: Leg, { count, read }: { count: number; read: number }): FeeRow['amount'] {
  if (count === 0) return { text: 'none' };
  if (read === 0) return { text: 'not read' };
  return unrecorded === read ? { text: 'not recorded' } : { usd: negateMoney(amount_usd) };
}

/** `Read for 412 of 420 card periods, 8 not read`. */
function readFor({ count, read }: { count: number; read: number }, noun: string): string {
  if (count === 0) return `No ${noun}s`;
  return join([
    `Read for ${formatCount(read)} of ${countNoun(count, noun)}`,
    read === count ? '' : `${formatCount(count - read)} not read`,
  ]);
}

function unrecorded({ unrecorded: count }: Leg): string {
  return count === 0 ? '' : `not recorded for ${formatCount(count)}`;
}

function join(parts: string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}
