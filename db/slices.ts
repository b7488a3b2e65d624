import { gzipSync } from 'node:zlib';
import type pg from 'pg';
import {
  COARSE_BASIS,
  countSheetRows,
  type RecipientFigures,
  type RefundEvent,
  type RenewalLine,
  type ReversalLine,
  type SliceEvidence,
} from '../lib/domain/evidence.ts';
import { sumCounts } from '../lib/domain/totals.ts';
import { type Cell, copyRows } from './copy-rows.ts';
import { holdLease, type Lease } from './pulls.ts';

/** One answer of Invo as it is kept: the body gzipped, the digest over the inflated bytes. */
export interface KeptResponse {
  purpose: 'page' | 'fill' | 'control' | 'refused';
  request: string;
  status: number;
  receivedAt: string;
  contentEncoding: 'identity' | 'gzip';
  received: Buffer;
  sha256: string;
  inflatedBytes: number;
  refusal?: string;
}

export interface NewSlice {
  evidence: SliceEvidence;
  digest: Buffer;
  tiesOut: boolean;
  responses: KeptResponse[];
}

/**
 * Stores a slice whole, in one transaction: totals, recipients, every line and every answer, as a new version if the window was pulled before.
 * Errors: throws `LeaseLost` when another process has taken the pull over; then nothing is stored.
 */
export async function insertSlice(pool: pg.Pool, lease: Lease, slice: NewSlice): Promise<number> {
  return inTransaction(pool, async (client) => {
    await holdLease(client, lease);
    const sliceId = await insertHead(client, lease, slice);
    const key: Cell[] = [lease.gameId, sliceId];
    const { recipients, renewals, reversals } = slice.evidence;
    await copyRows(
      client,
      'slice_recipient',
      ['game_id', 'slice_id', ...RECIPIENT_COLUMNS],
      recipients.map((each) => [...key, ...cells(each, RECIPIENT_COLUMNS)]),
    );
    await copyRows(
      client,
      'renewal_line',
      ['game_id', 'slice_id', 'paid_at_reported', ...RENEWAL_COLUMNS],
      renewals.map((line) => [...key, line.paid_at, ...cells(line, RENEWAL_COLUMNS)]),
    );
    await copyRows(
      client,
      'reversal_line',
      ['game_id', 'slice_id', 'paid_at_reported', ...REVERSAL_COLUMNS],
      reversals.map((line) => [...key, line.paid_at, ...cells(line, REVERSAL_COLUMNS)]),
    );
    await copyRows(
      client,
      'refund_event',
      ['game_id', 'slice_id', 'recipient_player_id', 'period_id', 'event_no', 'refunded_at_reported', ...EVENT_COLUMNS],
      eventRows(key, reversals),
    );
    await insertResponses(client, lease, slice.responses, { sliceId });
    return sliceId;
  });
}

/** Keeps answers that belong to no slice: control totals of a snapshot, and bodies that were refused. */
export async function insertResponses(
  client: pg.ClientBase,
  pull: { gameId: number; pullId: number },
  responses: KeptResponse[],
  owner: { sliceId?: number; snapshotId?: number } = {},
): Promise<void> {
  for (const response of responses) {
    // What came uncompressed is compressed here, so that evidence costs the same however it travelled.
    const body = response.contentEncoding === 'gzip' ? response.received : gzipSync(response.received);
    await client.query(
      `insert into response (game_id, pull_id, slice_id, snapshot_id, purpose, request, status, received_at, body, sha256, inflated_byte_count, refusal)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        pull.gameId,
        pull.pullId,
        owner.sliceId ?? null,
        owner.snapshotId ?? null,
        response.purpose,
        response.request,
        response.status,
        response.receivedAt,
        body,
        Buffer.from(response.sha256, 'hex'),
        response.inflatedBytes,
        response.refusal ?? null,
      ],
    );
  }
}

/** Runs work in one transaction of its own client; any error rolls back and is thrown on. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // A client whose rollback fails, or that had a COPY in flight, must not go back to the pool.
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}

/** Columns of the totals, in Invo's names, as both slice and snapshot hold them. */
export const TOTALS_COLUMNS = [
  'renewals_settled',
  'settled_gross_usd',
  'invo_fee_usd',
  'partner_revenue_settled_usd',
  'partner_revenue_reversed_usd',
  'partner_revenue_usd',
  'renewals_with_attribution',
  'renewals_without_attribution',
  'unattributed_reasons',
  'gross_attributed_usd',
  'reversed_attributed_usd',
  'net_attributed_usd',
  'renewals_settled_then_fully_reversed',
  'refund_events_in_window',
  'reversals_without_receipts',
  'recipient_count',
] as const;

async function insertHead(client: pg.ClientBase, lease: Lease, { evidence, digest, tiesOut }: NewSlice): Promise<number> {
  const { window, totals, renewals, reversals } = evidence;
  // Two pulls of overlapping windows may store the same window at once: the lock makes their versions follow each other.
  await client.query('select pg_advisory_xact_lock($1, hashtext($2))', [lease.gameId, `slice ${window.start} ${window.end}`]);
  const before = await client.query<{ slice_id: number; version: number }>(
    'select slice_id, version from slice where game_id = $1 and window_start = $2 and window_end = $3 order by version desc limit 1',
    [lease.gameId, window.start, window.end],
  );
  const values = [
    lease.gameId,
    window.start,
    window.end,
    (before.rows[0]?.version ?? 0) + 1,
    before.rows[0]?.slice_id ?? null,
    lease.pullId,
    evidence.generated_at,
    evidence.call_count,
    evidence.notice_count,
    ...TOTALS_COLUMNS.map((name) => (name === 'unattributed_reasons' ? JSON.stringify(totals[name]) : totals[name])),
    renewals.length,
    reversals.length,
    sumCounts(reversals.map(countSheetRows)),
    tiesOut,
    digest,
  ];
  const columns = `game_id, window_start, window_end, version, supersedes_slice_id, pull_id, generated_at, call_count, notice_count, ${TOTALS_COLUMNS.join(', ')}, renewal_line_count, reversal_line_count, reversal_event_count, ties_out, digest`;
  const { rows } = await client.query<{ slice_id: number }>(
    `insert into slice (${columns}) values (${values.map((_, at) => `$${at + 1}`).join(', ')}) returning slice_id`,
    values,
  );
  return rows[0]?.slice_id ?? 0;
}

/** Columns that are filled from the field of the same name. */
export const RECIPIENT_COLUMNS = [
  'recipient_player_id',
  'resolved',
  'player_email',
  'player_name',
  'identity_id',
  'renewal_count',
  'reversal_count',
  'subscription_count',
  'gross_attributed_usd',
  'reversed_attributed_usd',
  'net_attributed_usd',
  'first_paid_at',
  'last_paid_at',
] as const satisfies (keyof RecipientFigures)[];

export const RENEWAL_COLUMNS = [
  'period_id',
  'recipient_player_id',
  'paid_at',
  'subscription_id',
  'period_seq',
  'item_id',
  'item_name',
  'status',
  'period_start',
  'period_end',
  'amount_usd',
  'invo_fee_usd',
  'partner_revenue_usd',
  'partner_revenue_settled_usd',
  'partner_revenue_reversed_usd',
  'percent_at_renewal',
  'base_usd',
  'attributed_amount_usd',
  'base_matches_settled_fee',
  'expected_base_usd',
  'recorded_base_usd',
  'rail',
  'amount_coins',
  'balance_applied_coins',
  'card_charged_usd',
  'pcstore_charged_usd',
  'refunded_amount_usd',
  'refunded_at',
  'transaction_id',
  'mint_order_id',
] as const satisfies (keyof RenewalLine)[];

export const REVERSAL_COLUMNS = [
  'period_id',
  'recipient_player_id',
  'paid_at',
  'subscription_id',
  'period_seq',
  'status',
  'amount_usd',
  'originally_attributed_usd',
  'reversed_attributed_usd',
  'partner_revenue_reversed_usd',
  'refunded_to_date_usd',
  'latest_refund_at',
  'reversal_basis',
  'settled_in_this_window',
  'nets_to_zero_in_window',
  'note',
] as const satisfies (keyof ReversalLine)[];

export const EVENT_COLUMNS = [
  'refunded_at',
  'refunded_amount_usd',
  'cumulative_refunded_before_usd',
  'cumulative_refunded_after_usd',
  'reversed_attributed_usd',
  'partner_revenue_reversed_usd',
  'partner_revenue_reversal_basis',
  'is_full_refund',
] as const satisfies (keyof RefundEvent)[];

function cells<T extends object>(row: T, columns: readonly (keyof T)[]): Cell[] {
  return columns.map((name) => row[name] as Cell);
}

function* eventRows(key: Cell[], reversals: ReversalLine[]): Generator<Cell[]> {
  for (const { recipient_player_id, period_id, refund_events, reversal_basis } of reversals) {
    if (reversal_basis === COARSE_BASIS) continue;
    for (const [at, event] of refund_events.entries()) {
      yield [...key, recipient_player_id, period_id, at + 1, event.refunded_at, ...cells(event, EVENT_COLUMNS)];
    }
  }
}
