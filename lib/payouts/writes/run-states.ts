import { sql, type UpdateObject } from 'kysely';
import { nextNumber } from '#db/kit/next-number.ts';
import { type Db, inTransaction } from '#db/kit/open.ts';
import type { Database } from '#db/types.ts';
import { accountStatus, countsNow, isNotPaused, mayApproveNow, mayNow, mayPrepareNow } from '#lib/approvals/reads.ts';
import { type AccountRefusal, type AccountStatus, accountRefusalOf } from '#lib/approvals/rules/approval.ts';
import type { AuditAct } from '#lib/audit/rules/acts.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import type { Capability, SessionActor } from '#lib/core/roles.ts';
import type { Window } from '#lib/core/window.ts';
import { lockRunsOf } from '#lib/games/writes.ts';
import { bindReturned, freeReturned } from '#lib/payments/writes/bind-returned.ts';
import { findUnattributedFacts } from '../reads/close-facts.ts';
import { findPolicy, lockRun, type Run, type RunId } from '../reads/find-run.ts';
import { DEFAULT_POLICY } from '../rules/policy.ts';
import type { RunContent, RunState } from '../rules/run-content.ts';

/** The person who acts. */
export interface RunActor {
  id: string;
  email: string;
}

/** What a person did to a run that prevents them from approving it. */
export type EditedBecause = 'drafted' | 'composed' | 'excluded' | 'released' | 'noted' | 'found' | 'set_minimum' | 'set_rate' | 'submitted';

/** Why a person can't prepare payouts: no longer the right, or an account that doesn't count as one of two people. */
export type PreparerRefusal = 'not_allowed' | AccountRefusal;

/** Locks a person who may prepare payouts for the rest of the transaction. Returns why they no longer may, which the audit records; null: they may. */
export async function lockPreparer(tx: Db, gameId: number, actor: RunActor): Promise<PreparerRefusal | null> {
  const { rows } = await sql<{ may: boolean; status: AccountStatus }>`
    select ${mayNow('person', 'payouts.prepare')} as may, ${accountStatus('person')} as status
    from person where id = ${actor.id} for no key update`.execute(tx);
  const [person] = rows;
  const reason = person?.may === true ? accountRefusalOf(person.status) : 'not_allowed';
  if (reason !== null)
    await recordAudit(tx, { gameId, actor: actor.email, act: 'was refused to change payouts', subject: 'payouts', detail: { reason } });
  return reason;
}

interface PreparerRefused {
  ok: false;
  reason: PreparerRefusal;
}

/** Runs work of a person who may prepare payouts in one transaction. Refused, with a row of the audit, to one who no longer may. */
export async function asPreparer<Result>(
  { db, gameId }: { db: Db; gameId: number },
  actor: RunActor,
  work: (tx: Db) => Promise<Result>,
): Promise<Result | PreparerRefused> {
  return await inTransaction(db, async (tx): Promise<Result | PreparerRefused> => {
    const reason = await lockPreparer(tx, gameId, actor);
    return reason === null ? await work(tx) : { ok: false, reason };
  });
}

/**
 * Runs work of a preparer on a run, under the lock of the game's runs and its own: the work may bind or release returned payments of earlier runs. Refused when the run is
 * in none of these states any more.
 */
export async function withRun<Result>(
  game: { db: Db; gameId: number },
  actor: RunActor,
  { runId, from }: { runId: number; from: readonly RunState[] },
  work: (tx: Db, run: Run) => Promise<Result>,
): Promise<Result | PreparerRefused | { ok: false; reason: 'moved_on' }> {
  return await asPreparer(game, actor, async (tx): Promise<Result | { ok: false; reason: 'moved_on' }> => {
    await lockRunsOf(tx, game.gameId);
    const run = await lockRun(tx, game.gameId, runId);
    return run !== null && from.includes(run.state) ? await work(tx, run) : { ok: false, reason: 'moved_on' };
  });
}

/** Inserts a draft of a window, and the game's first policy if it has none. Returns its id; null: payouts are paused. */
export async function insertDraft(
  tx: Db,
  draft: { gameId: number; window: Window; snapshotId: number; previousRunId: number | null; actor: RunActor },
): Promise<number | null> {
  const { gameId, window, snapshotId, previousRunId, actor } = draft;
  const policyNo = (await findPolicy(tx, gameId))?.policyNo ?? (await insertDefaultPolicy(tx, gameId));
  const runNo = await nextNumber(tx, 'payout_run', 'run_no', sql`game_id = ${gameId}`);
  const allowed = await tx.selectNoFrom(isNotPaused(gameId, 'payouts').as('now')).executeTakeFirstOrThrow();
  if (!allowed.now) return null;
  const { rows } = await sql<{ run_id: number }>`
    insert into payout_run (game_id, run_no, window_start, window_end, snapshot_id, previous_run_id, policy_no, drafted_by)
    values (${gameId}, ${runNo}, ${window.start}, ${window.end}, ${snapshotId}, ${previousRunId}, ${policyNo}, ${actor.id})
    returning run_id`.execute(tx);
  return rows[0]?.run_id ?? null;
}

async function insertDefaultPolicy(tx: Db, gameId: number): Promise<number> {
  const { minimum_usd, recheckHours, changePercent, firstPaymentFrom_usd, holdsBaseMismatch } = DEFAULT_POLICY;
  const policyNo = await nextNumber(tx, 'payout_policy', 'policy_no', sql`game_id = ${gameId}`);
  await sql`
    insert into payout_policy (game_id, policy_no, minimum_usd, recheck_hours, change_percent, first_payment_from_usd, holds_base_mismatch)
    values (${gameId}, ${policyNo}, ${minimum_usd}, ${recheckHours},
      ${changePercent}, ${firstPaymentFrom_usd}, ${holdsBaseMismatch})`.execute(tx);
  return policyNo;
}

/** Moves a draft to the newest complete snapshot of its window and the policy in force, and returns it as it is then. */
export async function refreshBasis(tx: Db, run: Run): Promise<Run> {
  const { gameId, runId } = run;
  const policyNo = (await findPolicy(tx, gameId))?.policyNo ?? run.policyNo;
  await sql`
    update payout_run run set
      snapshot_id = coalesce((select w.snapshot_id from current_window w where w.game_id = ${gameId} and w.window_start = run.window_start
        and w.window_end = run.window_end and w.status = 'complete'), run.snapshot_id),
      policy_no = ${policyNo}
    where run.game_id = ${gameId} and run.run_id = ${runId}`.execute(tx);
  return (await lockRun(tx, gameId, runId)) ?? run;
}

/** Records who worked on a run. Throws when they approved it. */
export async function recordEditor(tx: Db, { gameId, runId }: RunId, personId: string, because: EditedBecause): Promise<void> {
  await tx
    .insertInto('payout_editor')
    .values({ game_id: gameId, run_id: runId, person_id: personId, because })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Records an act on a run in the audit. */
export async function auditRun(
  tx: Db,
  { gameId, runNo }: Pick<Run, 'gameId' | 'runNo'>,
  { email: actor }: Pick<RunActor, 'email'>,
  act: AuditAct,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await recordAudit(tx, { gameId, subject: `payout run ${runNo}`, actor, act, detail });
}

/** Records work on a run and who did it, which prevents them from approving it. Throws when they approved it. */
export async function recordWork(
  tx: Db,
  run: Run,
  actor: RunActor,
  { as, act, detail = {} }: { as: EditedBecause; act: AuditAct; detail?: Record<string, unknown> },
): Promise<void> {
  await recordEditor(tx, run, actor.id, as);
  await auditRun(tx, run, actor, act, detail);
}

/** Changes columns of a run. */
export async function updateRun(tx: Db, { gameId, runId }: RunId, values: UpdateObject<Database, 'payout_run'>): Promise<void> {
  await tx.updateTable('payout_run').set(values).where('game_id', '=', gameId).where('run_id', '=', runId).execute();
}

/** Submits a draft with its content, and includes the adjustments and the returned payments it counts. Throws while payouts are paused, which the caller has checked under the lock of the runs. */
export async function setSubmitted(
  tx: Db,
  { gameId, runId, runNo }: Run,
  actor: RunActor,
  { content, digest, approvalsWanted }: { content: RunContent; digest: string; approvalsWanted: 1 | 2 },
): Promise<void> {
  const adjustmentIds = content.adjustments.map(({ adjustmentId }) => adjustmentId);
  await sql`
    update payout_adjustment set run_id = ${runId}
    where game_id = ${gameId} and adjustment_id = any(${adjustmentIds}::bigint[]) and run_id is null`.execute(tx);
  await bindReturned(tx, { gameId, runId }, content.returned ?? []);
  const submitted = await sql`
    update payout_run set state = 'submitted', content = ${JSON.stringify(content)}, content_digest = decode(${digest}, 'hex'),
      approvals_wanted = ${approvalsWanted}, submitted_by = ${actor.id}, submitted_at = clock_now()
    where game_id = ${gameId} and run_id = ${runId} and ${isNotPaused(gameId, 'payouts')}`.execute(tx);
  if (submitted.numAffectedRows !== 1n) throw new Error(`payouts are paused: run ${runNo} was not submitted`);
}

/** Gives the adjustments and the returned payments of a run back to those that wait. */
async function freeIncluded(tx: Db, { gameId, runId }: RunId): Promise<void> {
  await tx.updateTable('payout_adjustment').set({ run_id: null }).where('game_id', '=', gameId).where('run_id', '=', runId).execute();
  await freeReturned(tx, { gameId, runId });
}

/** Makes a submitted or rejected run a draft again: its content no longer counts. */
export async function setDraft(tx: Db, run: RunId): Promise<void> {
  await freeIncluded(tx, run);
  await updateRun(tx, run, { state: 'draft', content: null, content_digest: null, rejected_by: null, reject_reason: null });
}

/**
 * Locks a person who may agree now to what another one requested, for the rest of the transaction, but not the other one, whose own act may hold their row and wait for the runs, or who may decline it (`preparerId` null: their own account
 * decides). False: they may not, by what is stored now.
 */
export async function lockDecider(tx: Db, personId: string, preparerId: string | null, right: Capability): Promise<boolean> {
  const { rows } = await (preparerId === null
    ? sql`select 1 from person where id = ${personId} and ${mayPrepareNow('person', right)} for no key update`
    : sql`
        select 1 from person, person preparer
        where person.id = ${personId} and preparer.id = ${preparerId} and ${mayApproveNow('person', 'preparer', right)}
        for no key update of person`
  ).execute(tx);
  return rows.length === 1;
}

/** Rejects a submitted run. */
export async function setRejected(tx: Db, run: RunId, actor: RunActor, reason: string): Promise<void> {
  await freeIncluded(tx, run);
  await updateRun(tx, run, { state: 'rejected', content: null, content_digest: null, rejected_by: actor.id, reject_reason: reason });
}

/** Requests that an approved run be voided, or withdraws that. */
export async function setVoidRequest(tx: Db, run: RunId, request: { actor: RunActor; reason: string } | null): Promise<void> {
  await updateRun(tx, run, { void_requested_by: request?.actor.id ?? null, void_reason: request?.reason ?? null });
}

/** Voids a run; its adjustments and returned payments wait for the next one. `reason` null: the one of the request. */
export async function setVoid(tx: Db, run: Run, actor: RunActor, reason: string | null): Promise<void> {
  if (run.state === 'submitted' || run.state === 'approved') await freeIncluded(tx, run);
  const given = reason === null ? {} : { void_reason: reason };
  await updateRun(tx, run, { state: 'void', voided_by: actor.id, voided_at: sql<string>`clock_now()`, ...given });
}

/** Closes a paid run. */
export async function setClosed(tx: Db, run: RunId, actor: RunActor): Promise<void> {
  await updateRun(tx, run, { closed_by: actor.id, closed_at: sql<string>`clock_now()` });
}

/**
 * Stores a person's approval of a submitted run, if by what is stored now they may: enabled, with the right, never an editor, two accounts that count, and
 * a password given within five minutes in the session that approves, by the digest of its token. False: they may not.
 */
export async function insertApproval(tx: Db, run: Run, approver: Pick<SessionActor, 'id' | 'tokenDigest'>): Promise<boolean> {
  const { gameId, runId } = run;
  // Sessions lie apart from the rows of a game.
  const { rows: proofs } = await sql<{ proved_at: string }>`select proof.proved_at
    from person join person submitter on submitter.id = ${run.submittedBy?.id ?? null}
      join person_session proof on proof.person_id = person.id and proof.token_digest = ${approver.tokenDigest}
    where person.id = ${approver.id} and ${mayApproveNow('person', 'submitter', 'payouts.approve')}
      and proof.proved_at > clock_now() - interval '5 minutes'`.execute(tx);
  const [proof] = proofs;
  if (proof === undefined) return false;
  const { rows } = await sql`
    insert into payout_approval (game_id, run_id, content_digest, approved_by, proved_at)
    select ${gameId}::int, ${runId}::bigint, decode(${run.contentDigest}, 'hex'), ${approver.id}, ${proof.proved_at}::timestamptz
    where not exists (select from payout_editor e where e.game_id = ${gameId} and e.run_id = ${runId} and e.person_id = ${approver.id})
      and ${isNotPaused(gameId, 'payouts')}
    on conflict do nothing returning run_id`.execute(tx);
  return rows.length === 1;
}

/** Approves a run whose approvals are complete, each of an account that still counts; false: more are wanted. */
export async function setApproved(tx: Db, { gameId, runId }: RunId): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update payout_run run set state = 'approved', approved_at = clock_now()
    where run.game_id = ${gameId} and run.run_id = ${runId} and run.approvals_wanted <= (
      select count(*) from payout_approval a join person approver on approver.id = a.approved_by
      where a.game_id = ${gameId} and a.run_id = ${runId} and a.content_digest = run.content_digest
        and ${countsNow('approver')})`.execute(tx);
  return numAffectedRows === 1n;
}

/** Stores a note that answers what a check shows. The same facts noted again keep the first note: `same` if it is this one, else `other`. */
export async function insertNote(
  tx: Db,
  { gameId, runId }: RunId,
  actor: RunActor,
  { checkKey, facts, note }: { checkKey: string; facts: string; note: string },
): Promise<'stored' | 'same' | 'other'> {
  const row = { game_id: gameId, run_id: runId, check_key: checkKey, facts: Buffer.from(facts, 'hex'), note, noted_by: actor.id };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('payout_note')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 1n) return 'stored';
  const same = await tx
    .selectFrom('payout_note')
    .select('check_key')
    .where(({ and }) => and(row))
    .executeTakeFirst();
  return same === undefined ? 'other' : 'same';
}

/** Stores what a person found out about renewals without attribution of a run's month, bound to those its snapshot has. */
export async function insertFinding(
  tx: Db,
  run: Run,
  actor: RunActor,
  { reason, renewalCount, conclusion, note }: { reason: string; renewalCount: number; conclusion: string; note: string },
): Promise<void> {
  const { gameId, window } = run;
  const { facts, periodIds } = await findUnattributedFacts(tx, run, reason);
  const ofReason = sql<boolean>`game_id = ${gameId} and window_start = ${window.start} and window_end = ${window.end} and reason = ${reason}`;
  const findingNo = await nextNumber(tx, 'unattributed_finding', 'finding_no', ofReason);
  await sql`
    insert into unattributed_finding (game_id, window_start, window_end, reason, finding_no, renewal_count, conclusion, note, found_by, facts, period_ids)
    values (${gameId}, ${window.start}, ${window.end}, ${reason}, ${findingNo},
      ${renewalCount}, ${conclusion}, ${note}, ${actor.id}, decode(${facts}, 'hex'), ${periodIds})`.execute(tx);
}
