import { DAY_MS, inMonth, monthDigits } from '../instant.ts';
import type { Period, Subscription } from '../model.ts';
import { usd } from '../money.ts';
import { seeded } from '../seeded.ts';
import { AURORA_ID, payer } from './cast.ts';
import { regularPeriod } from './period.ts';

const FOLLOWERS = 900;
const IN_ONE_INSTANT = 506;
const OCTOBER = 9;
const INSTANT_MS = 16 * DAY_MS + (9 * 60 + 30) * 60_000 + 123;

/**
 * Aurora Vale's autumn campaign: 900 lines in October, 506 of them settled on the 17th at 09:30:00.123. A quarter started in
 * September and a quarter renews in November, spread over the month.
 */
export function auroraPeriods(month: number, firstSlot: number): Period[] {
  const monthOffset = (month % 12) - OCTOBER;
  if (monthOffset < -1 || monthOffset > 1) return [];
  const october = month - monthOffset;
  const followers = [...followersFrom(october - 1, october), ...followersFrom(october, october)];
  return followers
    .filter(({ index }) => monthOffset === 0 || (monthOffset === -1 ? beganInSeptember(index) : index % 4 === 1))
    .map(({ subscription, index }) => {
      const startMs = inMonth(month) + anchorOf(index, monthOffset);
      const isEarly = beganInSeptember(index);
      return regularPeriod(subscription, {
        id: monthDigits(month) * 10_000 + firstSlot + index,
        seq: monthOffset + (isEarly ? 2 : 1),
        startMs,
        endMs: inMonth(month + 1) + anchorOf(index, monthOffset),
        paidMs: startMs,
        amount: subscription.amount,
        places: 2,
        isWalletCovered: false,
        balanceShare: 0,
        attempts: 1,
        refunds:
          index % 50 === 7 && monthOffset === 0
            ? [
                {
                  atMs: inMonth(month + 1) + 2 * DAY_MS + index * 1000,
                  amount: subscription.amount,
                  basis: 'refund_receipts',
                  partnerBasis: 'clawback',
                },
              ]
            : [],
      });
    });
}

/** The subscriptions of followers that started in a month. */
export function auroraSubscriptions(month: number): Subscription[] {
  const monthOffset = (month % 12) - OCTOBER;
  return monthOffset === -1 || monthOffset === 0 ? followersFrom(month, month - monthOffset).map(({ subscription }) => subscription) : [];
}

function followersFrom(started: number, october: number): { subscription: Subscription; index: number }[] {
  const isEarly = started < october;
  const digits = monthDigits(started);
  return Array.from({ length: FOLLOWERS }, (_, index) => index)
    .filter((index) => beganInSeptember(index) === isEarly)
    .map((index) => {
      const createdMs = inMonth(started) + anchorOf(index, started - october);
      const subscription: Subscription = {
        id: `SUB_${Math.floor(createdMs / 1000)}_AV${index.toString(36).toUpperCase().padStart(6, '0')}`,
        player: payer('aurora', digits, index, 30_000_000 + (october - 24_000) * 1000 + index),
        itemId: 'creator-club',
        itemName: 'Creator club',
        amount: usd(index % 3 === 0 ? '9.99' : '4.99'),
        intervalCount: 1,
        createdMs,
        share: { recipientId: AURORA_ID, rates: [{ fromMs: createdMs, percentBp: 2000 }] },
        rail: 'card',
        walletOnly: false,
        ends: { atMs: inMonth(october + (index % 4 === 1 ? 2 : 1)) + anchorOf(index, 1), status: 'canceled' },
      };
      return { subscription, index };
    });
}

/** A quarter of all, and those at both ends of the crowded instant: September then names the subscriptions of any lines the report of October leaves out. */
function beganInSeptember(index: number): boolean {
  return index % 4 === 0 || index < 8 || (index >= IN_ONE_INSTANT - 8 && index < IN_ONE_INSTANT);
}

function anchorOf(index: number, monthOffset: number): number {
  if (monthOffset === 0 && index < IN_ONE_INSTANT) return INSTANT_MS;
  return DAY_MS + Math.floor(seeded(`aurora|${index}|${monthOffset}`)() * 25 * DAY_MS);
}
