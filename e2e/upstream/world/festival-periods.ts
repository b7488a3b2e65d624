import { DAY_MS, inMonth, monthDigits } from '../instant.ts';
import type { Period, Subscription } from '../model.ts';
import { usd } from '../money.ts';
import { between, seeded, tail } from '../seeded.ts';
import { festivalCreatorId, payer } from './cast.ts';
import { FESTIVAL_ITEM } from './cohort.ts';
import { regularPeriod } from './period.ts';

const PASSES = 72;
const MARCH = 2;
const SEPTEMBER = 8;
const LIFE_CYCLES = 4;

/** Half-yearly passes, one recipient each: March and September have more than a hundred recipients because of them. */
export function festivalPeriods(month: number, firstSlot: number): Period[] {
  const ofYear = month % 12;
  if (ofYear !== MARCH && ofYear !== SEPTEMBER) return [];
  const firstMonth = firstMonthOf(month);
  const seq = (month - firstMonth) / 6 + 1;
  return festivalSubscriptions(firstMonth).map((subscription, index) => {
    const anchorMs = subscription.createdMs - inMonth(firstMonth);
    const startMs = inMonth(month) + anchorMs;
    return regularPeriod(subscription, {
      id: monthDigits(month) * 10_000 + firstSlot + index,
      seq,
      startMs,
      endMs: inMonth(month + 6) + anchorMs,
      paidMs: startMs + 1500 + index,
      amount: subscription.amount,
      places: 2,
      isWalletCovered: false,
      balanceShare: 0,
      attempts: 1,
      refunds:
        index % 24 === 5
          ? [{ atMs: startMs + 20 * DAY_MS + 1500, amount: usd('10.00'), basis: 'refund_receipts', partnerBasis: 'clawback' }]
          : [],
    });
  });
}

/** The passes that start in a month: every second March. */
export function festivalSubscriptions(month: number): Subscription[] {
  if (month !== firstMonthOf(month)) return [];
  const digits = monthDigits(month);
  return Array.from({ length: PASSES }, (_, index) => {
    const next = seeded(`festival|${digits}|${index}`);
    const anchorMs = between(next, 1, 9) * DAY_MS + between(next, 0, DAY_MS - 600_000);
    const createdMs = inMonth(month) + anchorMs;
    return {
      id: `SUB_${Math.floor(createdMs / 1000)}_${tail(next)}`,
      player: payer('festival', digits, index, 20_000_000 + (month - 24_000) * 1000 + index),
      itemId: FESTIVAL_ITEM.id,
      itemName: FESTIVAL_ITEM.name,
      amount: usd(FESTIVAL_ITEM.price),
      intervalCount: 6,
      createdMs,
      share: { recipientId: festivalCreatorId(index), rates: [{ fromMs: createdMs, percentBp: between(next, 2, 12) * 250 }] },
      rail: 'card',
      walletOnly: false,
      ends: { atMs: inMonth(month + 6 * LIFE_CYCLES) + anchorMs, status: 'canceled' },
    };
  });
}

function firstMonthOf(month: number): number {
  const year = Math.floor(month / 12);
  return (year - (year % 2)) * 12 + MARCH;
}
