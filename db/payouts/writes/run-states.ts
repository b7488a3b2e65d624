import type pg from 'pg';
import { writeLiteral } from '#db/kit/copy-csv.ts';
import { accountStatus, mayApproveNow, mayNow, mayPrepareNow } from '#db/people/rights-now.ts';
import { type AccountRefusal, type AccountStatus, accountRefusalOf } from '#lib/approvals/rules/approval.ts';
import type { Capability, SessionActor } from '#lib/core/roles.ts';
import type { Window } from '#lib/core/window.ts';
import { DEFAULT_POLICY } from '#lib/payouts/rules/policy.ts';
import type { RunContent } from '#lib/payouts/rules/run-content.ts';
import { findUnattributedFacts } from '../reads/close-facts.ts';
import type { Run } from '../reads/find-run.ts';
import { findPolicy, lockRun } from '../reads/find-run.ts';
import { payoutsGoOn } from '../reads/payout-pause.ts';

/** The person who acts. */
export interface RunActor {
  id: string;
  email: string;
}

/** What a person did to a run that keeps them from approving it. */
export type EditedBecause = 'drafted' | 'composed' | 'excluded' | 'released' | 'noted' | 'found' | 'set_minimum' | 'submitted';

/** Why a person can't prepare payouts: no longer the right, or an account that doesn't count as one of two people. */
export type PreparerRefusal = 'not_allowed' | AccountRefusal;

/** Locks a person who may prepare payouts for the rest of the transaction. Returns why they no longer may, which the audit records; null: they may. */
export async function lockPreparer(client: pg.ClientBase, gameId: number, actor: RunActor): Promise<PreparerRefusal | null> {
  const { rows } = await client.query<{ may: boolean; status: AccountStatus }>(
    `select ${writeLiteral(mayNow('person', 'payouts.prepare'))} as may, ${writeLiteral(accountStatus('person'))} as status from person where id = $1 for no key update`,
    [actor.id],
  );
  const [person] = rows;
  const reason = person?.may === true ? accountRefusalOf(person.status) : 'not_allowed';
  if (reason !== null)
    await recordPayoutAudit(client, { gameId, actor: actor.email, act: 'was refused to change payouts', subject: 'payouts' }, { reason });
  return reason;
}

/** Makes the runs of a game wait for each other: numbers have no gap, and two drafts of one month are one. */
export async function lockRunsOf(client: pg.ClientBase, gameId: number): Promise<void> {
  await client.query(`select pg_advisory_xact_lock($1, hashtext('payout runs'))`, [gameId]);
}

/** Inserts a draft of a window, and the game's first policy if it has none. Returns its id; null: payouts are paused. */
export async function insertDraft(
  client: pg.ClientBase,
  draft: { gameId: number; window: Window; snapshotId: number; previousRunId: number | null; actor: RunActor },
): Promise<number | null> {
  const { gameId, window, snapshotId, previousRunId, actor } = draft;
  const policyNo = (await findPolicy(client, gameId))?.policyNo ?? (await insertDefaultPolicy(client, gameId));
  const { rows } = await client.query<{ run_id: number }>(
    `insert into payout_run (game_id, run_no, window_start, window_end, snapshot_id, previous_run_id, policy_no, drafted_by)
     select $1, (select coalesce(max(run_no), 0) + 1 from payout_run where game_id = $1), $2::timestamptz, $3::timestamptz, $4::bigint, $5::bigint,
       $6::int, $7
     where ${payoutsGoOn('$1')} returning run_id`,
    [gameId, window.start, window.end, snapshotId, previousRunId, policyNo, actor.id],
  );
  return rows[0]?.run_id ?? null;
}

async function insertDefaultPolicy(client: pg.ClientBase, gameId: number): Promise<number> {
  const { minimum_usd, recheckHours, changePercent, firstPaymentFrom_usd, holdsBaseMismatch } = DEFAULT_POLICY;
  await client.query(
    `insert into payout_policy (game_id, policy_no, minimum_usd, recheck_hours, change_percent, first_payment_from_usd, holds_base_mismatch)
     values ($1, (select coalesce(max(policy_no), 0) + 1 from payout_policy where game_id = $1), $2, $3, $4, $5, $6)`,
    [gameId, minimum_usd, recheckHours, changePercent, firstPaymentFrom_usd, holdsBaseMismatch],
  );
  return (await findPolicy(client, gameId))?.policyNo ?? 1;
}

/** Moves a draft to the newest complete snapshot of its window and the policy in force, and returns it as it is then. */
export async function refreshBasis(client: pg.ClientBase, run: Run): Promise<Run> {
  await client.query(
    `update payout_run run set
       snapshot_id = coalesce((select w.snapshot_id from current_window w where w.game_id = run.game_id and w.window_start = run.window_start
         and w.window_end = run.window_end and w.status = 'complete'), run.snapshot_id),
       policy_no = $3
     where game_id = $1 and run_id = $2`,
    [run.gameId, run.runId, (await findPolicy(client, run.gameId))?.policyNo ?? run.policyNo],
  );
  return (await lockRun(client, run.gameId, run.runId)) ?? run;
}

/** Records who worked on a run. Throws when they approved it. */
export async function recordEditor(client: pg.ClientBase, run: RunRef, personId: string, because: EditedBecause): Promise<void> {
  await client.query('insert into payout_editor (game_id, run_id, person_id, because) values ($1, $2, $3, $4) on conflict do nothing', [
    run.gameId,
    run.runId,
    personId,
    because,
  ]);
}

export interface RunRef {
  gameId: number;
  runId: number;
  runNo: number;
}

/** The subject of a run in the audit log. */
function auditSubjectOfRun(runNo: number): string {
  return `payout run ${runNo}`;
}

/** Records who did what to a run, in the same transaction. */
export async function recordRunAudit(
  client: pg.ClientBase,
  { gameId, runNo }: Pick<RunRef, 'gameId' | 'runNo'>,
  actor: string,
  act: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await recordPayoutAudit(client, { gameId, actor, act, subject: auditSubjectOfRun(runNo) }, detail);
}

/** Records who did what about payouts, in the same transaction. */
export async function recordPayoutAudit(
  client: pg.ClientBase,
  { gameId, actor, act, subject }: { gameId: number; actor: string; act: string; subject: string },
  detail: Record<string, unknown> = {},
): Promise<void> {
  await client.query('insert into audit (actor, game_id, act, subject, detail) values ($1, $2, $3, $4, $5)', [
    actor,
    gameId,
    act,
    subject,
    JSON.stringify(detail),
  ]);
}

/** Submits a draft with its content, and includes the adjustments it counts. Throws while payouts are paused, which the caller has looked at under the lock of the runs. */
export async function setSubmitted(
  client: pg.ClientBase,
  run: RunRef,
  actor: RunActor,
  { content, digest, approvalsWanted }: { content: RunContent; digest: string; approvalsWanted: 1 | 2 },
): Promise<void> {
  await client.query(
    'update payout_adjustment set run_id = $2 where game_id = $1 and adjustment_id = any($3::bigint[]) and run_id is null',
    [run.gameId, run.runId, content.adjustments.map(({ adjustmentId }) => adjustmentId)],
  );
  const { rowCount } = await client.query(
    `update payout_run set state = 'submitted', content = $3, content_digest = decode($4, 'hex'), approvals_wanted = $5, submitted_by = $6,
       submitted_at = clock_now()
     where game_id = $1 and run_id = $2 and ${payoutsGoOn('$1')}`,
    [run.gameId, run.runId, JSON.stringify(content), digest, approvalsWanted, actor.id],
  );
  if (rowCount !== 1) throw new Error(`payouts are paused: run ${run.runNo} was not submitted`);
}

/** Gives the adjustments of a run back to those that wait. */
async function freeAdjustments(client: pg.ClientBase, { gameId, runId }: RunRef): Promise<void> {
  await client.query('update payout_adjustment set run_id = null where game_id = $1 and run_id = $2', [gameId, runId]);
}

/** Makes a submitted or rejected run a draft again: its content no longer counts. */
export async function setDraft(client: pg.ClientBase, run: RunRef): Promise<void> {
  await freeAdjustments(client, run);
  await client.query(
    `update payout_run set state = 'draft', content = null, content_digest = null, rejected_by = null, reject_reason = null where game_id = $1 and run_id = $2`,
    [run.gameId, run.runId],
  );
}

/**
 * Locks a person who may agree now to what another one asked for, for the rest of the transaction, or who may decline it (`preparerId` null: their own account
 * decides). False: they may not, by what is stored now.
 */
export async function lockDecider(client: pg.ClientBase, personId: string, preparerId: string | null, right: Capability): Promise<boolean> {
  const { rowCount } = await client.query(
    preparerId === null
      ? `select 1 from person where id = $1 and $2::text is null and ${writeLiteral(mayPrepareNow('person', right))} for no key update`
      : `select 1 from person, person preparer where person.id = $1 and preparer.id = $2 and ${writeLiteral(mayApproveNow('person', 'preparer', right))} for no key update`,
    [personId, preparerId],
  );
  return rowCount === 1;
}

/** Rejects a submitted run. */
export async function setRejected(client: pg.ClientBase, run: RunRef, actor: RunActor, reason: string): Promise<void> {
  await freeAdjustments(client, run);
  await client.query(
    `update payout_run set state = 'rejected', content = null, content_digest = null, rejected_by = $3, reject_reason = $4 where game_id = $1 and run_id = $2`,
    [run.gameId, run.runId, actor.id, reason],
  );
}

/** Asks for an approved run to be voided, or withdraws that. */
export async function setVoidRequest(
  client: pg.ClientBase,
  run: RunRef,
  request: { actor: RunActor; reason: string } | null,
): Promise<void> {
  await client.query('update payout_run set void_requested_by = $3, void_reason = $4 where game_id = $1 and run_id = $2', [
    run.gameId,
    run.runId,
    request?.actor.id ?? null,
    request?.reason ?? null,
  ]);
}

/** Voids a run; its adjustments wait for the next one. `reason` null: the one it was asked with. */
export async function setVoid(client: pg.ClientBase, run: Run, actor: RunActor, reason: string | null): Promise<void> {
  if (run.state === 'submitted' || run.state === 'approved') await freeAdjustments(client, run);
  await client.query(
    `update payout_run set state = 'void', voided_by = $3, voided_at = clock_now(), void_reason = coalesce($4, void_reason) where game_id = $1 and run_id = $2`,
    [run.gameId, run.runId, actor.id, reason],
  );
}

/**
 * Stores a person's approval of a submitted run, if by what is stored now they may: enabled, with the right, never an editor, two accounts that count, and
 * a password given within five minutes in the session that approves, by the digest of its token. False: they may not.
 */
export async function insertApproval(
  client: pg.ClientBase,
  run: Run,
  approver: Pick<SessionActor, 'id' | 'tokenDigest'>,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into payout_approval (game_id, run_id, content_digest, approved_by, proved_at)
     select $1, $2, decode($3, 'hex'), person.id, proof.proved_at
     from person join person submitter on submitter.id = $5
       join person_session proof on proof.person_id = person.id and proof.token_digest = $6
     where person.id = $4 and ${writeLiteral(mayApproveNow('person', 'submitter', 'payouts.approve'))}
       and proof.proved_at > clock_now() - interval '5 minutes'
       and not exists (select from payout_editor e where e.game_id = $1 and e.run_id = $2 and e.person_id = person.id)
       and ${payoutsGoOn('$1')}
     on conflict do nothing`,
    [run.gameId, run.runId, run.contentDigest, approver.id, run.submittedBy?.id ?? null, approver.tokenDigest],
  );
  return rowCount === 1;
}

/** Approves a run whose approvals are complete, each of an account that still counts; false: more are wanted. */
export async function setApproved(client: pg.ClientBase, run: Run): Promise<boolean> {
  const { rowCount } = await client.query(
    `update payout_run run set state = 'approved', approved_at = clock_now()
     where game_id = $1 and run_id = $2 and approvals_wanted <= (
       select count(*) from payout_approval a join person approver on approver.id = a.approved_by
       where a.game_id = $1 and a.run_id = $2 and a.content_digest = run.content_digest and ${writeLiteral(accountStatus('approver'))} = 'counts')`,
    [run.gameId, run.runId],
  );
  return rowCount === 1;
}

/** Stores a note that answers what a check shows. The same facts noted again keep the first note: `same` if it is this one, else `other`. */
export async function insertNote(
  client: pg.ClientBase,
  run: RunRef,
  actor: RunActor,
  { checkKey, facts, note }: { checkKey: string; facts: string; note: string },
): Promise<'stored' | 'same' | 'other'> {
  const key = [run.gameId, run.runId, checkKey, facts, note, actor.id];
  const { rowCount } = await client.query(
    `insert into payout_note (game_id, run_id, check_key, facts, note, noted_by) values ($1, $2, $3, decode($4, 'hex'), $5, $6) on conflict do nothing`,
    key,
  );
  if (rowCount === 1) return 'stored';
  const same = await client.query(
    `select from payout_note where game_id = $1 and run_id = $2 and check_key = $3 and facts = decode($4, 'hex') and note = $5 and noted_by = $6`,
    key,
  );
  return same.rowCount === 1 ? 'same' : 'other';
}

/** Stores what a person found out about renewals without attribution of a run's month, bound to those its snapshot has. */
export async function insertFinding(
  client: pg.ClientBase,
  run: Run,
  actor: RunActor,
  finding: { reason: string; renewalCount: number; conclusion: string; note: string },
): Promise<void> {
  const { gameId, window } = run;
  const { facts, periodIds } = await findUnattributedFacts(client, run, finding.reason);
  await client.query(
    `insert into unattributed_finding (game_id, window_start, window_end, reason, finding_no, renewal_count, conclusion, note, found_by, facts, period_ids)
     values ($1, $2, $3, $4, (select coalesce(max(finding_no), 0) + 1 from unattributed_finding
       where game_id = $1 and window_start = $2 and window_end = $3 and reason = $4), $5, $6, $7, $8, decode($9, 'hex'), $10)`,
    [gameId, window.start, window.end, finding.reason, finding.renewalCount, finding.conclusion, finding.note, actor.id, facts, periodIds],
  );
}
