import { DAY_MS, inMonth, monthDigits, monthOf } from '../instant.ts';
import type { Period, Player, Subscription } from '../model.ts';
import { usd } from '../money.ts';
import { creatorId } from './cast.ts';
import { regularPeriod } from './period.ts';
import { SUPPORT_PEOPLE } from './support-people.ts';
import { REFUND_ERROR_STATUS, SUPPORT_CASES, type SupportCase, type SupportPeriod } from './support-table.ts';

const cases = SUPPORT_CASES.map((support) => ({ support, subscription: subscriptionOf(support) }));
const periods = new Map(cases.map(({ support, subscription }) => [subscription.id, periodsOf(support, subscription)]));
const people = new Map<string, Player>(Object.values(SUPPORT_PEOPLE).map((person) => [person.email, person]));

/** The periods of support's cases that belong to a month. */
export function supportPeriods(month: number): Period[] {
  return [...periods.values()].flat().filter(({ startMs }) => monthOf(startMs) === month);
}

/** The subscriptions of support's cases that start in a month. */
export function supportSubscriptions(month: number): Subscription[] {
  return cases.map(({ subscription }) => subscription).filter(({ createdMs }) => monthOf(createdMs) === month);
}

/** The periods of one of support's cases; null for any other subscription. */
export function supportPeriodsOf(subscription: Subscription): Period[] | null {
  return periods.get(subscription.id) ?? null;
}

/** The month in which all subscriptions of a player in support's cases start; null for other players. */
export function supportStartMonth(email: string): number | null {
  const first = cases.find(({ subscription }) => subscription.player.email === email);
  return first === undefined ? null : monthOf(first.subscription.createdMs);
}

/** A player in support's cases, with or without a subscription; null for other emails. */
export function supportPlayer(email: string): Player | null {
  return people.get(email) ?? null;
}

function subscriptionOf(support: SupportCase): Subscription {
  const createdMs = Date.parse(support.beganAt);
  return {
    id: `SUB_${Math.floor(createdMs / 1000)}_${support.tail}`,
    player: SUPPORT_PEOPLE[support.person],
    itemId: 'supporter-pass',
    itemName: 'Supporter pass',
    amount: usd(support.price),
    intervalCount: support.months,
    createdMs,
    share:
      support.percentBp === undefined ? null : { recipientId: creatorId(0), rates: [{ fromMs: createdMs, percentBp: support.percentBp }] },
    rail: support.rail ?? 'card',
    walletOnly: support.isWalletOnly ?? false,
    ends: support.ends === undefined ? null : { atMs: Date.parse(support.ends.at), status: support.ends.status },
    ...(support.liveStatus === undefined
      ? {}
      : { liveStatus: { status: support.liveStatus.status, fromMs: Date.parse(support.liveStatus.from), nextAttemptMs: nextMorning } }),
    ...(support.staged === undefined ? {} : { stagedPrice: usd(support.staged) }),
    ...(support.cancelRequestedAt === undefined
      ? {}
      : { canceledMs: Date.parse(support.cancelRequestedAt), metadata: { _invo_cancellation: { reason: 'Moving to another guild.' } } }),
  };
}

function periodsOf(support: SupportCase, subscription: Subscription): Period[] {
  return support.periods.map((facts, index) => periodOf(support, subscription, facts, index + 1));
}

function periodOf(support: SupportCase, subscription: Subscription, facts: SupportPeriod, seq: number): Period {
  const startMs = facts.startsAt === undefined ? subscription.createdMs : Date.parse(facts.startsAt);
  const month = monthOf(startMs);
  return regularPeriod(subscription, {
    id: monthDigits(month) * 10_000 + support.slot,
    seq,
    startMs,
    endMs: startMs - inMonth(month) + inMonth(month + support.months),
    paidMs: facts.unpaid === undefined ? startMs + 60_000 : null,
    ...(facts.unpaid === undefined || facts.unpaid === 'pending' ? {} : { unpaidStatus: facts.unpaid }),
    amount: subscription.amount,
    places: 2,
    isWalletCovered: facts.isWalletCovered ?? false,
    balanceShare: 0,
    attempts: facts.attempts ?? 1,
    refunds: facts.refund === undefined ? [] : [{ ...facts.refund, basis: 'refund_receipts', partnerBasis: 'clawback' }],
    ...(facts.refundError === undefined
      ? {}
      : { refundError: { status: REFUND_ERROR_STATUS[facts.refundError], code: facts.refundError } }),
  });
}

function nextMorning(nowMs: number): number {
  return (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS + 6 * 3_600_000;
}
