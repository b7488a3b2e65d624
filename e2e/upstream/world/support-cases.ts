import { DAY_MS, inMonth, monthDigits, monthOf } from '../instant.ts';
import type { Period, Player, Subscription } from '../model.ts';
import { usd } from '../money.ts';
import { creatorId } from './cast.ts';
import { cycle } from './cycle.ts';
import { DESK_PEOPLE } from './support-people.ts';
import { DESK_TABLE, type DeskCase, type DeskCycle, REFUND_ERROR_STATUS } from './support-table.ts';

const cases = DESK_TABLE.map((desk) => ({ desk, subscription: subscriptionOf(desk) }));
const cycles = new Map(cases.map(({ desk, subscription }) => [subscription.id, cyclesOf(desk, subscription)]));
const people = new Map<string, Player>(Object.values(DESK_PEOPLE).map((person) => [person.email, person]));

/** The cycles of support's cases that belong to a month. */
export function deskCycles(month: number): Period[] {
  return [...cycles.values()].flat().filter(({ startMs }) => monthOf(startMs) === month);
}

/** The subscriptions of support's cases begun in a month. */
export function deskSubscriptions(month: number): Subscription[] {
  return cases.map(({ subscription }) => subscription).filter(({ createdMs }) => monthOf(createdMs) === month);
}

/** The cycles of one of support's cases; null for any other subscription. */
export function deskCyclesOf(subscription: Subscription): Period[] | null {
  return cycles.get(subscription.id) ?? null;
}

/** The month in which all the subscriptions of somebody in support's cases began. */
export function deskBegunIn(email: string): number | null {
  const first = cases.find(({ subscription }) => subscription.player.email === email);
  return first === undefined ? null : monthOf(first.subscription.createdMs);
}

/** Somebody in support's cases, with or without a subscription. */
export function deskPlayer(email: string): Player | null {
  return people.get(email) ?? null;
}

function subscriptionOf(desk: DeskCase): Subscription {
  const createdMs = Date.parse(desk.beganAt);
  return {
    id: `SUB_${Math.floor(createdMs / 1000)}_${desk.tail}`,
    player: DESK_PEOPLE[desk.person],
    itemId: 'supporter-pass',
    itemName: 'Supporter pass',
    amount: usd(desk.price),
    intervalCount: desk.months,
    createdMs,
    share: desk.percentBp === undefined ? null : { recipientId: creatorId(0), rates: [{ fromMs: createdMs, percentBp: desk.percentBp }] },
    rail: desk.rail ?? 'card',
    walletOnly: desk.isWalletOnly ?? false,
    ends: desk.ends === undefined ? null : { atMs: Date.parse(desk.ends.at), status: desk.ends.status },
    ...(desk.standing === undefined
      ? {}
      : { standing: { status: desk.standing.status, fromMs: Date.parse(desk.standing.from), nextTouchMs: nextMorning } }),
    ...(desk.staged === undefined ? {} : { stagedPrice: usd(desk.staged) }),
    ...(desk.cancelRequestedAt === undefined
      ? {}
      : { canceledMs: Date.parse(desk.cancelRequestedAt), metadata: { _invo_cancellation: { reason: 'Moving to another guild.' } } }),
  };
}

function cyclesOf(desk: DeskCase, subscription: Subscription): Period[] {
  return desk.cycles.map((facts, index) => cycleOf(desk, subscription, facts, index + 1));
}

function cycleOf(desk: DeskCase, subscription: Subscription, facts: DeskCycle, seq: number): Period {
  const startMs = facts.startsAt === undefined ? subscription.createdMs : Date.parse(facts.startsAt);
  const month = monthOf(startMs);
  return cycle(subscription, {
    id: monthDigits(month) * 10_000 + desk.slot,
    seq,
    startMs,
    endMs: startMs - inMonth(month) + inMonth(month + desk.months),
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
