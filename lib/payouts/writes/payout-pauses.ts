import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import type { KnownRun } from '../rules/missing-run.ts';

/**
 * Pauses the payouts of every game after a restore; one that is paused already then needs two people again. `known`: what the data folder knows as
 * approved; null: nothing knows. What two people resumed after is not listed again.
 */
export async function insertPayoutPauses(tx: Db, restoreNo: number, known: KnownRun[] | null): Promise<void> {
  const { rows: games } = await sql<{ game_id: number; slug: string; environment: string }>`
    select game_id, slug, environment from game order by game_id`.execute(tx);
  for (const { game_id: gameId, slug, environment } of games) {
    const own = known?.filter((run) => run.game === slug && run.environment === environment) ?? null;
    // Waits for a run that is being drafted, submitted or approved: none is after the pause.
    await lockRunsOf(tx, gameId);
    const { rows } = await sql<{ digest: string }>`
      select encode(content_digest, 'hex') as digest from payout_run where game_id = ${gameId} and approved_at is not null
      union
      select run ->> 'contentDigest' from payout_pause pause, jsonb_array_elements(coalesce(pause.missing, '[]')) as run
      where pause.game_id = ${gameId} and pause.resumed_at is not null`.execute(tx);
    const stored = new Set(rows.map(({ digest }) => digest));
    const missing = own
      ?.filter(({ contentDigest }) => !stored.has(contentDigest))
      .map(({ game: _, environment: __, ...run }) => run)
      .toSorted((a, b) => (a.window.start < b.window.start ? -1 : 1));
    await sql`
      insert into payout_pause (game_id, restore_no, missing) values (${gameId}, ${restoreNo}, ${missing === undefined ? null : JSON.stringify(missing)})
      on conflict (game_id) where resumed_at is null do update
        set restore_no = excluded.restore_no, missing = excluded.missing, resume_requested_by = null`.execute(tx);
    await recordAudit(tx, { gameId, actor: 'worker', act: 'paused payouts', subject: 'payouts', detail: { restore: restoreNo, missing } });
  }
}
