import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';

/** A check as it was stored with a statement. */
export interface StoredCheck {
  name: string;
  severity: 'hard' | 'warning';
  ok: boolean;
  expected: string;
  actual: string;
  difference: string | null;
  offenders: { subject: string; expected: string; actual: string }[];
}

/** The evidence a statement stands on, counted. */
export interface EvidenceCounts {
  sliceCount: number;
  /** Answers of Invo kept for it. */
  responseCount: number;
  /** Bytes of those answers as Invo sent them, before compression. */
  responseByteCount: number;
  /** Calls its slices took, and the pull that built it. */
  callCount: number;
}

/** The checks of one statement in the order of the proof. */
export async function listChecks(db: Db, gameId: number, snapshotId: number): Promise<StoredCheck[]> {
  return await db
    .selectFrom('snapshot_check')
    .where('game_id', '=', gameId)
    .where('snapshot_id', '=', snapshotId)
    .orderBy('check_no')
    .select([
      'name',
      sql<StoredCheck['severity']>`severity`.as('severity'),
      'ok',
      'expected',
      'actual',
      'difference',
      sql<StoredCheck['offenders']>`offenders`.as('offenders'),
    ])
    .execute();
}

/** How much evidence one statement stands on: slices, answers kept and their bytes, calls. */
export async function countEvidence(db: Db, gameId: number, snapshotId: number): Promise<EvidenceCounts> {
  const { rows } = await sql<EvidenceCounts>`
    with own as (
      select slice_id from snapshot_slice where game_id = ${gameId} and snapshot_id = ${snapshotId}
    ), answer as (
      select inflated_byte_count from response where game_id = ${gameId} and slice_id in (select slice_id from own)
      union all
      select inflated_byte_count from response where game_id = ${gameId} and snapshot_id = ${snapshotId}
    )
    select
      (select count(*) from own) as "sliceCount",
      (select count(*) from answer) as "responseCount",
      (select coalesce(sum(inflated_byte_count), 0)::bigint from answer) as "responseByteCount",
      (select p.call_count::bigint from snapshot s join pull p using (game_id, pull_id)
        where s.game_id = ${gameId} and s.snapshot_id = ${snapshotId}) as "callCount"`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error(`no counts came for snapshot ${snapshotId}`);
  return counts;
}
