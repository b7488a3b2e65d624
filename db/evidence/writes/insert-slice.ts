import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type pg from 'pg';
import { inClientTransaction } from '#db/kit/client.ts';
import { type Cell, copyRows } from '#db/kit/copy.ts';
import { dbOn } from '#db/kit/open.ts';
import { fromMicroseconds, toMicroseconds } from '#lib/core/instant.ts';
import { COARSE_BASIS, countSheetRows, type ReversalLine, type SliceEvidence } from '#lib/evidence/rules/evidence.ts';
import { type JoinedTotals, sumCounts, TOTAL_NAMES } from '#lib/evidence/rules/totals.ts';
import { EVENT_COLUMNS, RECIPIENT_COLUMNS, RENEWAL_COLUMNS, REVERSAL_COLUMNS } from '../columns.ts';
import { redactBytes } from '../redact-bytes.ts';
import { holdErasures, withoutErased } from './erasures.ts';
import { holdLease, type Lease } from './pull-queue.ts';

const compress = promisify(gzip);

export interface NewSlice {
  evidence: SliceEvidence;
  digest: Buffer;
  isConsistent: boolean;
  responses: KeptResponse[];
}

/**
 * Stores a slice whole, in one transaction: totals, recipients, every line and every answer, as a new version if the window was pulled before.
 * Errors: throws `LeaseLost` when another process has taken the pull over; then nothing is stored.
 */
export async function insertSlice(pool: pg.Pool, lease: Lease, slice: NewSlice): Promise<number> {
  return inClientTransaction(pool, async (client) => {
    await holdLease(client, lease);
    const sliceId = await insertHead(client, lease, slice);
    const key: Cell[] = [lease.gameId, sliceId];
    const { renewals, reversals } = slice.evidence;
    const recipients = await withoutErased(client, lease.gameId, slice.evidence.recipients);
    await copyRows(
      dbOn(client),
      'slice_recipient',
      ['game_id', 'slice_id', ...RECIPIENT_COLUMNS],
      recipients.values().map((each) => [...key, ...cells(each, RECIPIENT_COLUMNS)]),
    );
    await copyRows(
      dbOn(client),
      'renewal_line',
      ['game_id', 'slice_id', 'paid_at_reported', ...RENEWAL_COLUMNS],
      renewals.values().map((line) => [...key, line.paid_at, ...cells(sortable(line, 'paid_at'), RENEWAL_COLUMNS)]),
    );
    await copyRows(
      dbOn(client),
      'reversal_line',
      ['game_id', 'slice_id', 'paid_at_reported', ...REVERSAL_COLUMNS],
      reversals.values().map((line) => [...key, line.paid_at, ...cells(sortable(line, 'paid_at'), REVERSAL_COLUMNS)]),
    );
    await copyRows(
      dbOn(client),
      'refund_event',
      ['game_id', 'slice_id', 'recipient_player_id', 'period_id', 'event_no', 'refunded_at_reported', ...EVENT_COLUMNS],
      eventRows(key, reversals),
    );
    await insertResponses(client, lease, slice.responses, { sliceId });
    return sliceId;
  });
}

async function insertHead(client: pg.ClientBase, lease: Lease, { evidence, digest, isConsistent }: NewSlice): Promise<number> {
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
    ...totalsCells(totals),
    renewals.length,
    reversals.length,
    sumCounts(reversals.map(countSheetRows)),
    isConsistent,
    digest,
  ];
  const columns = `game_id, window_start, window_end, version, supersedes_slice_id, pull_id, generated_at, call_count, notice_count, ${TOTAL_NAMES.join(', ')}, renewal_line_count, reversal_line_count, reversal_event_count, is_consistent, digest`;
  const { rows } = await client.query<{ slice_id: number }>(
    `insert into slice (${columns}) values (${values.map((_, at) => `$${at + 1}`).join(', ')}) returning slice_id`,
    values,
  );
  return rows[0]?.slice_id ?? 0;
}

/** The totals as column values, in the order of `TOTAL_NAMES`. */
export function totalsCells(totals: JoinedTotals): Cell[] {
  return TOTAL_NAMES.map((name) => (name === 'unattributed_reasons' ? JSON.stringify(totals[name]) : totals[name]));
}

/** Postgres rounds what is finer than a microsecond, perhaps into the next month; for order it is cut off, and the reported text is kept beside it. */
function sortable<K extends string, T extends Record<K, string>>(row: T, key: K): T {
  return /\.\d{7,}Z$/.test(row[key]) ? { ...row, [key]: fromMicroseconds(toMicroseconds(row[key])) } : row;
}

function cells<T extends object>(row: T, columns: readonly (keyof T)[]): Cell[] {
  return columns.map((name) => row[name] as Cell);
}

function* eventRows(key: Cell[], reversals: ReversalLine[]): Generator<Cell[]> {
  for (const { recipient_player_id, period_id, refund_events, reversal_basis } of reversals) {
    if (reversal_basis === COARSE_BASIS) continue;
    for (const [at, event] of refund_events.entries()) {
      yield [...key, recipient_player_id, period_id, at + 1, event.refunded_at, ...cells(sortable(event, 'refunded_at'), EVENT_COLUMNS)];
    }
  }
}

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

/**
 * Stores answers: of a slice, control totals of a snapshot, or refused ones, which no chain binds: they are stored without what names people who were erased.
 */
export async function insertResponses(
  client: pg.ClientBase,
  pull: { gameId: number; pullId: number },
  responses: KeptResponse[],
  owner: { sliceId?: number; snapshotId?: number } = {},
): Promise<void> {
  const playerIds = (owner.sliceId ?? owner.snapshotId) ? null : await holdErasures(client, pull.gameId);
  const people = { playerIds: new Set([...(playerIds ?? [])].map(String)), emails: [], identities: new Set<string>() };
  for (const response of responses) {
    // What came uncompressed is compressed here, so that evidence costs the same however it travelled; outside the main thread, which goes on meanwhile.
    const body = response.contentEncoding === 'gzip' ? response.received : await compress(response.received);
    const left = people.playerIds.size === 0 ? null : await redactBytes(body, people);
    await client.query(
      `insert into response (game_id, pull_id, slice_id, snapshot_id, purpose, request, status, received_at, body, sha256, inflated_byte_count, refusal, is_redacted)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
      [
        pull.gameId,
        pull.pullId,
        owner.sliceId ?? null,
        owner.snapshotId ?? null,
        response.purpose,
        response.request,
        response.status,
        response.receivedAt,
        left?.body ?? body,
        left?.sha256 ?? Buffer.from(response.sha256, 'hex'),
        left?.inflatedByteCount ?? response.inflatedBytes,
        response.refusal ?? null,
        left !== null,
      ],
    );
  }
}
