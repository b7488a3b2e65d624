import { earlierOf, laterOf } from '#lib/core/instant.ts';
import { compareMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { containsInstant, type Window } from '#lib/core/window.ts';
import { COARSE_BASIS, countSheetRows, type RecipientFigures, type SliceEvidence, type Totals } from '../evidence.ts';
import { type JoinedTotals, joinTotals } from '../totals.ts';
import { type Check, CheckBook } from './check.ts';
import { proveControl } from './prove-control.ts';
import { proveSlice } from './prove-slice.ts';

/** What a snapshot says of one recipient: Invo's figures added over the slices, and what only the whole window can tell. */
export interface WindowRecipient extends RecipientFigures {
  base_mismatch_count: number;
  coarse_reversal_count: number;
  earlier_reversed_usd: string;
  nets_to_zero_count: number;
}

export interface WindowProof {
  checks: Check[];
  /** Whether every hard check holds. */
  holds: boolean;
  recipients: WindowRecipient[];
  /** The control totals with the count of recipients taken from the lines. */
  totals: JoinedTotals & { recipient_count: number };
  renewal_line_count: number;
  reversal_event_count: number;
}

/** Proves one slice alone against Invo's own statement of it. */
export function proveSliceAlone(slice: SliceEvidence): Check[] {
  const book = new CheckBook();
  proveSlice(book, slice);
  return book.close();
}

/** Whether every hard check of a list holds. */
export function allHold(checks: Check[]): boolean {
  return checks.every((check) => check.ok || check.severity === 'warning');
}

/**
 * Collects the slices of a window one after another, then proves the window against its control totals.
 * Figures that do not add over slices (subscriptions, settled in this window, nets to zero) are taken from the lines for the whole window.
 */
export class WindowProver {
  readonly #window: Window;
  readonly #book = new CheckBook();
  readonly #recipients = new Map<number, Gathered>();
  readonly #periods = new Map<number, RefundedPeriod>();
  readonly #totals: Totals[] = [];
  #renewalLines = 0;
  #reversalEvents = 0;

  constructor(window: Window) {
    this.#window = window;
  }

  /** Takes the next slice in order of time; its lines may be let go afterwards. */
  add(slice: SliceEvidence): void {
    proveSlice(this.#book, slice);
    this.#totals.push(slice.totals);
    for (const figures of slice.recipients) this.#gather(figures);
    for (const line of slice.renewals) {
      const recipient = this.#recipientOf(line.recipient_player_id);
      recipient.subscriptions.add(line.subscription_id);
      if (line.base_matches_settled_fee === false) recipient.baseMismatches += 1;
    }
    this.#renewalLines += slice.renewals.length;
    for (const reversal of slice.reversals) {
      this.#reversalEvents += countSheetRows(reversal);
      const known = this.#periods.get(reversal.period_id);
      const period = known ?? {
        recipient: reversal.recipient_player_id,
        isInWindow: containsInstant(this.#window, reversal.paid_at),
        original: reversal.originally_attributed_usd,
        reversed: [],
        isCoarse: false,
        isFull: false,
      };
      period.reversed.push(reversal.reversed_attributed_usd);
      period.isCoarse ||= reversal.reversal_basis === COARSE_BASIS;
      period.isFull ||= reversal.refund_events.some((event) => event.is_full_refund);
      this.#periods.set(reversal.period_id, period);
    }
  }

  /** Closes the proof against Invo's control totals for the whole window. */
  close(control: JoinedTotals): WindowProof {
    this.#countPeriods();
    const recipients = [...this.#recipients].map(([id, gathered]) => closeRecipient(id, gathered));
    proveControl(this.#book, control, joinTotals(this.#totals), recipients.length);
    const checks = this.#book.close();
    return {
      checks,
      holds: allHold(checks),
      recipients: recipients.toSorted(byNet),
      totals: { ...control, recipient_count: recipients.length },
      renewal_line_count: this.#renewalLines,
      reversal_event_count: this.#reversalEvents,
    };
  }

  #countPeriods(): void {
    for (const period of this.#periods.values()) {
      const recipient = this.#recipientOf(period.recipient);
      recipient.reversedPeriods += 1;
      if (period.isCoarse) recipient.coarseReversals += 1;
      if (!period.isInWindow) recipient.earlierReversed.push(...period.reversed);
      const isWhole = period.isFull || compareMoney(sumMoney(period.reversed), period.original) === 0;
      if (period.isInWindow && isWhole) recipient.netsToZero += 1;
    }
  }

  #gather(figures: RecipientFigures): void {
    const recipient = this.#recipientOf(figures.recipient_player_id);
    recipient.figures.push(figures);
  }

  #recipientOf(id: number): Gathered {
    const known = this.#recipients.get(id);
    if (known) return known;
    const gathered: Gathered = {
      figures: [],
      subscriptions: new Set(),
      baseMismatches: 0,
      reversedPeriods: 0,
      coarseReversals: 0,
      earlierReversed: [],
      netsToZero: 0,
    };
    this.#recipients.set(id, gathered);
    return gathered;
  }
}

interface Gathered {
  figures: RecipientFigures[];
  subscriptions: Set<string>;
  baseMismatches: number;
  reversedPeriods: number;
  coarseReversals: number;
  earlierReversed: string[];
  netsToZero: number;
}

interface RefundedPeriod {
  recipient: number;
  isInWindow: boolean;
  original: string;
  reversed: string[];
  isCoarse: boolean;
  isFull: boolean;
}

function closeRecipient(id: number, gathered: Gathered): WindowRecipient {
  const { figures } = gathered;
  const latest = figures.at(-1);
  const [gross, reversed] = [
    sumMoney(figures.map((each) => each.gross_attributed_usd)),
    sumMoney(figures.map((each) => each.reversed_attributed_usd)),
  ];
  const only = figures.length === 1 ? latest : undefined;
  return {
    recipient_player_id: id,
    resolved: latest?.resolved ?? null,
    player_email: latest?.player_email ?? null,
    player_name: latest?.player_name ?? null,
    identity_id: latest?.identity_id ?? null,
    renewal_count: figures.reduce((sum, each) => sum + each.renewal_count, 0),
    reversal_count: gathered.reversedPeriods,
    subscription_count: only?.subscription_count ?? gathered.subscriptions.size,
    gross_attributed_usd: only?.gross_attributed_usd ?? gross,
    reversed_attributed_usd: only?.reversed_attributed_usd ?? reversed,
    net_attributed_usd: only?.net_attributed_usd ?? subtractMoney(gross, reversed),
    first_paid_at: pick(
      figures.map((each) => each.first_paid_at),
      earlierOf,
    ),
    last_paid_at: pick(
      figures.map((each) => each.last_paid_at),
      laterOf,
    ),
    base_mismatch_count: gathered.baseMismatches,
    coarse_reversal_count: gathered.coarseReversals,
    earlier_reversed_usd: sumMoney(gathered.earlierReversed),
    nets_to_zero_count: gathered.netsToZero,
  };
}

function pick(instants: (string | null)[], choose: (a: string, b: string) => string): string | null {
  const known = instants.filter((instant) => instant !== null);
  return known.length === 0 ? null : known.reduce(choose);
}

function byNet(a: WindowRecipient, b: WindowRecipient): number {
  return compareMoney(b.net_attributed_usd, a.net_attributed_usd) || a.recipient_player_id - b.recipient_player_id;
}

/** Recipients who owe back, and how much in all; zero or negative. */
export function countOwedBack(recipients: WindowRecipient[]): { count: number; usd: string } {
  const owing = recipients.filter((each) => signOfMoney(each.net_attributed_usd) < 0);
  return { count: owing.length, usd: sumMoney(owing.map((each) => each.net_attributed_usd)) };
}
