import { type RawBuilder, type Selectable, sql } from 'kysely';
import { countChanges, type Db } from '#db/kit/open.ts';
import { wakeWorker } from '#db/kit/wake.ts';
import type { RefundAttemptTable, RefundTable } from '#db/types.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { digestOf } from '#lib/core/canonical-digest.ts';
import { parseEnumOrNull } from '#lib/core/strings.ts';
import { ATTEMPT_CLASSES } from '../rules/attempt.ts';
import { auditSubjectOf, type RefundAct } from '../rules/audit-actions.ts';
import type { RefundChange, RefundJob } from '../rules/ports.ts';
import { stateOf } from '../rules/state.ts';
import { parseStoredEstimate, parseStoredFacts } from '../rules/stored.ts';

export interface RefundDecision {
  gameId: number;
  refundId: number;
  actor: { id: string; email: string };
}

/** Names one refund of a game. */
export type RefundRef = Pick<RefundDecision, 'gameId' | 'refundId'>;

/** The columns of `refund` a worker needs, with the game's environment; of one game. */
export function jobColumns(gameId: number): RawBuilder<unknown> {
  return sql`refund.*, (select environment from game where game.game_id = ${gameId}) as environment,
    (select class from refund_attempt tried where tried.game_id = ${gameId} and tried.refund_id = refund.refund_id
     order by attempt_no desc limit 1) as last_class`;
}

/** A row of `refund` with its environment and the class of its newest attempt. */
export type JobRow = Selectable<RefundTable> & { environment: string; last_class: string | null };

/** Parses a row as a job. Its content is the row as it is now, so that the sender detects a row altered by hand. */
export function readJob(row: JobRow): RefundJob {
  const { client_request_id, subscription_id, period_id, period_seq, amount_usd } = row;
  return {
    gameId: row.game_id,
    refundId: row.refund_id,
    version: row.version,
    state: stateOf(row.state),
    stateSince: Date.parse(row.state_since),
    client_request_id,
    subscription_id,
    period_id,
    period_seq,
    amount_usd,
    facts: parseStoredFacts(row.facts),
    content: row,
    approvedDigest: row.approved_digest?.toString('hex') ?? null,
    baselineDigest: row.baseline_digest.toString('hex'),
    attempt_count: row.attempt_count,
    unanswered_count: row.unanswered_count,
    firstSentAt: timeOf(row.first_sent_at),
    lastSentAt: timeOf(row.last_sent_at),
    approvedAt: timeOf(row.approved_at),
    hasExtraCall: row.extra_call_count > 0 && parseStoredEstimate(row.estimate).is_full_refund,
    lastClass: parseEnumOrNull(ATTEMPT_CLASSES, row.last_class),
    transaction_id: row.transaction_id,
    endedAt: timeOf(row.ended_at),
  };
}

function timeOf(instant: string | null): number | null {
  return instant === null ? null : Date.parse(instant);
}

const COLUMNS = [
  'state',
  'unanswered_count',
  'attention_reason',
  'proposal',
  'outcome_source',
  'transaction_id',
  'total_refunded_amount_usd',
  'last_error_code',
  'last_error_id',
] as const;

/**
 * Writes one step of a refund on the version it was decided on; false when the refund has moved on. A trigger maintains what follows from the
 * state (`state_since`, `ended_at`, `lease_owner`, `version`). Joins the transaction of the handle.
 */
export async function applyChange(db: Db, job: Pick<RefundJob, 'gameId' | 'refundId' | 'version'>, change: RefundChange): Promise<boolean> {
  const sets: RawBuilder<unknown>[] = [sql`game_id = game_id`];
  const set = (column: string, value: unknown): void => void sets.push(sql`${sql.ref(column)} = ${value}`);
  for (const column of COLUMNS) if (change[column] !== undefined) set(column, change[column]);
  if (change.checkAt !== undefined)
    set('next_look_at', change.checkAt === null ? null : sql`to_timestamp(${change.checkAt / 1000}::double precision)`);
  if (change.receipt !== undefined) set('receipt', JSON.stringify(change.receipt));
  if (change.isApprovalVoid)
    sets.push(sql`approval = null, approved_by = null, approved_at = null, approved_digest = null, extra_call_count = 0`);
  if (change.renewed !== undefined) {
    set('facts', JSON.stringify(change.renewed.facts));
    set('estimate', JSON.stringify(change.renewed.estimate));
    set('baseline_digest', change.renewed.baseline_digest);
    set('content_digest', change.renewed.content_digest);
  }
  const changed = await countChanges(
    db,
    sql`update refund set ${sql.join(sets)} where game_id = ${job.gameId} and refund_id = ${job.refundId} and version = ${job.version}`,
  );
  if (changed === 1 && change.checkAt) {
    const dueAt = sql`to_timestamp(${change.checkAt / 1000}::double precision)`;
    await wakeWorker(db, { queue: 'refund', gameId: job.gameId, id: job.refundId, dueAt });
  }
  return changed === 1;
}

/** Records who did what with a refund, in the same transaction. `actor` is an email, or "worker". */
export async function recordRefundAudit(
  tx: Db,
  refund: RefundRef,
  actor: string,
  act: RefundAct,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await recordAudit(tx, { actor, gameId: refund.gameId, act, subject: auditSubjectOf(refund.refundId), detail });
}

/** What an attempt stores of its answer. */
export type StoredAnswer = Pick<
  Selectable<RefundAttemptTable>,
  'class' | 'phase' | 'status' | 'error_code' | 'error_id' | 'answer_facts' | 'sha256'
>;

/** SHA-256 over what an attempt stores of its answer, the bytes by their digest, as hex: the audit records it with the answer. */
export function digestAnswer({ class: kind, phase, status, error_code, error_id, answer_facts, sha256 }: StoredAnswer): string {
  return digestOf({ class: kind, phase, status, error_code, error_id, answer_facts, sha256: sha256?.toString('hex') ?? null }).toString(
    'hex',
  );
}
