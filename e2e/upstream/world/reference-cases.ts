import type { PartnerBasis, ReversalBasis, UnattributedReason } from '../model.ts';

interface ReferenceRefund {
  /** 0: the month of the line. */
  monthsLater: 0 | 1;
  day: number;
  time: string;
  amount: string;
  basis?: ReversalBasis;
  partnerBasis?: PartnerBasis;
}

export interface ReferenceCase {
  /** The period id is YYYYMM followed by these four digits. */
  slot: number;
  /** The calendar months it exists in. Absent: every month. */
  months?: 'even' | 'odd';
  day: number | 'last';
  time: string;
  /** The time as written in answers, when not UTC with milliseconds. */
  spelledTime?: string;
  item?: string;
  amount: string;
  fee: string;
  /** The percentage from January to June and, if it changes, from July. */
  percent?: string;
  percentFromJuly?: string;
  isPercentNumber?: boolean;
  base?: string;
  attributed?: string;
  attributedFromJuly?: string;
  recipientId?: number;
  reason?: UnattributedReason;
  rail?: 'card' | 'pcstore';
  isWalletCovered?: boolean;
  coins?: string;
  /** Coins applied before 2026-09-17; "0.00" on card lines from then on. */
  balanceCoins?: string;
  unpaidStatus?: 'failed';
  places?: 4;
  fees?: { passThrough: string; chargeback: string; held: string };
  refunds?: readonly ReferenceRefund[];
  covers: string;
}

/** The recipients of the reference cases. Each name is hard for a table, a file or a database to handle. */
export const REFERENCE_NAMES: Readonly<Record<number, string | null>> = {
  9001: '=SUM(A1)',
  9002: '-1+1',
  9003: 'Kestrel "Kes" O\'Neil, Guild\nHouse Three',
  9004: '🜲 Nova 🎮 \u202Elive\u202C',
  9005: `${'Long'.repeat(74)}Name`,
  9006: '＝HYPERLINK("https://example.invalid","x")',
  9007: 'Nul\u0000Byte <b>&amp;</b>',
  9008: null,
  9009: 'Halcyon Drift',
  9010: 'Juniper Tide',
  9012: 'Zero Lantern',
  9013: 'Coarse Harbour',
  9014: '\t+Tabbed',
  9019: 'Sable Quill',
  9021: 'Odd Meridian',
  9022: 'Even Meridian',
};

/** Day 1 of every month, and a few lines just outside it. Fees are ten percent unless the covered rule needs otherwise. */
export const REFERENCE_CASES: readonly ReferenceCase[] = [
  // W2, window edges: the first millisecond belongs to the window.
  {
    slot: 1,
    day: 1,
    time: '00:00:00.000',
    amount: '20.00',
    fee: '2.00',
    percent: '10',
    base: '18.00',
    attributed: '1.80',
    recipientId: 9001,
    covers: 'W2: first millisecond, inside',
  },
  // W2 and M12: the last millisecond of the day belongs to it; fees beside the two shares never change the base.
  {
    slot: 2,
    day: 1,
    time: '23:59:59.999',
    item: "@SUM(1+1)*cmd|' /C calc'!A0",
    amount: '30.00',
    fee: '3.00',
    percent: '10',
    base: '27.00',
    attributed: '2.70',
    recipientId: 9001,
    fees: { passThrough: '0.75', chargeback: '15.00', held: '20.00' },
    covers: 'W2: last millisecond, inside; M12: fees beside the shares',
  },
  // W2: the last millisecond of the month, just before day 1 of the next.
  {
    slot: 3,
    day: 'last',
    time: '23:59:59.999',
    amount: '40.00',
    fee: '4.00',
    percent: '10',
    base: '36.00',
    attributed: '3.60',
    recipientId: 9014,
    covers: 'W2: the millisecond before the window, outside',
  },
  // V4, V6, W6: refunded in part at once and the rest a month later, each in its own window.
  {
    slot: 4,
    day: 1,
    time: '01:00:00.000',
    amount: '50.00',
    fee: '5.00',
    percent: '20',
    base: '45.00',
    attributed: '9.00',
    recipientId: 9010,
    refunds: [
      { monthsLater: 0, day: 1, time: '08:00:00.000', amount: '15.00' },
      { monthsLater: 1, day: 1, time: '10:00:00.000', amount: '35.00' },
    ],
    covers: 'V6, P8: partial now, completed next month',
  },
  // V3, M9: two partial refunds and the one that completes the period; shares with four decimals whose sum is exact; nets to zero.
  {
    slot: 5,
    day: 1,
    time: '02:00:00.000',
    amount: '10.00',
    fee: '1.00',
    percent: '10',
    base: '9.00',
    attributed: '0.90',
    recipientId: 9012,
    places: 4,
    refunds: [
      { monthsLater: 0, day: 1, time: '11:00:00.000', amount: '3.33' },
      { monthsLater: 0, day: 1, time: '12:00:00.000', amount: '3.33' },
      { monthsLater: 0, day: 1, time: '13:00:00.000', amount: '3.34' },
    ],
    covers: 'V3: partial refunds add up to the price, nets to zero',
  },
  // V4, P3: settled in even months and fully refunded in the first millisecond of the next, which gives a negative net there.
  {
    slot: 6,
    months: 'even',
    day: 1,
    time: '03:00:00.000',
    amount: '60.00',
    fee: '6.00',
    percent: '25',
    base: '54.00',
    attributed: '13.50',
    recipientId: 9009,
    refunds: [{ monthsLater: 1, day: 1, time: '00:00:00.000', amount: '60.00' }],
    covers: 'V4, P3: reversed in the next month, negative net',
  },
  // V4, P3: the same in odd months. Every day 1 holds one line of the pair and the reversal of the other.
  {
    slot: 6,
    months: 'odd',
    day: 1,
    time: '03:00:00.000',
    amount: '60.00',
    fee: '6.00',
    percent: '25',
    base: '54.00',
    attributed: '13.50',
    recipientId: 9019,
    refunds: [{ monthsLater: 1, day: 1, time: '00:00:00.000', amount: '60.00' }],
    covers: 'V4, P3: reversed in the next month, negative net',
  },
  // V1, V5, E6: no receipts, so a period row without events or clawback; the percentage is a JSON number.
  {
    slot: 7,
    day: 1,
    time: '04:00:00.000',
    amount: '24.00',
    fee: '2.40',
    percent: '12.5',
    isPercentNumber: true,
    base: '21.60',
    attributed: '2.70',
    recipientId: 9013,
    refunds: [{ monthsLater: 0, day: 1, time: '14:00:00.000', amount: '12.00', basis: 'period_row' }],
    covers: 'V1, V5: period_row; percent as a JSON number',
  },
  // A1: the reason that needs no action.
  {
    slot: 8,
    day: 1,
    time: '05:00:00.000',
    amount: '10.00',
    fee: '1.00',
    reason: 'no_revenue_share_configured',
    covers: 'A1: no revenue share configured',
  },
  // A1: investigate before paying.
  {
    slot: 9,
    day: 1,
    time: '05:10:00.000',
    amount: '12.00',
    fee: '1.20',
    reason: 'spend_order_not_found',
    covers: 'A1: settlement record unreachable',
  },
  // A1, P5: unattributed and partly refunded: counted in the totals without a line.
  {
    slot: 10,
    day: 1,
    time: '05:20:00.000',
    amount: '14.00',
    fee: '1.40',
    reason: 'attribution_not_recorded',
    refunds: [{ monthsLater: 0, day: 1, time: '15:00:00.000', amount: '7.00' }],
    covers: 'A1: unattributed and partly refunded',
  },
  // A1: the fourth reason.
  { slot: 11, day: 1, time: '05:30:00.000', amount: '16.00', fee: '1.60', reason: 'attribution_malformed', covers: 'A1: malformed record' },
  // A2: the player record can't be found; the amount stays.
  {
    slot: 12,
    day: 1,
    time: '06:00:00.000',
    amount: '20.00',
    fee: '2.00',
    percent: '5',
    base: '18.00',
    attributed: '0.90',
    recipientId: 9008,
    rail: 'pcstore',
    covers: 'A2: unresolved recipient; pcstore rail',
  },
  // M8, W2: the recorded base differs from the settled one and stays; a refund at the window's exclusive end is outside.
  {
    slot: 13,
    day: 1,
    time: '06:30:00.000',
    amount: '100.00',
    fee: '10.00',
    percent: '10',
    base: '95.00',
    attributed: '9.50',
    recipientId: 9003,
    refunds: [{ monthsLater: 0, day: 2, time: '00:00:00.000', amount: '10.00' }],
    covers: 'M8: base mismatch; W2: refund at the end, outside',
  },
  // M6, M7: the share rises in July and each renewal has the rate of its date; paid from the wallet.
  {
    slot: 14,
    day: 1,
    time: '07:00:00.000',
    amount: '20.00',
    fee: '2.00',
    percent: '10',
    percentFromJuly: '15',
    base: '18.00',
    attributed: '1.80',
    attributedFromJuly: '2.70',
    recipientId: 9004,
    isWalletCovered: true,
    coins: '2000.00',
    balanceCoins: '2000.00',
    covers: 'M6, M7: share change in July; wallet-covered',
  },
  // P9, X3: four decimals everywhere, half of it refunded, rounded half up in the fourth decimal.
  {
    slot: 15,
    day: 1,
    time: '07:30:00.000',
    amount: '10.0040',
    fee: '1.0004',
    percent: '25',
    base: '9.0036',
    attributed: '2.2509',
    recipientId: 9005,
    places: 4,
    refunds: [{ monthsLater: 0, day: 1, time: '16:00:00.000', amount: '5.0020' }],
    covers: 'P9: amounts with four places',
  },
  // W9, M11: coins from the balance before 2026-09-17, none after; partner revenue reversed on another basis.
  {
    slot: 16,
    day: 1,
    time: '08:30:00.000',
    amount: '25.00',
    fee: '2.50',
    percent: '20',
    base: '22.50',
    attributed: '4.50',
    recipientId: 9002,
    coins: '2500.00',
    balanceCoins: '1250.00',
    refunds: [{ monthsLater: 0, day: 1, time: '17:00:00.000', amount: '5.00', partnerBasis: 'sale_fee_row_reversed' }],
    covers: 'W9, M11: dated coins; V7: sale_fee_row_reversed',
  },
  // W3: the instant is written with an offset; 10:00 at +02:00 is 08:00 UTC.
  {
    slot: 17,
    day: 1,
    time: '08:00:00.000',
    spelledTime: '10:00:00+02:00',
    amount: '8.00',
    fee: '0.80',
    percent: '25',
    base: '7.20',
    attributed: '1.80',
    recipientId: 9006,
    rail: 'pcstore',
    covers: 'W3: instant with an offset',
  },
  // W3, V7: microseconds; fully refunded in the day's last millisecond without reversing partner revenue.
  {
    slot: 18,
    day: 1,
    time: '09:00:00.123',
    spelledTime: '09:00:00.123456Z',
    amount: '6.00',
    fee: '0.60',
    percent: '10',
    base: '5.40',
    attributed: '0.54',
    recipientId: 9007,
    refunds: [{ monthsLater: 0, day: 1, time: '23:59:59.999', amount: '6.00', partnerBasis: 'none' }],
    covers: 'W3: microseconds; V7: none; refund in the last millisecond',
  },
  // P7: a period that was never paid appears on its subscription and in no window.
  {
    slot: 19,
    day: 1,
    time: '09:30:00.000',
    amount: '9.00',
    fee: '0.90',
    percent: '10',
    base: '8.10',
    attributed: '0.81',
    recipientId: 9010,
    unpaidStatus: 'failed',
    covers: 'P7: never paid, in no window',
  },
  // P3, over whole months: settled on the 20th of odd months, refunded on the 12th of even ones.
  {
    slot: 20,
    months: 'odd',
    day: 20,
    time: '12:00:00.000',
    amount: '36.00',
    fee: '3.60',
    percent: '25',
    base: '32.40',
    attributed: '8.10',
    recipientId: 9021,
    refunds: [{ monthsLater: 1, day: 12, time: '12:00:00.000', amount: '36.00' }],
    covers: 'P3: a net below zero in the next month',
  },
  // P3: the same with odd and even months swapped.
  {
    slot: 20,
    months: 'even',
    day: 20,
    time: '12:00:00.000',
    amount: '36.00',
    fee: '3.60',
    percent: '25',
    base: '32.40',
    attributed: '8.10',
    recipientId: 9022,
    refunds: [{ monthsLater: 1, day: 12, time: '12:00:00.000', amount: '36.00' }],
    covers: 'P3: a net below zero in the next month',
  },
];
