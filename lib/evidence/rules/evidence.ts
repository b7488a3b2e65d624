import { parseEnum } from '#lib/core/strings.ts';
import type { Window } from '#lib/core/window.ts';
import type { JoinedTotals, Totals } from './totals.ts';

// What Invo reports, in Invo's own field names, flat. One list of fields for each kind of row: its type and its columns derive from it.
// Source: document 2, attribution reporting.

/** The value of a reported field: `money` is exact decimal text in USD, `coins` decimal text, an `instant` UTC text ending in Z. */
interface ValueOfKind {
  id: number;
  count: number;
  money: string;
  coins: string;
  instant: string;
  text: string;
  flag: boolean;
}
type Kind = keyof ValueOfKind;
type FieldKind = Kind | `${Kind}?`;
type ValueOf<Field> = Field extends `${infer Name extends Kind}?`
  ? ValueOfKind[Name] | null
  : Field extends Kind
    ? ValueOfKind[Field]
    : never;

/** A row with these fields. One marked `?` may be null, which means "not recorded", never zero. */
export type RowOf<Fields extends Record<string, FieldKind>> = { -readonly [Name in keyof Fields]: ValueOf<Fields[Name]> };

export const RENEWAL_FIELDS = {
  period_id: 'id',
  recipient_player_id: 'id',
  paid_at: 'instant',
  subscription_id: 'text',
  period_seq: 'count?',
  item_id: 'text?',
  item_name: 'text?',
  status: 'text?',
  period_start: 'instant?',
  period_end: 'instant?',
  amount_usd: 'money',
  invo_fee_usd: 'money',
  partner_revenue_usd: 'money',
  partner_revenue_settled_usd: 'money',
  partner_revenue_reversed_usd: 'money',
  percent_at_renewal: 'text?',
  base_usd: 'money?',
  attributed_amount_usd: 'money',
  base_matches_settled_fee: 'flag?',
  expected_base_usd: 'money?',
  recorded_base_usd: 'money?',
  rail: 'text?',
  amount_coins: 'coins?',
  balance_applied_coins: 'coins?',
  card_charged_usd: 'money?',
  pcstore_charged_usd: 'money?',
  refunded_amount_usd: 'money?',
  refunded_at: 'instant?',
  transaction_id: 'text?',
  mint_order_id: 'text?',
} as const;

/** One settled renewal, attributed to one recipient. */
export type RenewalLine = RowOf<typeof RENEWAL_FIELDS>;

export const EVENT_FIELDS = {
  refunded_at: 'instant',
  refunded_amount_usd: 'money',
  cumulative_refunded_before_usd: 'money',
  cumulative_refunded_after_usd: 'money',
  reversed_attributed_usd: 'money',
  partner_revenue_reversed_usd: 'money?',
  partner_revenue_reversal_basis: 'text?',
  is_full_refund: 'flag',
} as const;

/** One refund of a period, as the reversal reports it. */
export type RefundEvent = RowOf<typeof EVENT_FIELDS>;

export const REVERSAL_FIELDS = {
  period_id: 'id',
  recipient_player_id: 'id',
  subscription_id: 'text',
  period_seq: 'count?',
  status: 'text?',
  paid_at: 'instant',
  amount_usd: 'money?',
  originally_attributed_usd: 'money',
  reversed_attributed_usd: 'money',
  partner_revenue_reversed_usd: 'money?',
  refunded_to_date_usd: 'money?',
  latest_refund_at: 'instant?',
  reversal_basis: 'text',
  settled_in_this_window: 'flag?',
  nets_to_zero_in_window: 'flag?',
  note: 'text?',
} as const;

/** What the refunds of one period inside one window reversed for its recipient. */
export interface ReversalLine extends RowOf<typeof REVERSAL_FIELDS> {
  /** In order of time; empty on a coarse reversal. */
  refund_events: RefundEvent[];
}

export const RECIPIENT_FIELDS = {
  recipient_player_id: 'id',
  resolved: 'flag?',
  player_email: 'text?',
  player_name: 'text?',
  identity_id: 'text?',
  renewal_count: 'count',
  reversal_count: 'count',
  subscription_count: 'count',
  gross_attributed_usd: 'money',
  reversed_attributed_usd: 'money',
  net_attributed_usd: 'money',
  first_paid_at: 'instant?',
  last_paid_at: 'instant?',
} as const;

/** Who a recipient is and what Invo reports they earned in one window. */
export type Recipient = RowOf<typeof RECIPIENT_FIELDS>;

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

/** A link of a chain: its number, from 1, and its digest as hex. Stored outside the database, it reveals a rewritten history. */
export interface ChainHead {
  position: number;
  digest: string;
}

export interface GameHead extends ChainHead {
  game: string;
  environment: string;
}
