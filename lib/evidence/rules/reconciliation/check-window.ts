import { earlierOf, laterOf } from '#lib/core/instant.ts';
import { compareMoney, signOfMoney, subtractMoney, sumMoney } from '#lib/core/money.ts';
import { containsInstant, type Window } from '#lib/core/window.ts';
import {
  BENIGN_REASON,
  COARSE_BASIS,
  countSheetRows,
  RECIPIENT_FIELDS,
  type Recipient,
  type ReversalLine,
  type RowOf,
  type SliceEvidence,
} from '../evidence.ts';
import { ADDITIVE_TOTALS, type JoinedTotals, joinTotals, sumCounts, sumOf, type Totals, writeReasons } from '../totals.ts';
import { type Check, CheckList } from './check.ts';
import { checkSlice } from './check-slice.ts';

export const WINDOW_RECIPIENT_FIELDS = {
  ...RECIPIENT_FIELDS,
  base_mismatch_count: 'count',
  coarse_reversal_count: 'count',
  earlier_reversed_usd: 'money',
  nets_to_zero_count: 'count',
} as const;

/** The figures of one recipient in a snapshot: Invo's, added over the slices, and those that follow only from the whole window. */
export type WindowRecipient = RowOf<typeof WINDOW_RECIPIENT_FIELDS>;

export interface Reconciliation {
  checks: Check[];
  /** Whether every hard check holds. */
  holds: boolean;
  recipients: WindowRecipient[];
  /** The control totals with the count of recipients from the lines. */
  totals: JoinedTotals & { recipient_count: number };
  renewal_line_count: number;
  reversal_event_count: number;
}

/** Reconciles one slice alone with what Invo states about it. */
export function reconcileSlice(slice: SliceEvidence): Check[] {
  const checks = new CheckList();
  checkSlice(checks, slice);
  return checks.close();
}

/** Whether every hard check of a list holds. */
export function allMatch(checks: Check[]): boolean {
  return checks.every((check) => check.ok || check.severity === 'warning');
}

/**
 * The rule by which a snapshot counts the periods that net to zero. 2: settled in the window, and the whole price refunded in it, as Invo's own flag states.
 * 1 also counted a reversal of the whole attributed amount, which a share of a few cents reaches with a part of the price.
 */
export const FIGURES_VERSION = 2;

/**
 * Collects the slices of a window one after another, then proves the window against its control totals.
 * Figures that do not add over slices (subscriptions, settled in this window, nets to zero) come from the lines of the whole window.
 */
export class WindowReconciler {
  readonly #window: Window;
  readonly #figuresVersion: number;
  readonly #checks = new CheckList();
  readonly #recipients = new Map<number, Gathered>();
  readonly #periods = new Map<number, ReversedPeriod>();
  readonly #totals: Totals[] = [];
  #renewalLines = 0;
  #reversalEvents = 0;

  /** `figuresVersion`: the rule of the snapshot that is repeated. */
  constructor(window: Window, figuresVersion: number = FIGURES_VERSION) {
    this.#window = window;
    this.#figuresVersion = figuresVersion;
  }

  /** Takes the next slice in order of time; its lines may be let go afterwards. */
  add(slice: SliceEvidence): void {
    checkSlice(this.#checks, slice);
    this.#totals.push(slice.totals);
    for (const figures of slice.recipients) this.#recipientOf(figures.recipient_player_id).figures.push(figures);
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
      period.isFull ||= isFullyRefunded(reversal);
      this.#periods.set(reversal.period_id, period);
    }
  }

  /** Compares the slices with Invo's control totals of the whole window, and returns the result. */
  close(control: JoinedTotals): Reconciliation {
    this.#countPeriods();
    const recipients = [...this.#recipients].map(([id, gathered]) => closeRecipient(id, gathered));
    checkControl(this.#checks, control, joinTotals(this.#totals), recipients.length);
    const checks = this.#checks.close();
    return {
      checks,
      holds: allMatch(checks),
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
      const isReversed = this.#figuresVersion === 1 && compareMoney(sumMoney(period.reversed), period.original) === 0;
      if (period.isInWindow && (period.isFull || isReversed)) recipient.netsToZero += 1;
    }
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

/** Whether the whole price is refunded: by the refund that completes it or, without receipts, by what was refunded to date. */
function isFullyRefunded(reversal: ReversalLine): boolean {
  const { reversal_basis, refund_events, refunded_to_date_usd, amount_usd } = reversal;
  if (reversal_basis !== COARSE_BASIS) return refund_events.some((event) => event.is_full_refund);
  if (refunded_to_date_usd === null || amount_usd === null) return reversal.nets_to_zero_in_window === true;
  return compareMoney(refunded_to_date_usd, amount_usd) === 0;
}

interface Gathered {
  figures: Recipient[];
  subscriptions: Set<string>;
  baseMismatches: number;
  reversedPeriods: number;
  coarseReversals: number;
  earlierReversed: string[];
  netsToZero: number;
}

interface ReversedPeriod {
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
  const [gross, reversed] = [sumOf(figures, 'gross_attributed_usd'), sumOf(figures, 'reversed_attributed_usd')];
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
    first_paid_at: pick(figures, 'first_paid_at', earlierOf),
    last_paid_at: pick(figures, 'last_paid_at', laterOf),
    base_mismatch_count: gathered.baseMismatches,
    coarse_reversal_count: gathered.coarseReversals,
    earlier_reversed_usd: sumMoney(gathered.earlierReversed),
    nets_to_zero_count: gathered.netsToZero,
  };
}

function pick(figures: Recipient[], name: 'first_paid_at' | 'last_paid_at', choose: (a: string, b: string) => string): string | null {
  const known = figures.map((each) => each[name]).filter((instant) => instant !== null);
  return known.length === 0 ? null : known.reduce(choose);
}

function byNet(a: WindowRecipient, b: WindowRecipient): number {
  return compareMoney(b.net_attributed_usd, a.net_attributed_usd) || a.recipient_player_id - b.recipient_player_id;
}

/** The counts a snapshot stores beside its totals: what there is, negative balances, and what a person must look at. */
export interface SnapshotFigures {
  renewal_line_count: number;
  reversal_event_count: number;
  negative_balance_count: number;
  /** USD, zero or negative. */
  negative_balance_usd: string;
  unresolved_recipient_count: number;
  base_mismatch_count: number;
  coarse_reversal_count: number;
  /** Unattributed renewals, other than those without a revenue share, and the three counts above. */
  open_item_count: number;
}

/** Counts what a snapshot stores beside its totals. */
export function countFigures({ recipients, totals, renewal_line_count, reversal_event_count }: Reconciliation): SnapshotFigures {
  const negative = recipients.filter((each) => signOfMoney(each.net_attributed_usd) < 0);
  const unresolved = recipients.filter((each) => each.resolved === false).length;
  const mismatches = sumCounts(recipients.map((each) => each.base_mismatch_count));
  const coarse = sumCounts(recipients.map((each) => each.coarse_reversal_count));
  const unattributed = Object.entries(totals.unattributed_reasons).map(([reason, count]) => (reason === BENIGN_REASON ? 0 : count));
  return {
    renewal_line_count,
    reversal_event_count,
    negative_balance_count: negative.length,
    negative_balance_usd: sumOf(negative, 'net_attributed_usd'),
    unresolved_recipient_count: unresolved,
    base_mismatch_count: mismatches,
    coarse_reversal_count: coarse,
    open_item_count: unresolved + mismatches + coarse + sumCounts(unattributed),
  };
}

/**
 * Compares the sums over all slices with Invo's own totals of the whole window, to the last digit.
 * The number of recipients does not add over slices: it is counted from the lines, where Invo gave one figure for the whole window.
 */
function checkControl(checks: CheckList, control: JoinedTotals, slices: JoinedTotals, recipientCount: number): void {
  for (const name of Object.keys(ADDITIVE_TOTALS) as (keyof typeof ADDITIVE_TOTALS)[]) {
    const [expected, actual] = [control[name], slices[name]];
    if (typeof expected === 'string') checks.equalMoney(`control_${name}`, name, expected, String(actual));
    else checks.equalCount(`control_${name}`, name, expected, Number(actual));
  }
  checks.equalText(
    'control_unattributed_reasons',
    'unattributed_reasons',
    writeReasons(control.unattributed_reasons),
    writeReasons(slices.unattributed_reasons),
  );
  if (control.recipient_count !== null)
    checks.equalCount('control_recipient_count', 'recipient_count', control.recipient_count, recipientCount);
}
