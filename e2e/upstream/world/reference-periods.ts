import { inMonth, monthDigits, monthOf } from '../instant.ts';
import type { Period, Recipient, Refund, Subscription } from '../model.ts';
import { parseUsd, usd } from '../money.ts';
import { castMember, payer } from './cast.ts';
import { BALANCE_UNAPPLIED_FROM_MS } from './period.ts';
import { REFERENCE_CASES, REFERENCE_NAMES, type ReferenceCase } from './reference-cases.ts';

/** The reference cases of a month as periods. Each subscription runs from January to December of its year. */
export function referencePeriods(month: number): Period[] {
  return REFERENCE_CASES.filter((referenceCase) => isInMonth(referenceCase, month)).map((referenceCase) =>
    referencePeriod(referenceCase, month),
  );
}

/** The subscriptions of the reference cases; all start on January 1. */
export function referenceSubscriptions(month: number): Subscription[] {
  return month % 12 === 0 ? REFERENCE_CASES.map((referenceCase) => referenceSubscription(referenceCase, Math.floor(month / 12))) : [];
}

/** The recipient of an id, reference cases included. */
export function recipientOf(playerId: number): Recipient {
  const name = REFERENCE_NAMES[playerId];
  if (name === undefined) return castMember(playerId);
  if (name === null) return { playerId, identity: null };
  return { playerId, identity: { name, email: `witness-${playerId}@creators.example`, identityId: `idn_witness_${playerId}` } };
}

function referencePeriod(referenceCase: ReferenceCase, month: number): Period {
  const startMs = instantOf(month, referenceCase.day, referenceCase.time);
  const isFromJuly = month % 12 >= 6;
  const percent = (isFromJuly ? referenceCase.percentFromJuly : undefined) ?? referenceCase.percent;
  const attributed = (isFromJuly ? referenceCase.attributedFromJuly : undefined) ?? referenceCase.attributed;
  const step = referenceCase.months === undefined ? 1 : 2;
  const isCardAfter = !referenceCase.isWalletCovered && startMs >= BALANCE_UNAPPLIED_FROM_MS;
  return {
    id: monthDigits(month) * 10_000 + referenceCase.slot,
    subscription: referenceSubscription(referenceCase, Math.floor(month / 12)),
    seq: Math.floor((month % 12) / step) + 1,
    startMs,
    endMs: instantOf(month + step, referenceCase.day, referenceCase.time),
    paidMs: referenceCase.unpaidStatus === undefined ? startMs : null,
    ...(referenceCase.unpaidStatus === undefined ? {} : { unpaidStatus: referenceCase.unpaidStatus }),
    ...(referenceCase.spelledTime === undefined
      ? {}
      : { paidText: `${new Date(startMs).toISOString().slice(0, 11)}${referenceCase.spelledTime}` }),
    amount: usd(referenceCase.amount),
    fee: usd(referenceCase.fee),
    partner: usd(referenceCase.amount) - usd(referenceCase.fee),
    places: referenceCase.places ?? 2,
    attribution:
      percent === undefined || referenceCase.recipientId === undefined
        ? null
        : {
            recipientId: referenceCase.recipientId,
            percentBp: basisPoints(percent),
            isPercentNumber: referenceCase.isPercentNumber ?? false,
            base: usd(referenceCase.base ?? ''),
            attributed: usd(attributed ?? ''),
          },
    reason: referenceCase.reason ?? null,
    rail: referenceCase.rail ?? 'card',
    coins: referenceCase.coins ?? `${usd(referenceCase.amount) / 100n}.00`,
    balanceCoins: isCardAfter ? '0.00' : (referenceCase.balanceCoins ?? '0.00'),
    isWalletCovered: referenceCase.isWalletCovered ?? false,
    ...(referenceCase.fees === undefined
      ? {}
      : {
          fees: {
            passThrough: usd(referenceCase.fees.passThrough),
            chargeback: usd(referenceCase.fees.chargeback),
            held: usd(referenceCase.fees.held),
          },
        }),
    attempts: referenceCase.unpaidStatus === undefined ? 1 : 3,
    refunds: (referenceCase.refunds ?? []).map(
      (refund): Refund => ({
        atMs: instantOf(month + refund.monthsLater, refund.day, refund.time),
        amount: usd(refund.amount),
        basis: refund.basis ?? 'refund_receipts',
        partnerBasis: refund.partnerBasis ?? 'clawback',
      }),
    ),
  };
}

function referenceSubscription(referenceCase: ReferenceCase, year: number): Subscription {
  const january = year * 12;
  const createdMs = inMonth(january);
  const order = REFERENCE_CASES.indexOf(referenceCase);
  return {
    id: `SUB_${createdMs / 1000}_WITN${referenceCase.slot.toString().padStart(2, '0')}${referenceCase.months === 'even' ? 'EV' : referenceCase.months === 'odd' ? 'OD' : 'AL'}`,
    player: payer('witness', monthDigits(january), order, 40_000_000 + year * 100 + order),
    itemId: `witness-${referenceCase.slot}`,
    itemName: referenceCase.item ?? 'Witness pass',
    amount: usd(referenceCase.amount),
    intervalCount: referenceCase.months === undefined ? 1 : 2,
    createdMs,
    share:
      referenceCase.recipientId === undefined || referenceCase.percent === undefined
        ? null
        : { recipientId: referenceCase.recipientId, rates: ratesOf(referenceCase, january) },
    rail: referenceCase.rail ?? 'card',
    walletOnly: referenceCase.isWalletCovered ?? false,
    ends: { atMs: inMonth(january + 12), status: 'canceled' },
  };
}

function ratesOf(referenceCase: ReferenceCase, january: number): { fromMs: number; percentBp: number }[] {
  const first = { fromMs: inMonth(january), percentBp: basisPoints(referenceCase.percent ?? '0') };
  return referenceCase.percentFromJuly === undefined
    ? [first]
    : [first, { fromMs: inMonth(january + 6), percentBp: basisPoints(referenceCase.percentFromJuly) }];
}

function basisPoints(percent: string): number {
  return Number((parseUsd(percent) ?? 0n) / 100n);
}

function isInMonth(referenceCase: ReferenceCase, month: number): boolean {
  return referenceCase.months === undefined || (referenceCase.months === 'even') === (month % 2 === 1);
}

function instantOf(month: number, day: number | 'last', time: string): number {
  const first = day === 'last' ? inMonth(month + 1) - 86_400_000 : inMonth(month, day);
  if (monthOf(first) !== month) throw new Error(`no such day in the month: ${day}`);
  return first + Date.parse(`1970-01-01T${time}Z`);
}
