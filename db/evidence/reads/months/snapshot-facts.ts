import { sql } from 'kysely';

/** A statement of a window, with Invo's totals in Invo's own names. */
export interface SnapshotFacts {
  snapshotId: number;
  chainNo: number;
  /** Hexadecimal. */
  digest: string;
  pullId: number;
  createdAt: string;
  coveredUntil: string;
  standing: 'complete' | 'open' | 'inconsistent';
  /** Invo's clock on the control totals. */
  generatedAt: string;
  controlWindowCount: number;
  totals: SnapshotTotals;
  renewalLineCount: number;
  reversalEventCount: number;
  owedBackCount: number;
  owed_back_usd: string;
  unresolvedRecipientCount: number;
  baseMismatchCount: number;
  coarseReversalCount: number;
  openQuestionCount: number;
  checkCount: number;
  /** Checks that hold. */
  checkOkCount: number;
}

/** Money is exact text in USD; null: not available. */
interface SnapshotTotals {
  renewals_settled: number;
  settled_gross_usd: string;
  invo_fee_usd: string;
  partner_revenue_settled_usd: string;
  partner_revenue_reversed_usd: string;
  partner_revenue_usd: string;
  renewals_with_attribution: number;
  renewals_without_attribution: number;
  unattributed_reasons: Record<string, number>;
  gross_attributed_usd: string;
  reversed_attributed_usd: string;
  net_attributed_usd: string;
  renewals_settled_then_fully_reversed: number | null;
  refund_events_in_window: number;
  reversals_without_receipts: number;
  recipient_count: number;
}

export interface SnapshotRow {
  snapshot: (Omit<SnapshotFacts, 'totals' | 'createdAt' | 'coveredUntil'> & { totals: SnapshotTotals }) | null;
  snapshot_created_at: string | null;
  snapshot_covered_until: string | null;
}

/**
 * The columns of a row named `snapshot` that `reshapeSnapshot` reads. Amounts leave the database as text inside the object,
 * since a number in JSON would lose digits.
 */
export const snapshotColumns = sql`
  snapshot.created_at as snapshot_created_at,
  snapshot.covered_until as snapshot_covered_until,
  case when snapshot.snapshot_id is not null then jsonb_build_object(
    'snapshotId', snapshot.snapshot_id, 'chainNo', snapshot.chain_no, 'digest', encode(snapshot.digest, 'hex'), 'pullId', snapshot.pull_id,
    'standing', snapshot.standing, 'generatedAt', snapshot.generated_at, 'controlWindowCount', snapshot.control_window_count,
    'renewalLineCount', snapshot.renewal_line_count, 'reversalEventCount', snapshot.reversal_event_count,
    'owedBackCount', snapshot.owed_back_count, 'owed_back_usd', snapshot.owed_back_usd::text,
    'unresolvedRecipientCount', snapshot.unresolved_recipient_count, 'baseMismatchCount', snapshot.base_mismatch_count,
    'coarseReversalCount', snapshot.coarse_reversal_count, 'openQuestionCount', snapshot.open_question_count,
    'checkCount', (select count(*) from snapshot_check k where k.game_id = snapshot.game_id and k.snapshot_id = snapshot.snapshot_id),
    'checkOkCount', (select count(*) from snapshot_check k where k.game_id = snapshot.game_id and k.snapshot_id = snapshot.snapshot_id and k.ok),
    'totals', jsonb_build_object(
      'renewals_settled', snapshot.renewals_settled, 'settled_gross_usd', snapshot.settled_gross_usd::text,
      'invo_fee_usd', snapshot.invo_fee_usd::text, 'partner_revenue_settled_usd', snapshot.partner_revenue_settled_usd::text,
      'partner_revenue_reversed_usd', snapshot.partner_revenue_reversed_usd::text, 'partner_revenue_usd', snapshot.partner_revenue_usd::text,
      'renewals_with_attribution', snapshot.renewals_with_attribution, 'renewals_without_attribution', snapshot.renewals_without_attribution,
      'unattributed_reasons', snapshot.unattributed_reasons, 'gross_attributed_usd', snapshot.gross_attributed_usd::text,
      'reversed_attributed_usd', snapshot.reversed_attributed_usd::text, 'net_attributed_usd', snapshot.net_attributed_usd::text,
      'renewals_settled_then_fully_reversed', snapshot.renewals_settled_then_fully_reversed,
      'refund_events_in_window', snapshot.refund_events_in_window, 'reversals_without_receipts', snapshot.reversals_without_receipts,
      'recipient_count', snapshot.recipient_count
    )
  ) end as snapshot`;

/** The statement a row speaks of; null when the row has none. */
export function reshapeSnapshot(row: SnapshotRow): SnapshotFacts | null {
  const { snapshot, snapshot_created_at: createdAt, snapshot_covered_until: coveredUntil } = row;
  return snapshot === null || createdAt === null || coveredUntil === null ? null : { ...snapshot, createdAt, coveredUntil };
}
