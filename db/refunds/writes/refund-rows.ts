import { type Selectable } from 'kysely';
import type pg from 'pg';
import { type RefundTable } from '#db/types.ts';
import { parseEnumOrNull } from '#lib/core/parse-enum.ts';
import { ATTEMPT_CLASSES } from '#lib/refunds/rules/attempt.ts';
import { ALL_REFUNDS, auditSubjectOf } from '#lib/refunds/rules/audit-actions.ts';
import { type RefundChange, type RefundJob } from '#lib/refunds/rules/ports.ts';
import { stateOf } from '#lib/refunds/rules/state.ts';
import { parseStoredEstimate, parseStoredFacts } from '#lib/refunds/rules/stored.ts';

export interface RefundDecision {
  gameId: number;
  refundId: number;
  actor: { id: string; email: string };
}

/** The columns of `refund` a worker needs, with the game's environment. */
export const JOB_COLUMNS = `refund.*, (select environment from game where game.game_id = refund.game_id) as environment,
  (select class from refund_attempt tried where tried.game_id = refund.game_id and tried.refund_id = refund.refund_id order by attempt_no desc limit 1) as last_class`;

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

function timeOf(at: string | null): number | null {
  return at === null ? null : Date.parse(at);
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
 * Writes one step of a refund on the version it was decided on; false when the refund has moved on. A trigger keeps what follows from the
 * state (`state_since`, `ended_at`, `lease_owner`, `version`). Joins the client's transaction.
 */
export async function applyChange(
  client: pg.Pool | pg.ClientBase,
  job: Pick<RefundJob, 'gameId' | 'refundId' | 'version'>,
  change: RefundChange,
): Promise<boolean> {
  const values: unknown[] = [job.gameId, job.refundId, job.version];
  const sets: string[] = ['game_id = game_id'];
  const set = (column: string, value: unknown, expression = '?'): void => {
    values.push(value);
    sets.push(`${column} = ${expression.replace('?', `$${values.length}`)}`);
  };
  for (const column of COLUMNS) if (change[column] !== undefined) set(column, change[column]);
  if (change.lookAt !== undefined)
    set('next_look_at', change.lookAt === null ? null : change.lookAt / 1000, 'to_timestamp(?::double precision)');
  if (change.receipt !== undefined) set('receipt', JSON.stringify(change.receipt));
  if (change.isApprovalVoid) {
    sets.push('approval = null', 'approved_by = null', 'approved_at = null', 'approved_digest = null', 'extra_call_count = 0');
  }
  if (change.renewed !== undefined) {
    set('facts', JSON.stringify(change.renewed.facts));
    set('estimate', JSON.stringify(change.renewed.estimate));
    set('baseline_digest', change.renewed.baseline_digest);
    set('content_digest', change.renewed.content_digest);
  }
  const { rowCount } = await client.query(
    `update refund set ${sets.join(', ')} where game_id = $1 and refund_id = $2 and version = $3`,
    values,
  );
  return rowCount === 1;
}

/** Records who did what with a refund, in the same transaction. `actor` is an email, or "worker". */
export async function recordRefundAudit(
  client: pg.ClientBase,
  refund: { gameId: number; refundId: number },
  actor: string,
  act: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await insertAudit(client, [actor, refund.gameId, act, auditSubjectOf(refund.refundId), JSON.stringify(detail)]);
}

/** Records who changed what all refunds of a game depend on, in the same transaction. */
export async function recordControlAudit(
  client: pg.ClientBase,
  { gameId, actor }: { gameId: number; actor: { email: string } },
  act: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await insertAudit(client, [actor.email, gameId, act, ALL_REFUNDS, JSON.stringify(detail)]);
}

async function insertAudit(
  client: pg.ClientBase,
  values: [actor: string, gameId: number, act: string, subject: string, detail: string],
): Promise<void> {
  await client.query(`insert into audit (actor, game_id, act, subject, detail) values ($1, $2, $3, $4, $5)`, values);
}
