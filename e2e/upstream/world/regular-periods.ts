import { DAY_MS, inMonth, monthDigits } from '../instant.ts';
import type { Period, Refund } from '../model.ts';
import { portion, type Usd } from '../money.ts';
import { between, seeded } from '../seeded.ts';
import { type Cohort, cohortOf, LIFE_MONTHS_MAX, type Member } from './cohort.ts';
import { regularPeriod } from './period.ts';

/** The latest refund of a regular renewal, counted from the renewal. */
const REFUND_DELAY_DAYS_MAX = 45;

/** The periods of all regular subscriptions in a month, with ids counted from `firstSlot`. */
export function regularPeriods(cohort: Cohort, month: number, firstSlot: number): Period[] {
  const alive: Member[] = [];
  for (let started = month - LIFE_MONTHS_MAX; started <= month; started += 1) {
    alive.push(...cohortOf(cohort, started).filter((member) => month < started + member.lifeMonths + (endsUnpaid(member) ? 1 : 0)));
  }
  return alive.map((member, index) => periodOf(member, month, monthDigits(month) * 10_000 + firstSlot + index));
}

function periodOf(member: Member, month: number, id: number): Period {
  const next = seeded(`${member.seed}|${monthDigits(month)}`);
  const age = month - member.firstMonth;
  const startMs = inMonth(month) + member.anchorMs;
  const retries = next() < 0.04 ? between(next, 1, 2) : 0;
  const isUnpaid = age === member.lifeMonths;
  const isForgiven = age > 0 && !isUnpaid && next() < 0.004;
  const paidMs = isUnpaid || isForgiven ? null : startMs + retries * DAY_MS + between(next, 900, 180_000);
  const rise = age >= 8 && member.subscription.itemId === 'guild-hall' ? 20_000n : 0n;
  const amount = member.subscription.amount + rise;
  const isWalletCovered = member.subscription.walletOnly || next() < 0.02;
  return regularPeriod(member.subscription, {
    id,
    seq: age + 1,
    startMs,
    endMs: inMonth(month + 1) + member.anchorMs,
    paidMs,
    amount,
    places: member.places,
    isWalletCovered,
    ...(paidMs === null ? { unpaidStatus: isUnpaid ? 'failed' : 'forgiven' } : {}),
    balanceShare: next() < 0.3 ? next() * 0.8 : 0,
    attempts: isUnpaid ? 3 : retries + 1,
    refunds: paidMs === null ? [] : refundsOf(next, paidMs, amount),
  });
}

/** Marks a few renewals as settled without a recorded attribution. */
export function withGaps(periods: Period[]): Period[] {
  return periods.map((period) => {
    const chance = seeded(`gap|${period.id}`)();
    if (period.attribution === null || chance >= 0.003) return period;
    return { ...period, attribution: null, reason: chance < 0.0015 ? 'attribution_not_recorded' : 'attribution_malformed' };
  });
}

function endsUnpaid(member: Member): boolean {
  return member.subscription.ends?.status === 'expired';
}

function refundsOf(next: () => number, paidMs: number, amount: Usd): Refund[] {
  if (next() >= 0.04) return [];
  const delayMs = between(next, 1, (REFUND_DELAY_DAYS_MAX - 4) * 86_400) * 1000 + between(next, 0, 999);
  const atMs = offDayOne(paidMs + delayMs);
  const kind = next();
  const partial = portion(amount, BigInt(between(next, 1, 3)), 4n, 2);
  if (kind < 0.06) return [{ atMs, amount, basis: 'period_row', partnerBasis: 'none' }];
  const partnerBasis = kind < 0.12 ? 'sale_fee_row_reversed' : 'clawback';
  if (kind < 0.66) return [{ atMs, amount, basis: 'refund_receipts', partnerBasis }];
  const first: Refund = { atMs, amount: partial, basis: 'refund_receipts', partnerBasis };
  return kind < 0.88 ? [first] : [first, { ...first, atMs: offDayOne(atMs + DAY_MS), amount: amount - partial }];
}

function offDayOne(ms: number): number {
  return new Date(ms).getUTCDate() === 1 ? ms + DAY_MS : ms;
}
