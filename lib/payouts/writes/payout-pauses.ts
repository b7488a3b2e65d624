import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import type { KnownPayouts } from '../rules/missing-run.ts';

/**
 * Pauses the payouts of every game after a restore; one that is paused already then needs two people again. `known`: what the data folder knows as
 * approved and made; null: nothing knows. What two people resumed after is not listed again.
 */
export async function insertPayoutPauses(tx: Db, restoreNo: number, known: KnownPayouts | null): Promise<void> {
  const { rows: games } = await sql<{ game_id: number; slug: string; environment: string }>`
    select game_id, slug, environment from game order by game_id`.execute(tx);
  for (const { game_id: gameId, slug, environment } of games) {
    const isOwn = (each: { game: string; environment: string }): boolean => each.game === slug && each.environment === environment;
    // Waits for a run that is being drafted, submitted or approved: none is after the pause.
    await lockRunsOf(tx, gameId);
    const { rows } = await sql<{ digest: string }>`
      select encode(content_digest, 'hex') as digest from payout_run where game_id = ${gameId} and approved_at is not null
      union
      select run ->> 'contentDigest' from payout_pause pause, jsonb_array_elements(coalesce(pause.missing, '[]')) as run
      where pause.game_id = ${gameId} and pause.resumed_at is not null
      union
      select message_id from payout_batch where game_id = ${gameId}
      union
      select file ->> 'messageId' from payout_pause pause, jsonb_array_elements(coalesce(pause.missing_files, '[]')) as file
      where pause.game_id = ${gameId} and pause.resumed_at is not null`.execute(tx);
    const stored = new Set(rows.map(({ digest }) => digest));
    const missing = known?.runs
      .filter((run) => isOwn(run) && !stored.has(run.contentDigest))
      .map(({ game: _, environment: __, ...run }) => run)
      .toSorted((a, b) => (a.window.start < b.window.start ? -1 : 1));
    const files = known?.files
      .filter((file) => isOwn(file) && !stored.has(file.messageId))
      .map(({ game: _, environment: __, ...file }) => file)
      .toSorted((a, b) => (a.madeAt < b.madeAt ? -1 : 1));
    const json = (list: unknown[] | undefined): string | null => (list === undefined ? null : JSON.stringify(list));
    await sql`
      insert into payout_pause (game_id, restore_no, missing, missing_files) values (${gameId}, ${restoreNo}, ${json(missing)}, ${json(files)})
      on conflict (game_id) where resumed_at is null do update set restore_no = excluded.restore_no, missing = excluded.missing,
        missing_files = excluded.missing_files, resume_requested_by = null`.execute(tx);
    const detail = { restore: restoreNo, missing, missing_files: files };
    await recordAudit(tx, { gameId, actor: 'worker', act: 'paused payouts', subject: 'payouts', detail });
  }
}
