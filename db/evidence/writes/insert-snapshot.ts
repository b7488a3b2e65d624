import type pg from 'pg';
import { type Cell, copyRows, inTransaction } from '#db/kit/open.ts';
import type { Window } from '#lib/core/window.ts';
import type { SnapshotStatus } from '#lib/evidence/rules/evidence.ts';
import type { Check } from '#lib/evidence/rules/reconciliation/check.ts';
import type { Reconciliation, SnapshotFigures } from '#lib/evidence/rules/reconciliation/check-window.ts';
import { TOTAL_NAMES } from '#lib/evidence/rules/totals.ts';
import { WINDOW_RECIPIENT_COLUMNS } from '../columns.ts';
import { insertResponses, type KeptResponse, totalsCells } from './insert-slice.ts';
import { endPull, type Lease } from './pull-queue.ts';

export interface NewSnapshot {
  window: Window;
  coveredUntil: string;
  status: SnapshotStatus;
  generatedAt: string;
  controlWindowCount: number;
  slices: { sliceId: number }[];
  reconciliation: Reconciliation;
  /** The counts a snapshot stores beside its totals. */
  figures: SnapshotFigures;
  /** The digest that links the snapshot to the one before it, whose digest it is given; null: it is the first. */
  digestAfter(previous: Buffer | null): Buffer;
  /** The control answers that are no page of a slice. */
  responses: KeptResponse[];
  /** What the pull took and brought. */
  calls: number;
  lines: number;
}

/**
 * Stores a snapshot as the next link of its game's chain and ends its pull, in one transaction. Returns its id.
 * Errors: throws `LeaseLost` when another process has taken the pull over; then nothing is stored.
 */
export async function insertSnapshot(pool: pg.Pool, lease: Lease, snapshot: NewSnapshot): Promise<number> {
  return inTransaction(pool, async (client) => {
    // One link after another: two snapshots of a game may not name the same one as the one before.
    await client.query('select 1 from game where game_id = $1 for no key update', [lease.gameId]);
    const snapshotId = await insertHead(client, lease, snapshot);
    const key: Cell[] = [lease.gameId, snapshotId];
    await copyRows(
      client,
      'snapshot_slice',
      ['game_id', 'snapshot_id', 'slice_no', 'slice_id'],
      snapshot.slices.map((slice, at) => [...key, at + 1, slice.sliceId]),
    );
    await copyRows(
      client,
      'snapshot_check',
      ['game_id', 'snapshot_id', 'check_no', ...CHECK_COLUMNS],
      snapshot.reconciliation.checks.map((check, at) => [...key, at + 1, ...checkCells(check)]),
    );
    await copyRows(
      client,
      'snapshot_recipient',
      ['game_id', 'snapshot_id', ...WINDOW_RECIPIENT_COLUMNS],
      snapshot.reconciliation.recipients.map((each) => [...key, ...WINDOW_RECIPIENT_COLUMNS.map((name) => each[name])]),
    );
    await insertResponses(client, lease, snapshot.responses, { snapshotId });
    await endPull(client, lease, { snapshotId, calls: snapshot.calls, lines: snapshot.lines });
    return snapshotId;
  });
}

/** Notes that a snapshot was compared with Invo again, keeps the answers, and ends the pull with that snapshot. */
export async function insertRecheck(
  pool: pg.Pool,
  lease: Lease,
  recheck: { snapshotId: number; isEqual: boolean; responses: KeptResponse[]; calls: number; lines: number; ends: boolean },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query('insert into recheck (game_id, snapshot_id, pull_id, call_count, is_equal) values ($1, $2, $3, $4, $5)', [
      lease.gameId,
      recheck.snapshotId,
      lease.pullId,
      recheck.calls,
      recheck.isEqual,
    ]);
    await insertResponses(client, lease, recheck.responses, { snapshotId: recheck.snapshotId });
    if (recheck.ends) await endPull(client, lease, { snapshotId: recheck.snapshotId, calls: recheck.calls, lines: recheck.lines });
  });
}

async function insertHead(client: pg.ClientBase, lease: Lease, snapshot: NewSnapshot): Promise<number> {
  const { window, reconciliation } = snapshot;
  const last = await client.query<{ chain_no: number; digest: Buffer }>(
    'select chain_no, digest from snapshot where game_id = $1 order by chain_no desc limit 1',
    [lease.gameId],
  );
  const previous = last.rows[0];
  const totals = totalsCells(reconciliation.totals);
  const row: Record<string, unknown> = {
    game_id: lease.gameId,
    chain_no: (previous?.chain_no ?? 0) + 1,
    previous_digest: previous?.digest ?? null,
    digest: snapshot.digestAfter(previous?.digest ?? null),
    pull_id: lease.pullId,
    window_start: window.start,
    window_end: window.end,
    covered_until: snapshot.coveredUntil,
    status: snapshot.status,
    generated_at: snapshot.generatedAt,
    control_window_count: snapshot.controlWindowCount,
    ...Object.fromEntries(TOTAL_NAMES.map((name, at) => [name, totals[at]])),
    ...snapshot.figures,
  };
  const names = Object.keys(row);
  const { rows } = await client.query<{ snapshot_id: number }>(
    `insert into snapshot (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')}) returning snapshot_id`,
    Object.values(row),
  );
  return rows[0]?.snapshot_id ?? 0;
}

const CHECK_COLUMNS = ['name', 'severity', 'ok', 'expected', 'actual', 'difference', 'offenders'];

function checkCells(check: Check): Cell[] {
  return [check.name, check.severity, check.ok, check.expected, check.actual, check.difference, JSON.stringify(check.offenders)];
}
