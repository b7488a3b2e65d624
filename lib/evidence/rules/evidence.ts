import { parseEnum } from '#lib/core/parse-enum.ts';
import type { Window } from '#lib/core/window.ts';
import type { JoinedTotals, Totals } from './totals.ts';

// What Invo reports, in Invo's own field names, flat, with money as decimal text and instants as UTC text ending in Z.
// null means "not recorded", never zero. Source: document 2, attribution reporting.

/** One settled renewal, attributed to one recipient. */
export interface RenewalLine {
  period_id: number;
  recipient_player_id: number;
  paid_at: string;
  subscription_id: string;
  period_seq: number | null;
  item_id: string | null;
  item_name: string | null;
  status: string | null;
  period_start: string | null;
  period_end: string | null;
  amount_usd: string;
  invo_fee_usd: string;
  partner_revenue_usd: string;
  partner_revenue_settled_usd: string;
  partner_revenue_reversed_usd: string;
  percent_at_renewal: string | null;
  base_usd: string | null;
  attributed_amount_usd: string;
  base_matches_settled_fee: boolean | null;
  expected_base_usd: string | null;
  recorded_base_usd: string | null;
  rail: string | null;
  amount_coins: string | null;
  balance_applied_coins: string | null;
  card_charged_usd: string | null;
  pcstore_charged_usd: string | null;
  refunded_amount_usd: string | null;
  refunded_at: string | null;
  transaction_id: string | null;
  mint_order_id: string | null;
}

/** One refund of a period, as the reversal reports it. */
export interface RefundEvent {
  refunded_at: string;
  refunded_amount_usd: string;
  cumulative_refunded_before_usd: string;
  cumulative_refunded_after_usd: string;
  reversed_attributed_usd: string;
  partner_revenue_reversed_usd: string | null;
  partner_revenue_reversal_basis: string | null;
  is_full_refund: boolean;
}

/** What the refunds of one period inside one window reversed for its recipient. */
export interface ReversalLine {
  period_id: number;
  recipient_player_id: number;
  subscription_id: string;
  period_seq: number | null;
  status: string | null;
  paid_at: string;
  amount_usd: string | null;
  originally_attributed_usd: string;
  reversed_attributed_usd: string;
  partner_revenue_reversed_usd: string | null;
  refunded_to_date_usd: string | null;
  latest_refund_at: string | null;
  reversal_basis: string;
  settled_in_this_window: boolean | null;
  nets_to_zero_in_window: boolean | null;
  note: string | null;
  /** In order of time; empty on a coarse reversal. */
  refund_events: RefundEvent[];
}

/** Who a recipient is and what Invo reports they earned in one window. */
export interface Recipient {
  recipient_player_id: number;
  resolved: boolean | null;
  player_email: string | null;
  player_name: string | null;
  identity_id: string | null;
  renewal_count: number;
  reversal_count: number;
  subscription_count: number;
  gross_attributed_usd: string;
  reversed_attributed_usd: string;
  net_attributed_usd: string;
  first_paid_at: string | null;
  last_paid_at: string | null;
}

/** The fields that name a person; an erasure removes them. */
export type Identity = Pick<Recipient, 'player_email' | 'player_name' | 'identity_id'>;

/** The identity of a person who was erased. */
export const NO_IDENTITY: Identity = { player_email: null, player_name: null, identity_id: null };

/** A recipient with the lines an answer showed, which may be fewer than were counted. */
export interface RecipientReport extends Recipient {
  renewals: RenewalLine[];
  reversals: ReversalLine[];
  isTruncated: { renewals: boolean; reversals: boolean };
}

/** One window pulled whole: the totals, every recipient and every line. */
export interface SliceEvidence {
  window: Window;
  generated_at: string;
  totals: Totals;
  recipients: Recipient[];
  renewals: RenewalLine[];
  reversals: ReversalLine[];
  call_count: number;
  notice_count: number;
}

/** `complete`: the window is over, whole, and every hard check matches. `open`: not over. `inconsistent`: a hard check doesn't match. */
export const SNAPSHOT_STATUSES = ['complete', 'open', 'inconsistent'] as const;
export type SnapshotStatus = (typeof SNAPSHOT_STATUSES)[number];

/** A snapshot of a window, with Invo's totals in Invo's own names. */
export interface Snapshot {
  snapshotId: number;
  chainNo: number;
  /** Hexadecimal. */
  digest: string;
  pullId: number;
  createdAt: string;
  coveredUntil: string;
  status: SnapshotStatus;
  /** Invo's clock on the control totals. */
  generatedAt: string;
  controlWindowCount: number;
  totals: JoinedTotals & { recipient_count: number };
  renewalLineCount: number;
  reversalEventCount: number;
  negativeBalanceCount: number;
  negative_balance_usd: string;
  unresolvedRecipientCount: number;
  baseMismatchCount: number;
  coarseReversalCount: number;
  /** Reversals without receipts that the current snapshot of another window reports too. */
  repeatedReversalCount: number;
  /** What is to be checked before paying: what the snapshot counted, and the repeated reversals. */
  openItemCount: number;
  checkCount: number;
  /** Checks that match. */
  checkOkCount: number;
  /** Checks that don't match and only warn. */
  warningCount: number;
}

/** Parses a stored status of a snapshot. Throws on any other text. */
export function parseSnapshotStatus(text: string): SnapshotStatus {
  return parseEnum(SNAPSHOT_STATUSES, text);
}

/** The states of a pull as a job. */
export const PULL_STATES = ['queued', 'running', 'done', 'failed'] as const;
export type PullState = (typeof PULL_STATES)[number];

/** Parses a stored state of a pull. Throws on any other text. */
export function parsePullState(text: string): PullState {
  return parseEnum(PULL_STATES, text);
}

/** The reversal basis that is a coarse fallback: no events, and reported wholly in the window of the latest refund. */
export const COARSE_BASIS = 'period_row';

/** The one unattributed reason that needs no action: no share was configured, so nobody earned anything. */
export const BENIGN_REASON = 'no_revenue_share_configured';

/** Rows the reversals sheet has for a reversal: one per refund event, and one for a coarse reversal. */
export function countSheetRows(reversal: ReversalLine): number {
  return reversal.reversal_basis === COARSE_BASIS ? 1 : Math.max(1, reversal.refund_events.length);
}
