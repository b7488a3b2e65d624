import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { PAUSE_VERSION } from '#lib/approvals/reads.ts';
import type { Window } from '#lib/core/window.ts';
import {
  type KnownFile,
  type KnownRun,
  type LostFiles,
  type MissingFile,
  type MissingRun,
  parseMissingFiles,
  parseMissingRuns,
} from '../rules/missing-run.ts';
import { windowOf } from './run-facts.ts';

/** A pause of all payouts of a game after a restore. */
export interface PayoutPause {
  /** What resuming is bound to: this pause and who requested to resume it. */
  version: string;
  pausedAt: string;
  /** Approved after the backup and missing here, by window; null: nothing knows which runs were approved. */
  missing: MissingRun[] | null;
  /** Made after the backup and missing here, oldest first; null: nothing knows which files were made. */
  missingFiles: MissingFile[] | null;
  /** The first person who requested the resumption; null: nobody yet. */
  resumeRequestedBy: { id: string; name: string } | null;
}

/** Finds the pause in force in a game; null when payouts aren't paused. */
export async function findPayoutPause(db: Db, gameId: number): Promise<PayoutPause | null> {
  const { rows } = await sql<{
    version: string;
    paused_at: string;
    missing: unknown;
    files: unknown;
    id: string | null;
    name: string | null;
  }>`
    select ${PAUSE_VERSION} as version, pause.paused_at, pause.missing, pause.missing_files as files, requester.id, requester.name
    from payout_pause pause left join person requester on requester.id = pause.resume_requested_by
    where pause.game_id = ${gameId} and pause.resumed_at is null`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    version: row.version,
    pausedAt: row.paused_at,
    missing: parseMissingRuns(row.missing),
    missingFiles: parseMissingFiles(row.files),
    resumeRequestedBy: row.id === null ? null : { id: row.id, name: row.name ?? row.id },
  };
}

/** Lists the games whose payouts are paused, by slug, with the approved runs they lack; null: nothing knows. */
export async function listPayoutPauses(db: Db): Promise<{ slug: string; environment: string; missing: MissingRun[] | null }[]> {
  const { rows } = await sql<{ slug: string; environment: string; missing: unknown }>`
    select game.slug, game.environment, pause.missing from payout_pause pause join game on game.game_id = pause.game_id
    where pause.resumed_at is null order by game.slug, game.environment`.execute(db);
  return rows.map(({ missing, ...game }) => ({ ...game, missing: parseMissingRuns(missing) }));
}

/** Lists runs that were approved from an instant on, voided ones too; null: all. For the data folder. */
export async function listKnownRuns(db: Db, since: string | null): Promise<KnownRun[]> {
  const { rows } = await sql<KnownRun>`
    select 1 as v, game.slug as game, game.environment, run.run_no as "runNo", ${windowOf('run')} as "window",
      encode(run.content_digest, 'hex') as "contentDigest", run.payable_usd, run.approved_at as "approvedAt"
    from payout_run run join game on game.game_id = run.game_id
    where run.approved_at is not null and run.content_digest is not null and (${since}::timestamptz is null or run.approved_at >= ${since})
    order by run.game_id, run.run_no`.execute(db);
  return rows;
}

/** Lists payment files, and payments recorded as paid elsewhere, that were made from an instant on; null: all. For the data folder. */
export async function listKnownFiles(db: Db, since: string | null): Promise<KnownFile[]> {
  const { rows } = await sql<KnownFile>`
    select 1 as v, game.slug as game, game.environment, run.run_no as "runNo", b.message_id as "messageId", b.file_name as "fileName", b.item_count as payments,
      b.total_usd, b.made_at as "madeAt"
    from game join payout_batch b on b.game_id = game.game_id join payout_run run on run.game_id = b.game_id and run.run_id = b.run_id
    where ${since}::timestamptz is null or b.made_at >= ${since}
    order by b.game_id, b.batch_no`.execute(db);
  return rows;
}

/**
 * Lists the payment files of a run that a restore lost: their payments may have been paid. Includes files of a lost run of the same window, even when its number was
 * different.
 */
export async function listLostFiles(db: Db, gameId: number, run: { runNo: number; window: Window }): Promise<LostFiles> {
  const { rows } = await sql<{ files: unknown; missing: unknown; pausedAt: string }>`
    select pause.missing_files as files, pause.missing, pause.paused_at as "pausedAt" from payout_pause pause where pause.game_id = ${gameId}
    order by pause.pause_no`.execute(db);
  const isUnknown = rows.some(({ files, pausedAt }) => files === null && Date.parse(run.window.end) <= Date.parse(pausedAt));
  const found = rows.flatMap(({ files, missing }) => {
    const starts = new Map(parseMissingRuns(missing)?.map(({ runNo, window }) => [runNo, Date.parse(window.start)]));
    return (parseMissingFiles(files) ?? []).filter(
      ({ runNo }) => runNo === run.runNo || starts.get(runNo) === Date.parse(run.window.start),
    );
  });
  return { files: found, isUnknown };
}
