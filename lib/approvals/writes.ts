import { sql } from 'kysely';
import { countChanges, type Db, inTransaction } from '#db/kit/open.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { accountStatus, mayApproveNow, mayPrepareNow, PAUSE_VERSION } from './reads.ts';
import { isSecondPerson, PAUSABLES, type Pausable, type Resumed, type ResumeRefusal } from './rules/approval.ts';

export interface ResumeRequest {
  gameId: number;
  actor: { id: string; email: string };
  what: Pausable;
  /** The pause with its request to resume, as the person saw them. */
  version: string;
}

/** What a feature does when the second person resumes after a restore. */
export interface AfterRestore<Blocker> {
  /** Why it can't be resumed yet; null: it can. */
  findBlocker(tx: Db, gameId: number, restoreNo: number): Promise<Blocker | null>;
  finish(tx: Db, gameId: number, restoreNo: number): Promise<void>;
}

/**
 * Resumes what is paused: the first person requests it, a second one resumes it. A requester whose account no longer counts is replaced by the
 * next one.
 */
export async function recordResume<Blocker = never>(
  db: Db,
  { gameId, actor, what, version }: ResumeRequest,
  afterRestore?: AfterRestore<Blocker>,
): Promise<{ ok: true; is: Resumed } | { ok: false; reason: ResumeRefusal | Blocker }> {
  const { capability } = PAUSABLES[what];
  const table = sql.table(PAUSABLES[what].table);
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ pause_no: number; version: string; first: string | null; restore_no: number | null }>`
      select pause_no, ${PAUSE_VERSION} as version, restore_no,
        (select id from person where person.id = resume_requested_by and ${accountStatus('person')} = 'counts') as first
      from ${table} where game_id = ${gameId} and resumed_at is null for update`.execute(tx);
    const [pause] = rows;
    if (pause === undefined) return { ok: false, reason: 'not_paused' };
    const { first, pause_no: pauseNo, restore_no: restoreNo } = pause;
    if (first !== null && !isSecondPerson(first, actor.id)) return { ok: false, reason: 'same_person' };
    if (pause.version !== version) return { ok: false, reason: 'not_as_shown' };
    const ends = first !== null && restoreNo !== null;
    const blocker = ends ? await afterRestore?.findBlocker(tx, gameId, restoreNo) : null;
    if (blocker) return { ok: false, reason: blocker };
    const rowCount = await countChanges(
      tx,
      first === null
        ? sql`update ${table} set resume_requested_by = person.id from person
            where game_id = ${gameId} and pause_no = ${pauseNo} and person.id = ${actor.id} and ${mayPrepareNow('person', capability)}`
        : sql`update ${table} set resumed_by = second.id, resumed_at = clock_now() from person second, person first
            where game_id = ${gameId} and pause_no = ${pauseNo} and first.id = resume_requested_by and second.id = ${actor.id}
              and ${mayApproveNow('second', 'first', capability)}`,
    );
    if (rowCount !== 1) return { ok: false, reason: 'not_allowed' };
    if (ends) await afterRestore?.finish(tx, gameId, restoreNo);
    await recordAudit(tx, {
      gameId,
      actor: actor.email,
      act: first === null ? `asked to resume ${what}` : `resumed ${what}`,
      subject: what,
    });
    return { ok: true, is: first === null ? 'resume_requested' : 'resumed' };
  });
}
