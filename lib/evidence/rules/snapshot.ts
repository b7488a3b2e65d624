import type { SnapshotStatus } from './evidence.ts';
import type { JoinedTotals } from './totals.ts';

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
