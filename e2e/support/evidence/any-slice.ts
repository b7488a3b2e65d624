import fc from 'fast-check';
import { fromMicroseconds, toMicroseconds } from '#lib/core/instant.ts';
import { subtractMoney, sumMoney } from '#lib/core/money.ts';
import type { Recipient, RefundEvent, RenewalLine, ReversalLine, SliceEvidence } from '#lib/evidence/rules/evidence.ts';
import { OCTOBER, sampleEvent, sampleRecipient, sampleRenewal, sampleReversal, sampleSlice } from './sample-slice.ts';

interface Seed {
  renewals: { cents: number; minute: number; subscription: number }[];
  reversals: { cents: number; parts: number; isCoarse: boolean; isEarlier: boolean }[];
}

/** A slice that is consistent by construction: every total, figure and flag is added up from its lines. At least one renewal and one reversal. */
export function anySlice(): fc.Arbitrary<SliceEvidence> {
  const cents = fc.integer({ min: 100, max: 99_999 });
  const renewal = fc.record({ cents, minute: fc.integer({ min: 0, max: 40_000 }), subscription: fc.integer({ min: 1, max: 5 }) });
  const reversal = fc.record({ cents, parts: fc.integer({ min: 1, max: 3 }), isCoarse: fc.boolean(), isEarlier: fc.boolean() });
  const recipient = fc.record({
    renewals: fc.array(renewal, { minLength: 1, maxLength: 4 }),
    reversals: fc.array(reversal, { minLength: 1, maxLength: 3 }),
  });
  return fc
    .tuple(fc.array(recipient, { minLength: 1, maxLength: 3 }), fc.integer({ min: 0, max: 3 }))
    .map(([seeds, unattributed]) => buildSlice(seeds, unattributed));
}

function buildSlice(seeds: Seed[], unattributed: number): SliceEvidence {
  const renewals = seeds.flatMap((seed, who) => seed.renewals.map((each, index) => buildRenewal(11 + who, 1000 * who + index, each)));
  const reversals = seeds.flatMap((seed, who) =>
    seed.reversals.map((each, index) => buildReversal(11 + who, 1000 * who + 500 + index, each)),
  );
  const recipients = seeds.map((_, who) => buildRecipient(11 + who, renewals, reversals));
  const spare = sumMoney([`${unattributed * 10}`]);
  const [fee, settled] = [
    sumMoney([...renewals.map((line) => line.invo_fee_usd), spare]),
    sumMoney([...renewals.map((line) => line.partner_revenue_settled_usd), spare]),
  ];
  const taken = sumMoney([...reversals.map((line) => line.partner_revenue_reversed_usd ?? '0'), spare]);
  const sum = (key: 'gross_attributed_usd' | 'reversed_attributed_usd' | 'net_attributed_usd'): string =>
    sumMoney(recipients.map((each) => each[key]));
  const totals = {
    renewals_settled: renewals.length + unattributed,
    settled_gross_usd: sumMoney([fee, settled]),
    invo_fee_usd: fee,
    partner_revenue_settled_usd: settled,
    partner_revenue_reversed_usd: taken,
    partner_revenue_usd: subtractMoney(settled, taken),
    renewals_with_attribution: renewals.length,
    renewals_without_attribution: unattributed,
    unattributed_reasons: unattributed === 0 ? {} : { no_revenue_share_configured: unattributed },
    gross_attributed_usd: sum('gross_attributed_usd'),
    reversed_attributed_usd: sum('reversed_attributed_usd'),
    net_attributed_usd: sum('net_attributed_usd'),
    renewals_settled_then_fully_reversed: 0,
    refund_events_in_window: reversals.flatMap((line) => line.refund_events).length + unattributed,
    reversals_without_receipts: reversals.filter((line) => line.reversal_basis === 'period_row').length,
    recipient_count: recipients.length,
  };
  return sampleSlice({ totals, recipients, renewals, reversals });
}

function buildRenewal(recipient: number, period: number, { cents, minute, subscription }: Seed['renewals'][number]): RenewalLine {
  const [amount, fee] = [dollars(cents), dollars(Math.floor(cents * 0.3))];
  const partner = subtractMoney(amount, fee);
  return sampleRenewal({
    period_id: period,
    recipient_player_id: recipient,
    paid_at: fromMicroseconds(toMicroseconds(OCTOBER.start) + BigInt(minute) * 60_000_000n),
    subscription_id: `sub_${recipient}_${subscription}`,
    amount_usd: amount,
    invo_fee_usd: fee,
    partner_revenue_usd: partner,
    partner_revenue_settled_usd: partner,
    base_usd: partner,
    attributed_amount_usd: dollars(Math.floor(cents * 0.07)),
  });
}

/** Refunded in so many equal parts, the last of which completes it; a coarse one shows none of them. */
function buildReversal(recipient: number, period: number, { cents, parts, isCoarse, isEarlier }: Seed['reversals'][number]): ReversalLine {
  const events = isCoarse ? [] : Array.from({ length: parts }, (_, index) => buildEvent(cents, index, parts));
  return sampleReversal({
    period_id: period,
    recipient_player_id: recipient,
    subscription_id: `sub_${recipient}_${period}`,
    paid_at: isEarlier ? '2026-09-10T10:00:00Z' : '2026-10-01T10:00:00Z',
    settled_in_this_window: !isEarlier,
    nets_to_zero_in_window: !isEarlier,
    originally_attributed_usd: dollars(cents * parts),
    reversed_attributed_usd: dollars(cents * parts),
    partner_revenue_reversed_usd: isCoarse ? null : dollars(cents * parts * 10),
    reversal_basis: isCoarse ? 'period_row' : 'refund_receipts',
    refund_events: events,
  });
}

function buildEvent(cents: number, index: number, parts: number): RefundEvent {
  return sampleEvent({
    refunded_at: `2026-10-${20 + index}T10:00:00Z`,
    refunded_amount_usd: dollars(cents * 20),
    cumulative_refunded_before_usd: dollars(cents * 20 * index),
    cumulative_refunded_after_usd: dollars(cents * 20 * (index + 1)),
    reversed_attributed_usd: dollars(cents),
    partner_revenue_reversed_usd: dollars(cents * 10),
    is_full_refund: index === parts - 1,
  });
}

function buildRecipient(id: number, renewals: RenewalLine[], reversals: ReversalLine[]): Recipient {
  const [mine, back] = [
    renewals.filter((line) => line.recipient_player_id === id),
    reversals.filter((line) => line.recipient_player_id === id),
  ];
  const [gross, reversed] = [
    sumMoney(mine.map((line) => line.attributed_amount_usd)),
    sumMoney(back.map((line) => line.reversed_attributed_usd)),
  ];
  return sampleRecipient({
    recipient_player_id: id,
    renewal_count: mine.length,
    reversal_count: back.length,
    subscription_count: new Set(mine.map((line) => line.subscription_id)).size,
    gross_attributed_usd: gross,
    reversed_attributed_usd: reversed,
    net_attributed_usd: subtractMoney(gross, reversed),
  });
}

function dollars(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
