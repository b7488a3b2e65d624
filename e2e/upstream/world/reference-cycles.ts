import { inMonth, monthDigits, monthOf } from '../instant.ts';
import type { Period, Recipient, Refund, Subscription } from '../model.ts';
import { parseUsd, usd } from '../money.ts';
import { castMember, payer } from './cast.ts';
import { BALANCE_UNAPPLIED_FROM_MS } from './cycle.ts';
import { WITNESS_NAMES, WITNESSES, type Witness } from './reference-cases.ts';

/** The witnesses of a month as cycles; each subscription runs from January to December of its year. */
export function witnessCycles(month: number): Period[] {
  return WITNESSES.filter((witness) => isInMonth(witness, month)).map((witness) => witnessCycle(witness, month));
}

/** The witnesses' subscriptions, all begun on the first of January. */
export function witnessSubscriptions(month: number): Subscription[] {
  return month % 12 === 0 ? WITNESSES.map((witness) => witnessSubscription(witness, Math.floor(month / 12))) : [];
}

/** The recipient behind an id, witnesses included. */
export function recipientOf(playerId: number): Recipient {
  const name = WITNESS_NAMES[playerId];
  if (name === undefined) return castMember(playerId);
  if (name === null) return { playerId, identity: null };
  return { playerId, identity: { name, email: `witness-${playerId}@creators.example`, identityId: `idn_witness_${playerId}` } };
}

function witnessCycle(witness: Witness, month: number): Period {
  const startMs = instantOf(month, witness.day, witness.time);
  const isFromJuly = month % 12 >= 6;
  const percent = (isFromJuly ? witness.percentFromJuly : undefined) ?? witness.percent;
  const attributed = (isFromJuly ? witness.attributedFromJuly : undefined) ?? witness.attributed;
  const step = witness.months === undefined ? 1 : 2;
  const isCardAfter = !witness.isWalletCovered && startMs >= BALANCE_UNAPPLIED_FROM_MS;
  return {
    id: monthDigits(month) * 10_000 + witness.slot,
    subscription: witnessSubscription(witness, Math.floor(month / 12)),
    seq: Math.floor((month % 12) / step) + 1,
    startMs,
    endMs: instantOf(month + step, witness.day, witness.time),
    paidMs: witness.unpaidStatus === undefined ? startMs : null,
    ...(witness.unpaidStatus === undefined ? {} : { unpaidStatus: witness.unpaidStatus }),
    ...(witness.spelledTime === undefined ? {} : { paidText: `${new Date(startMs).toISOString().slice(0, 11)}${witness.spelledTime}` }),
    amount: usd(witness.amount),
    fee: usd(witness.fee),
    partner: usd(witness.amount) - usd(witness.fee),
    places: witness.places ?? 2,
    attribution:
      percent === undefined || witness.recipientId === undefined
        ? null
        : {
            recipientId: witness.recipientId,
            percentBp: basisPoints(percent),
            isPercentNumber: witness.isPercentNumber ?? false,
            base: usd(witness.base ?? ''),
            attributed: usd(attributed ?? ''),
          },
    reason: witness.reason ?? null,
    rail: witness.rail ?? 'card',
    coins: witness.coins ?? `${usd(witness.amount) / 100n}.00`,
    balanceCoins: isCardAfter ? '0.00' : (witness.balanceCoins ?? '0.00'),
    isWalletCovered: witness.isWalletCovered ?? false,
    ...(witness.fees === undefined
      ? {}
      : { fees: { passThrough: usd(witness.fees.passThrough), chargeback: usd(witness.fees.chargeback), held: usd(witness.fees.held) } }),
    attempts: witness.unpaidStatus === undefined ? 1 : 3,
    refunds: (witness.refunds ?? []).map(
      (refund): Refund => ({
        atMs: instantOf(month + refund.monthsLater, refund.day, refund.time),
        amount: usd(refund.amount),
        basis: refund.basis ?? 'refund_receipts',
        partnerBasis: refund.partnerBasis ?? 'clawback',
      }),
    ),
  };
}

function witnessSubscription(witness: Witness, year: number): Subscription {
  const january = year * 12;
  const createdMs = inMonth(january);
  const order = WITNESSES.indexOf(witness);
  return {
    id: `SUB_${createdMs / 1000}_WITN${witness.slot.toString().padStart(2, '0')}${witness.months === 'even' ? 'EV' : witness.months === 'odd' ? 'OD' : 'AL'}`,
    player: payer('witness', monthDigits(january), order, 40_000_000 + year * 100 + order),
    itemId: `witness-${witness.slot}`,
    itemName: witness.item ?? 'Witness pass',
    amount: usd(witness.amount),
    intervalCount: witness.months === undefined ? 1 : 2,
    createdMs,
    share:
      witness.recipientId === undefined || witness.percent === undefined
        ? null
        : { recipientId: witness.recipientId, rates: ratesOf(witness, january) },
    rail: witness.rail ?? 'card',
    walletOnly: witness.isWalletCovered ?? false,
    ends: { atMs: inMonth(january + 12), status: 'canceled' },
  };
}

function ratesOf(witness: Witness, january: number): { fromMs: number; percentBp: number }[] {
  const first = { fromMs: inMonth(january), percentBp: basisPoints(witness.percent ?? '0') };
  return witness.percentFromJuly === undefined
    ? [first]
    : [first, { fromMs: inMonth(january + 6), percentBp: basisPoints(witness.percentFromJuly) }];
}

function basisPoints(percent: string): number {
  return Number((parseUsd(percent) ?? 0n) / 100n);
}

function isInMonth(witness: Witness, month: number): boolean {
  return witness.months === undefined || (witness.months === 'even') === (month % 2 === 1);
}

function instantOf(month: number, day: number | 'last', time: string): number {
  const first = day === 'last' ? inMonth(month + 1) - 86_400_000 : inMonth(month, day);
  if (monthOf(first) !== month) throw new Error(`no such day in the month: ${day}`);
  return first + Date.parse(`1970-01-01T${time}Z`);
}
