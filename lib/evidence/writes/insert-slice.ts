import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { sql } from 'kysely';
import { type Cell, copyRows } from '#db/kit/copy.ts';
import { type Db, inTransaction } from '#db/kit/open.ts';
import { fromMicroseconds, toMicroseconds } from '#lib/core/instant.ts';
import { cellsOf, EVENT_COLUMNS, RECIPIENT_COLUMNS, RENEWAL_COLUMNS, REVERSAL_COLUMNS, totalsRow } from '../reads/columns.ts';
import { redactBytes } from '../reads/names-in-bytes.ts';
import { COARSE_BASIS, countSheetRows, type ReversalLine, type SliceEvidence } from '../rules/evidence.ts';
import { sumCounts } from '../rules/totals.ts';
import { holdErasures, withoutErased } from './hold-erasures.ts';
import { type Lease, PULLS } from './pull-queue.ts';

const compress = promisify(gzip);

export interface NewSlice {
  evidence: SliceEvidence;
  digest: Buffer;
  isConsistent: boolean;
  responses: NewResponse[];
}

/**
 * Stores a slice whole, in one transaction: totals, recipients, every line and every answer, as a new version if the window was pulled before.
 * Errors: throws `LeaseLost` when another process has taken the pull over; then nothing is stored.
 */
export async function insertSlice(db: Db, lease: Lease, slice: NewSlice): Promise<number> {
  return inTransaction(db, async (tx) => {
    await PULLS.hold(tx, lease);
    const sliceId = await insertHead(tx, lease, slice);
    const key: Cell[] = [lease.gameId, sliceId];
    const { renewals, reversals } = slice.evidence;
    const recipients = await withoutErased(tx, lease.gameId, slice.evidence.recipients);
    await copyRows(
      tx,
      'slice_recipient',
      ['game_id', 'slice_id', ...RECIPIENT_COLUMNS],
      recipients.values().map((each) => [...key, ...cellsOf(each, RECIPIENT_COLUMNS)]),
    );
    await copyRows(
      tx,
      'renewal_line',
      ['game_id', 'slice_id', 'paid_at_reported', ...RENEWAL_COLUMNS],
      renewals.values().map((line) => [...key, line.paid_at, ...cellsOf(sortable(line, 'paid_at'), RENEWAL_COLUMNS)]),
    );
    await copyRows(
      tx,
      'reversal_line',
      ['game_id', 'slice_id', 'paid_at_reported', ...REVERSAL_COLUMNS],
      reversals.values().map((line) => [...key, line.paid_at, ...cellsOf(sortable(line, 'paid_at'), REVERSAL_COLUMNS)]),
    );
    await copyRows(
      tx,
      'refund_event',
      ['game_id', 'slice_id', 'recipient_player_id', 'period_id', 'event_no', 'refunded_at_reported', ...EVENT_COLUMNS],
      eventRows(key, reversals),
    );
    await insertResponses(tx, lease, slice.responses, { sliceId });
    return sliceId;
  });
}

async function insertHead(tx: Db, lease: Lease, { evidence, digest, isConsistent }: NewSlice): Promise<number> {
  const { window, totals, renewals, reversals } = evidence;
  // Two pulls of overlapping windows may store the same window at once: the lock makes their versions follow each other.
  await sql`select pg_advisory_xact_lock(${lease.gameId}, hashtext(${`slice ${window.start} ${window.end}`}))`.execute(tx);
  const before = await sql<{
    slice_id: number;
    version: number;
  }>`select slice_id, version from slice where game_id = ${lease.gameId} and window_start = ${window.start} and window_end = ${window.end} order by version desc limit 1`.execute(
    tx,
  );
  const row: Record<string, Cell | Buffer> = {
    game_id: lease.gameId,
    window_start: window.start,
    window_end: window.end,
    version: (before.rows[0]?.version ?? 0) + 1,
    supersedes_slice_id: before.rows[0]?.slice_id ?? null,
    pull_id: lease.pullId,
    generated_at: evidence.generated_at,
    call_count: evidence.call_count,
    notice_count: evidence.notice_count,
    ...totalsRow(totals),
    renewal_line_count: renewals.length,
    reversal_line_count: reversals.length,
    reversal_event_count: sumCounts(reversals.map(countSheetRows)),
    is_consistent: isConsistent,
    digest,
  };
  const { rows } = await sql<{ slice_id: number }>`insert into slice (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
    values (${sql.join(Object.values(row))}) returning slice_id`.execute(tx);
  return rows[0]?.slice_id ?? 0;
}

/** Postgres rounds what is finer than a microsecond, perhaps into the next month; for order it is cut off, and the reported text is stored beside it. */
function sortable<K extends string, T extends Record<K, string>>(row: T, key: K): T {
  return /\.\d{7,}Z$/.test(row[key]) ? { ...row, [key]: fromMicroseconds(toMicroseconds(row[key])) } : row;
}

function* eventRows(key: Cell[], reversals: ReversalLine[]): Generator<Cell[]> {
  for (const { recipient_player_id, period_id, refund_events, reversal_basis } of reversals) {
    if (reversal_basis === COARSE_BASIS) continue;
    for (const [index, event] of refund_events.entries()) {
      yield [
        ...key,
        recipient_player_id,
        period_id,
        index + 1,
        event.refunded_at,
        ...cellsOf(sortable(event, 'refunded_at'), EVENT_COLUMNS),
      ];
    }
  }
}

/** One answer of Invo as it is stored: the body gzipped, the digest over the inflated bytes. */
export interface NewResponse {
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
  tx: Db,
  pull: { gameId: number; pullId: number },
  responses: NewResponse[],
  owner: { sliceId?: number; snapshotId?: number } = {},
): Promise<void> {
  const playerIds = (owner.sliceId ?? owner.snapshotId) ? null : await holdErasures(tx, pull.gameId);
  const people = { playerIds: new Set([...(playerIds ?? [])].map(String)), emails: [], identities: new Set<string>() };
  for (const response of responses) {
    // What came uncompressed is compressed here, so that evidence costs the same however it travelled; outside the main thread, which continues meanwhile.
    const body = response.contentEncoding === 'gzip' ? response.received : await compress(response.received);
    const left = people.playerIds.size === 0 ? null : await redactBytes(body, people);
    await sql`insert into response (game_id, pull_id, slice_id, snapshot_id, purpose, request, status, received_at, body, sha256, inflated_byte_count, refusal, is_redacted)
       values (${pull.gameId}, ${pull.pullId}, ${owner.sliceId ?? null}, ${owner.snapshotId ?? null}, ${response.purpose}, ${response.request}, ${response.status}, ${response.receivedAt}, ${left?.body ?? body}, ${left?.sha256 ?? Buffer.from(response.sha256, 'hex')}, ${left?.inflatedByteCount ?? response.inflatedBytes}, ${response.refusal ?? null}, ${left !== null})`.execute(
      tx,
    );
  }
}
