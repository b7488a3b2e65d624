import { DAY_MS, inMonth, monthDigits } from '../instant.ts';
import type { Subscription } from '../model.ts';
import { usd } from '../money.ts';
import { between, pick, seeded, tail } from '../seeded.ts';
import { creatorId, payer } from './cast.ts';

/** The most months a regular subscription lasts. */
export const LIFE_MONTHS_MAX = 24;

export interface Cohort {
  seed: string;
  /** How many subscriptions start in a month. */
  size(month: number): number;
  /** How many recipients they may name. */
  creators(month: number): number;
}

export interface Member {
  subscription: Subscription;
  seed: string;
  firstMonth: number;
  lifeMonths: number;
  places: 2 | 4;
  /** Time from the start of a month to the start of its period: days 2 to 25, so that day 1 holds reference cases only. */
  anchorMs: number;
}

const COHORTS_MAX = 200;
const cache = new WeakMap<Cohort, Map<number, Member[]>>();

/** The subscriptions that start in a month: a function of the seed and the month. Cached, because 25 months use each. */
export function cohortOf(cohort: Cohort, month: number): Member[] {
  const known = cache.get(cohort) ?? new Map<number, Member[]>();
  cache.set(cohort, known);
  const members = known.get(month) ?? Array.from({ length: cohort.size(month) }, (_, index) => memberOf(cohort, month, index));
  if (known.size >= COHORTS_MAX) known.clear();
  known.set(month, members);
  return members;
}

function memberOf(cohort: Cohort, month: number, index: number): Member {
  const digits = monthDigits(month);
  const seed = `${cohort.seed}|${digits}|${index}`;
  const next = seeded(seed);
  const anchorMs = between(next, 1, 24) * DAY_MS + between(next, 0, DAY_MS - 600_000);
  const createdMs = inMonth(month) + anchorMs;
  const lifeMonths = between(next, 1, LIFE_MONTHS_MAX);
  const isSpark = next() < 0.03;
  const item = isSpark ? SPARK_ITEM : pick(next, ITEMS);
  const rail = next() < 0.12 ? 'pcstore' : 'card';
  const number = index % 7 === 6 ? index - 1 : index;
  const subscription: Subscription = {
    id: `SUB_${Math.floor(createdMs / 1000)}_${tail(next)}`,
    player: payer(cohort.seed, digits, number, 10_000_000 + (month - 24_000) * 1000 + number),
    itemId: item.id,
    itemName: item.name,
    amount: usd(item.price),
    intervalCount: 1,
    createdMs,
    share: next() < 0.025 ? null : shareOf(next, cohort, month, createdMs, lifeMonths),
    rail,
    walletOnly: rail === 'card' && next() < 0.06,
    ends: { atMs: inMonth(month + lifeMonths) + anchorMs, status: next() < 0.8 ? 'canceled' : 'expired' },
  };
  return { subscription, seed, firstMonth: month, lifeMonths, places: isSpark ? 4 : 2, anchorMs };
}

function shareOf(next: () => number, cohort: Cohort, month: number, createdMs: number, lifeMonths: number): Subscription['share'] {
  const popularity = next();
  const recipientId = creatorId(Math.floor(popularity * popularity * cohort.creators(month)));
  const rates = [{ fromMs: createdMs, percentBp: between(next, 2, 12) * 250 }];
  if (lifeMonths > 4 && next() < 0.1)
    rates.push({ fromMs: inMonth(month + Math.floor(lifeMonths / 2)), percentBp: between(next, 2, 12) * 250 });
  return { recipientId, rates };
}

export interface Item {
  id: string;
  name: string;
  price: string;
}

/** The items sold by subscription. */
const ITEMS: readonly Item[] = [
  { id: 'season-pass', name: 'Season pass', price: '9.99' },
  { id: 'season-pass-plus', name: 'Season pass plus', price: '14.99' },
  { id: 'guild-hall', name: 'Guild hall', price: '19.99' },
  { id: 'creator-club', name: 'Creator club', price: '4.99' },
  { id: 'creator-club-gold', name: 'Creator club gold', price: '24.99' },
  { id: 'founders-circle', name: "Founder's circle", price: '49.99' },
  { id: 'stable-mounts', name: 'Stable & mounts', price: '7.49' },
  { id: 'battle-supply', name: 'Battle supply', price: '12.99' },
];

/** Sold in March and September only. */
export const FESTIVAL_ITEM: Item = { id: 'festival-pass', name: 'Festival pass', price: '29.99' };
/** Its price has four decimal places. */
const SPARK_ITEM: Item = { id: 'spark-bundle', name: 'Spark bundle', price: '5.0125' };
