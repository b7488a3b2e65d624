import { compareInstants, toMicroseconds } from '#lib/core/instant.ts';
import { compareMoney, sumMoney } from '#lib/core/money.ts';
import { containsInstant, type Window } from '#lib/core/window.ts';
import { COARSE_BASIS, type RecipientReport, type RefundEvent, type RenewalLine, type ReversalLine } from './evidence.ts';

/** The two lists of a recipient that Invo cuts at 500 lines. */
export const LINE_KINDS = ['renewals', 'reversals'] as const;
export type LineKind = (typeof LINE_KINDS)[number];

interface KnownReversal {
  line: ReversalLine;
  /** It was read in an answer about the whole slice, so its figures cover the whole slice. */
  isWhole: boolean;
}

interface Known {
  renewals: Map<number, RenewalLine>;
  reversals: Map<number, KnownReversal>;
}

/**
 * Every line read for one slice, from any answer that showed it: about the whole slice, a part, or one subscription.
 * A renewal is one line by its period. A reversal read in parts is the union of its refund events, each known by its time and by what was refunded after it.
 */
export class LineCollection {
  readonly #window: Window;
  readonly #recipients = new Map<number, Known>();

  constructor(window: Window) {
    this.#window = window;
  }

  /** Adds the lines an answer about a part of the slice showed of a recipient. */
  add(part: Window, report: RecipientReport): void {
    const known = this.#of(report.recipient_player_id);
    for (const line of report.renewals) known.renewals.set(line.period_id, line);
    const isWhole = part.start === this.#window.start && part.end === this.#window.end;
    for (const line of report.reversals) addReversal(known.reversals, line, isWhole);
  }

  /** How many lines of a kind are known of a recipient within a part of the slice, counted as Invo counts them there. */
  countWithin(part: Window, recipient: number, kind: LineKind): number {
    const known = this.#of(recipient);
    if (kind === 'renewals') return known.renewals.values().reduce((count, line) => count + Number(containsInstant(part, line.paid_at)), 0);
    const isInside = (line: ReversalLine): boolean => reversalInstants(line).some((instant) => containsInstant(part, instant));
    return known.reversals.values().reduce((count, { line }) => count + Number(isInside(line)), 0);
  }

  /** All renewals of a recipient known so far. */
  renewalsOf(recipient: number): RenewalLine[] {
    return [...this.#of(recipient).renewals.values()];
  }

  /** All reversals of a recipient known so far, those read in parts put together. */
  reversalsOf(recipient: number): ReversalLine[] {
    return [...this.#of(recipient).reversals.values()].map(({ line, isWhole }) => (isWhole ? line : joinParts(line)));
  }

  #of(recipient: number): Known {
    const known = this.#recipients.get(recipient) ?? { renewals: new Map(), reversals: new Map() };
    this.#recipients.set(recipient, known);
    return known;
  }
}

/** When the refunds of a reversal happened; a coarse one happened when its period was last refunded. */
export function reversalInstants(line: ReversalLine): string[] {
  if (line.refund_events.length > 0) return line.refund_events.map((event) => event.refunded_at);
  return line.latest_refund_at === null ? [] : [line.latest_refund_at];
}

function addReversal(known: Map<number, KnownReversal>, line: ReversalLine, isWhole: boolean): void {
  const before = known.get(line.period_id);
  if (before?.isWhole) return;
  if (!before || isWhole || line.reversal_basis === COARSE_BASIS) known.set(line.period_id, { line, isWhole });
  else
    known.set(line.period_id, {
      line: { ...line, refund_events: joinEvents(before.line.refund_events, line.refund_events) },
      isWhole: false,
    });
}

function joinEvents(one: RefundEvent[], other: RefundEvent[]): RefundEvent[] {
  const events = new Map(
    [...one, ...other].map((event) => [`${toMicroseconds(event.refunded_at)} ${sumMoney([event.cumulative_refunded_after_usd])}`, event]),
  );
  return [...events.values()].toSorted(
    (a, b) =>
      compareInstants(a.refunded_at, b.refunded_at) || compareMoney(a.cumulative_refunded_after_usd, b.cumulative_refunded_after_usd),
  );
}

/** A reversal read in parts: its figures are those of its events, and flags about a part don't apply to the slice. */
function joinParts(line: ReversalLine): ReversalLine {
  if (line.refund_events.length === 0) return { ...line, settled_in_this_window: null, nets_to_zero_in_window: null };
  const partner = line.refund_events.map((event) => event.partner_revenue_reversed_usd);
  return {
    ...line,
    reversed_attributed_usd: sumMoney(line.refund_events.map((event) => event.reversed_attributed_usd)),
    partner_revenue_reversed_usd: partner.every((amount) => amount !== null) ? sumMoney(partner) : null,
    settled_in_this_window: null,
    nets_to_zero_in_window: null,
  };
}
