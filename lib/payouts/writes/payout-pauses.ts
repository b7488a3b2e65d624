import { sql } from 'kysely';
import { type Db, inTransaction } from '#db/kit/open.ts';
import { accountStatus, mayApproveNow, mayPrepareNow, PAUSE_VERSION } from '#lib/approvals/reads.ts';
import { isSecondPerson } from '#lib/approvals/rules/approval.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { ALL_PAYOUTS } from '../reads/payout-pause.ts';
import type { KnownRun } from '../rules/missing-run.ts';
import { lockRunsOf } from './run-states.ts';

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
    await recordAudit(tx, {
      gameId,
      actor: 'worker',
      act: 'paused payouts',
      subject: ALL_PAYOUTS,
      detail: { restore: restoreNo, missing },
    });
  }
}

/** Resumes payouts: the first person requests it, a second one resumes them. `version`: of the pause with its request, as they saw it. */
export async function recordPayoutResume(
  db: Db,
  { gameId, actor, version }: { gameId: number; actor: { id: string; email: string }; version: string },
): Promise<'resume_requested' | 'resumed' | 'same_person' | 'not_allowed' | 'not_paused' | 'not_as_shown'> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ pause_no: number; version: string; first: string | null }>`
      select pause_no, ${PAUSE_VERSION} as version, (select id from person where person.id = resume_requested_by and ${accountStatus('person')} = 'counts') as first
      from payout_pause where game_id = ${gameId} and resumed_at is null for update`.execute(tx);
    const [pause] = rows;
    if (pause === undefined) return 'not_paused';
    const { first, pause_no: pauseNo } = pause;
    if (first !== null && !isSecondPerson(first, actor.id)) return 'same_person';
    if (pause.version !== version) return 'not_as_shown';
    const { numAffectedRows } = await (first === null
      ? sql`
          update payout_pause set resume_requested_by = person.id from person
          where game_id = ${gameId} and pause_no = ${pauseNo} and person.id = ${actor.id} and ${mayPrepareNow('person', 'payouts.approve')}`
      : sql`
          update payout_pause set resumed_by = second.id, resumed_at = clock_now() from person second, person first
          where game_id = ${gameId} and pause_no = ${pauseNo} and first.id = resume_requested_by and second.id = ${actor.id}
            and ${mayApproveNow('second', 'first', 'payouts.approve')}`
    ).execute(tx);
    if (numAffectedRows !== 1n) return 'not_allowed';
    const act = first === null ? 'asked to resume payouts' : 'resumed payouts';
    await recordAudit(tx, { gameId, actor: actor.email, act, subject: ALL_PAYOUTS });
    return first === null ? 'resume_requested' : 'resumed';
  });
}
