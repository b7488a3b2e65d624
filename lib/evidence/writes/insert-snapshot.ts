import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Cell, copyRows } from '#db/kit/copy.ts';
import { isErased } from '#db/kit/erased.ts';
import { type Db, inTransaction } from '#db/kit/open.ts';
import { wakeWorker } from '#db/kit/wake.ts';
import type { Window } from '#lib/core/window.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { totalsRow, WINDOW_RECIPIENT_COLUMNS } from '../reads/columns.ts';
import { daysOf } from '../reads/snapshot-days.ts';
import type { ChainLink, ResponseHead } from '../rules/chain-head.ts';
import type { Snapshot } from '../rules/evidence.ts';
import type { Check } from '../rules/reconciliation/check.ts';
import { FIGURES_VERSION, type Reconciliation, type SnapshotFigures, type WindowRecipient } from '../rules/reconciliation/check-window.ts';
import { withoutErased } from './hold-erasures.ts';
import { insertResponses, type NewResponse } from './insert-slice.ts';
import { endPull, type Lease, PULLS } from './pull-queue.ts';

interface NewSnapshot extends Pick<Snapshot, 'coveredUntil' | 'status' | 'generatedAt' | 'controlWindowCount'> {
  window: Window;
  slices: { sliceId: number }[];
  reconciliation: Reconciliation;
  /** The counts a snapshot stores beside its totals. */
  figures: SnapshotFigures;
  /** Seals the snapshot as a link of its game's chain, at the given position. */
  seal(position: ChainPosition): Seal;
  /** The control answers that are no page of a slice. */
  responses: NewResponse[];
  /** The complete snapshot before it, if Invo's totals are still those of that one; null: they aren't, or there is none. */
  equalTo: number | null;
  /** What the pull took and brought. */
  calls: number;
  lines: number;
}

/** What a snapshot is sealed with, as the database has it. */
export interface ChainPosition extends Pick<ChainLink, 'position' | 'previous' | 'created_at' | 'responses'> {
  recipients: WindowRecipient[];
  /** The salts of its recipients, by player id; those who were erased have none. */
  salts: ReadonlyMap<number, Buffer>;
}

/** The digests of a snapshot; those of identities in the order of the recipients, null for one who was erased. */
export interface Seal {
  facts: Buffer;
  link: Buffer;
  identities: (Buffer | null)[];
}

/**
 * Stores a snapshot as the next link of its game's chain, with the re-check of the one before it, and ends its pull, in one transaction. Returns its id.
 * Errors: throws `LeaseLost` when another process has taken the pull over; then nothing is stored.
 */
export async function insertSnapshot(db: Db, lease: Lease, snapshot: NewSnapshot): Promise<number> {
  return inTransaction(db, async (tx) => {
    await lockRunsOf(tx, lease.gameId);
    // One link after another: two snapshots of a game may not name the same one as the one before.
    await sql`select 1 from game where game_id = ${lease.gameId} for no key update`.execute(tx);
    const snapshotId = await drawId(tx);
    const recipients = await withoutErased(tx, lease.gameId, snapshot.reconciliation.recipients);
    await insertResponses(tx, lease, snapshot.responses, { snapshotId });
    const position = await findPosition(tx, lease.gameId, { snapshotId, slices: snapshot.slices, recipients });
    const seal = snapshot.seal(position);
    await insertHead(tx, lease, snapshotId, snapshot, { position, seal });
    const key: Cell[] = [lease.gameId, snapshotId];
    await copyRows(
      tx,
      'snapshot_slice',
      ['game_id', 'snapshot_id', 'slice_no', 'slice_id'],
      snapshot.slices.map((slice, index) => [...key, index + 1, slice.sliceId]),
    );
    await copyRows(
      tx,
      'snapshot_check',
      ['game_id', 'snapshot_id', 'check_no', ...CHECK_COLUMNS],
      snapshot.reconciliation.checks.map((check, index) => [...key, index + 1, ...checkCells(check)]),
    );
    await copyRows(
      tx,
      'snapshot_recipient',
      ['game_id', 'snapshot_id', 'identity_digest', ...WINDOW_RECIPIENT_COLUMNS],
      recipients.map((each, index) => [...key, byteaCell(seal.identities[index]), ...WINDOW_RECIPIENT_COLUMNS.map((name) => each[name])]),
    );
    await sql`insert into snapshot_day (game_id, snapshot_id, day, gross_attributed_usd, reversed_attributed_usd) ${daysOf(lease.gameId, snapshotId)}`.execute(
      tx,
    );
    if (snapshot.equalTo !== null)
      await insertComparison(tx, lease, { snapshotId: snapshot.equalTo, isEqual: true, calls: snapshot.calls });
    await endPull(tx, lease, { snapshotId, calls: snapshot.calls, lines: snapshot.lines });
    await wakeWorker(tx, { queue: 'rendition', gameId: lease.gameId });
    return snapshotId;
  });
}

interface Comparison {
  snapshotId: number;
  isEqual: boolean;
  calls: number;
}

/**
 * Stores that a complete snapshot was compared with Invo again, with the answers, in one transaction. An equal one ends the pull with that snapshot;
 * after another the pull continues with what changed.
 * Errors: throws `LeaseLost` when another process has taken the pull over; then nothing is stored.
 */
export async function insertRecheck(
  db: Db,
  lease: Lease,
  recheck: Comparison & { responses: NewResponse[]; lines: number },
): Promise<void> {
  const { snapshotId, isEqual, responses, calls, lines } = recheck;
  await inTransaction(db, async (tx) => {
    await lockRunsOf(tx, lease.gameId);
    await PULLS.hold(tx, lease);
    await insertComparison(tx, lease, recheck);
    await insertResponses(tx, lease, responses, { snapshotId });
    if (isEqual) await endPull(tx, lease, { snapshotId, calls, lines });
  });
}

async function insertComparison(tx: Db, lease: Lease, { snapshotId, isEqual, calls }: Comparison): Promise<void> {
  await sql`insert into recheck (game_id, snapshot_id, pull_id, call_count, is_equal) values (${lease.gameId}, ${snapshotId}, ${lease.pullId}, ${calls}, ${isEqual})`.execute(
    tx,
  );
}

/** The id first: its control answers are stored before it, and the link covers them as they are stored. */
async function drawId(tx: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('snapshot', 'snapshot_id')) as id`.execute(tx);
  return rows[0]?.id ?? 0;
}

async function findPosition(
  tx: Db,
  gameId: number,
  snapshot: { snapshotId: number; slices: { sliceId: number }[]; recipients: WindowRecipient[] },
): Promise<ChainPosition> {
  const last = await sql<{
    chain_no: number;
    digest: Buffer;
  }>`select chain_no, digest from snapshot where game_id = ${gameId} order by chain_no desc limit 1`.execute(tx);
  const clock = await sql<{ now: string }>`select clock_now() as now`.execute(tx);
  const { rows: responses } =
    await sql<ResponseHead>`select 0 as slice, response_id, purpose, request, status, received_at, inflated_byte_count, sha256
       from response where game_id = ${gameId} and snapshot_id = ${snapshot.snapshotId}
     union all select array_position(${snapshot.slices.map(({ sliceId }) => sliceId)}::bigint[], slice_id), response_id, purpose, request, status, received_at, inflated_byte_count, sha256
       from response where game_id = ${gameId} and slice_id = any(${snapshot.slices.map(({ sliceId }) => sliceId)})
     order by slice, response_id`.execute(tx);
  return {
    position: (last.rows[0]?.chain_no ?? 0) + 1,
    previous: last.rows[0]?.digest ?? null,
    created_at: clock.rows[0]?.now ?? '',
    responses,
    recipients: snapshot.recipients,
    salts: await findSalts(tx, gameId, snapshot.recipients),
  };
}

/** The salt of each recipient who isn't erased, drawn when there is none yet. */
async function findSalts(tx: Db, gameId: number, recipients: WindowRecipient[]): Promise<Map<number, Buffer>> {
  const ids = recipients.map((each) => each.recipient_player_id);
  await sql`insert into recipient_salt (game_id, recipient_player_id, salt)
     select ${gameId}, player_id, salt from unnest(${ids}::bigint[], ${ids.map(() => randomBytes(32))}::bytea[]) as drawn (player_id, salt)
     where not ${isErased(gameId, sql.ref('player_id'))} on conflict do nothing returning recipient_player_id`.execute(tx);
  const { rows } = await sql<{
    recipient_player_id: number;
    salt: Buffer;
  }>`select recipient_player_id, salt from recipient_salt where game_id = ${gameId} and recipient_player_id = any(${ids})`.execute(tx);
  return new Map(rows.map((row) => [row.recipient_player_id, row.salt]));
}

async function insertHead(
  tx: Db,
  lease: Lease,
  snapshotId: number,
  snapshot: NewSnapshot,
  { position, seal }: { position: ChainPosition; seal: Seal },
): Promise<void> {
  const { window, reconciliation } = snapshot;
  const row: Record<string, unknown> = {
    game_id: lease.gameId,
    snapshot_id: snapshotId,
    chain_no: position.position,
    previous_digest: position.previous,
    digest: seal.link,
    digest_version: 2,
    facts_digest: seal.facts,
    pull_id: lease.pullId,
    created_at: position.created_at,
    window_start: window.start,
    window_end: window.end,
    covered_until: snapshot.coveredUntil,
    status: snapshot.status,
    generated_at: snapshot.generatedAt,
    control_window_count: snapshot.controlWindowCount,
    ...totalsRow(reconciliation.totals),
    ...snapshot.figures,
    figures_version: FIGURES_VERSION,
  };
  await sql`insert into snapshot (${sql.join(Object.keys(row).map((name) => sql.ref(name)))}) overriding system value
    values (${sql.join(Object.values(row))})`.execute(tx);
}

/** A digest as COPY takes bytes. */
function byteaCell(digest: Buffer | null | undefined): Cell {
  return digest ? `\\x${digest.toString('hex')}` : null;
}

const CHECK_COLUMNS = ['name', 'severity', 'ok', 'expected', 'actual', 'difference', 'offenders'];

function checkCells(check: Check): Cell[] {
  return [check.name, check.severity, check.ok, check.expected, check.actual, check.difference, JSON.stringify(check.offenders)];
}
