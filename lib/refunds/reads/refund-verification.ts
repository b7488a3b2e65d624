import { type Selectable, sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { RefundAttemptTable, RefundTable } from '#db/types.ts';
import type { Violation } from '#lib/evidence/rules/findings.ts';
import { REFUND_ACTIONS, textsOfAction } from '../rules/audit-actions.ts';
import { OUTCOME_DECISIONS, type OutcomeDecision } from '../rules/state.ts';
import { type PeriodFacts, parseStoredPeriod } from '../rules/stored.ts';
import { reportedRefunds } from './reported-refunds.ts';

/** What verification reads of refunds; each function reads within the caller's transaction. */

/** Outcomes by kind that two people confirmed: the rows of the decisions, and those of the audit. */
type DecisionCounts = Record<OutcomeDecision, { decided: number; audited: number }>;

/** A refund with everything a verification checks. Facts, estimate and receipt are the JSON as stored. */
export type RefundToVerify = Selectable<RefundTable> & {
  environment: string;
  /** The number of attempt rows. */
  attempts: number;
  /** Rows of the audit that record this very approval by this very person; null: the audit names no content, as earlier versions did. */
  approvals_audited: number | null;
  /** A stored slice reports a refund like it, which is not matched. */
  is_reported: boolean;
  decisions: DecisionCounts;
};

/**
 * Lists where the audit and the refunds of a game disagree: a refund in the audit that is gone, a requester or a need for approval that is
 * another, an outcome recorded or confirmed by another person or in other words, and a reversal that its slice doesn't have.
 */
export async function listAuditViolations(db: Db, gameId: number): Promise<Violation[]> {
  const { rows } = await sql<Violation>`
    with said as (
      select audit.act, audit.detail, person.id as person_id, split_part(audit.subject, ' ', 2)::bigint as refund_id
      from audit left join person on person.email = audit.actor where audit.game_id = ${gameId} and audit.subject ~ '^refund \\d+$'
    ), asked as (select * from said where act = any(${textsOfAction(REFUND_ACTIONS.requested)}))
    select name, 'refund ' || refund_id as subject, expected, actual from (
    select distinct 'refund_exists' as name, said.refund_id, 'the refund of the audit' as expected, 'no such refund' as actual
      from said where not exists (select from refund r where r.game_id = ${gameId} and r.refund_id = said.refund_id)
    union all select 'requester_in_audit', r.refund_id, 'a request by this person', 'none in the audit'
      from refund r where r.game_id = ${gameId} and not exists (select from asked where asked.refund_id = r.refund_id and asked.person_id = r.requested_by)
    union all select 'approval_needed', r.refund_id, case when r.needs_second_approver then 'approved by policy' else 'a second approver' end, 'the other'
      from refund r join asked using (refund_id)
      where r.game_id = ${gameId} and asked.detail ? 'approval' and r.needs_second_approver <> (asked.detail ->> 'approval' is null)
    union all select 'outcome_in_audit', d.refund_id, 'outcome ' || d.decision_no || ' as its person recorded it', 'another person or text'
      from refund_decision d where d.game_id = ${gameId} and not exists (
        select from said where said.refund_id = d.refund_id and said.act = any(${textsOfAction(REFUND_ACTIONS.recordedOutcome)})
          and said.person_id = d.proposed_by and said.detail ->> 'decision' = d.decision and coalesce(said.detail ->> 'text', d.proposed_text) = d.proposed_text)
    union all select 'confirmation_in_audit', d.refund_id, 'outcome ' || d.decision_no || ' as its person confirmed it', 'another person'
      from refund_decision d where d.game_id = ${gameId} and d.confirmed_by is not null and not exists (
        select from said where said.refund_id = d.refund_id and said.act = any(${textsOfAction(REFUND_ACTIONS.confirmedOutcome)})
          and said.person_id = d.confirmed_by and said.detail ->> 'decision' = d.decision)
    union all select 'reversal_in_slice', r.refund_id, 'a reversal in slice ' || r.reversal_slice_id, 'none of this period'
      from refund r where r.game_id = ${gameId} and r.reversal_slice_id is not null and not exists (
        select from reversal_line l where l.game_id = ${gameId} and l.slice_id = r.reversal_slice_id and l.period_id = r.period_id)
    ) found order by refund_id, name`.execute(db);
  return rows;
}

/** How a refund ended. */
export type StoredOutcome = Pick<Selectable<RefundTable>, 'state' | 'outcome_source' | 'transaction_id' | 'total_refunded_amount_usd'>;

/** Refunds held in memory at once. */
const PAGE = 200;

/** Every refund of a game, oldest first, page by page, with what a verification recomputes. */
export async function* streamRefundsToVerify(db: Db, gameId: number): AsyncGenerator<RefundToVerify> {
  const audit = await readAudit(db, gameId);
  for (let after = 0; ; ) {
    const { rows } = await sql<
      Omit<RefundToVerify, 'decisions' | 'approvals_audited'> & Record<string, number> & { approver: string | null }
    >`
      select refund.*, game.environment, approver.email as approver,
        (select count(*)::int from refund_attempt a where a.game_id = ${gameId} and a.refund_id = refund.refund_id) as attempts,
        ${sql.join(OUTCOME_DECISIONS.map((kind) => decidedOf(gameId, kind)))},
        exists (select from ${reportedRefunds(gameId)} reported where reported.refund_id = refund.refund_id) as is_reported
      from refund join game on game.game_id = ${gameId} left join person approver on approver.id = refund.approved_by
      where refund.game_id = ${gameId} and refund_id > ${after} order by refund_id limit ${PAGE}`.execute(db);
    for (const { approver, ...row } of rows) {
      const audited = audit.get(`refund ${row.refund_id}`) ?? [];
      const approvals = audited.filter(({ act }) => textsOfAction(REFUND_ACTIONS.approved).includes(act));
      const approvals_audited = countApprovals(approver === null ? [] : approvals, approver, row.approved_digest);
      yield { ...row, approvals_audited, decisions: countsOf(row, audited) } as RefundToVerify;
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.refund_id;
  }
}

function decidedOf(gameId: number, kind: OutcomeDecision) {
  return sql`(select count(*)::int from refund_decision d where d.game_id = ${gameId} and d.refund_id = refund.refund_id
    and d.decision = ${sql.lit(kind)} and d.confirmed_by is not null and d.withdrawn_at is null) as ${sql.ref(`${kind}_decided`)}`;
}

/** Approvals and confirmed outcomes in the audit of a game, by the subject of their refund. */
async function readAudit(db: Db, gameId: number): Promise<Map<string, AuditedAct[]>> {
  const acts = [...textsOfAction(REFUND_ACTIONS.approved), ...textsOfAction(REFUND_ACTIONS.confirmedOutcome)];
  const { rows } = await sql<AuditedAct & { subject: string }>`
    select subject, act, actor, detail ? 'content' as "hasContent", detail ->> 'content' as content, detail ->> 'decision' as decision
    from audit where game_id = ${gameId} and act = any(${acts}) and subject like 'refund %'`.execute(db);
  return Map.groupBy(rows, ({ subject }) => subject);
}

interface AuditedAct {
  act: string;
  actor: string;
  hasContent: boolean;
  content: string | null;
  decision: string | null;
}

function countApprovals(approvals: readonly AuditedAct[], approver: string | null, digest: Buffer | null): number | null {
  if (!approvals.some(({ hasContent }) => hasContent)) return null;
  return approvals.filter(({ actor, content }) => digest !== null && actor === approver && content === digest.toString('hex')).length;
}

/** Guarantee of the cast: the statement selects a count of each kind, and the list has every kind. */
function countsOf(row: Record<string, unknown>, audited: readonly AuditedAct[]): DecisionCounts {
  const confirmed = audited.filter(({ act }) => textsOfAction(REFUND_ACTIONS.confirmedOutcome).includes(act));
  const counts = OUTCOME_DECISIONS.map((kind) => [
    kind,
    { decided: row[`${kind}_decided`], audited: confirmed.filter(({ decision }) => decision === kind).length },
  ]);
  return Object.fromEntries(counts) as DecisionCounts;
}

/** An attempt as it is stored; `recorded_answer`: the digest of its newest answer in the audit (`digestAnswer`), null where the audit has none. */
export type StoredAttempt = Selectable<RefundAttemptTable> & { recorded_answer: string | null };

/** The attempts of a refund in order, with their stored answers. */
export async function listAttemptsOf(db: Db, gameId: number, refundId: number): Promise<StoredAttempt[]> {
  const { rows: attempts } = await sql<Selectable<RefundAttemptTable>>`
    select * from refund_attempt where game_id = ${gameId} and refund_id = ${refundId} order by attempt_no`.execute(db);
  const { rows: recorded } = await sql<{ act: string; answer: string }>`select act, detail ->> 'answer' as answer from audit
    where game_id = ${gameId} and subject = ${`refund ${refundId}`} and detail ->> 'answer' is not null order by audit_id`.execute(db);
  const answers = new Map(recorded.map(({ act, answer }) => [act, answer]));
  return attempts.map((attempt) => ({
    ...attempt,
    recorded_answer: answers.get(`recorded the answer to attempt ${attempt.attempt_no}`) ?? null,
  }));
}

/** The readings of a refund's period that an outcome or a receipt may rest on. */
export async function listOutcomeReadings(db: Db, gameId: number, refundId: number): Promise<PeriodFacts[]> {
  const rows = await db
    .selectFrom('refund_read')
    .select('facts')
    .where('game_id', '=', gameId)
    .where('refund_id', '=', refundId)
    .where('purpose', 'in', ['verify', 'rebuild'])
    .orderBy('read_no')
    .execute();
  return rows.map(({ facts }) => parseStoredPeriod(facts));
}
