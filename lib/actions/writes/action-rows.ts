import { type RawBuilder, type Selectable, sql } from 'kysely';
import { countChanges, type Db } from '#db/kit/open.ts';
import { wakeWorker } from '#db/kit/wake.ts';
import type { DeskActionAttemptTable, DeskActionTable } from '#db/types.ts';
import { recordAudit } from '#lib/audit/writes.ts';
import { digestOf } from '#lib/core/canonical-digest.ts';
import { parseEnumOrNull } from '#lib/core/strings.ts';
import { parseStoredFacts, parseStoredResult } from '../rules/action-facts.ts';
import type { ActionChange, ActionJob } from '../rules/action-ports.ts';
import { stateOf, WAITS_FOR } from '../rules/action-state.ts';
import { type ActionAct, auditSubjectOf } from '../rules/audit-acts.ts';
import { parseActionKind } from '../rules/kinds.ts';
import { parseAnswerClass } from '../rules/protocol.ts';

/** Names one desk action of a game. */
export interface ActionRef {
  gameId: number;
  actionId: number;
}

/** A person deciding on a desk action. */
export interface ActionDecision extends ActionRef {
  actor: { id: string; email: string };
}

/** The columns of `desk_action` that the protocol needs. */
export function jobColumns(gameId: number): RawBuilder<unknown> {
  return sql`desk_action.*, (select class from desk_action_attempt tried where tried.game_id = ${gameId} and tried.action_id = desk_action.action_id
    order by attempt_no desc limit 1) as last_class,
    (select finished_at + make_interval(secs => retry_after_ms / 1000.0) from desk_action_attempt tried where tried.game_id = ${gameId}
      and tried.action_id = desk_action.action_id order by attempt_no desc limit 1) as retry_at`;
}

export type JobRow = Selectable<DeskActionTable> & { last_class: string | null; retry_at: string | null };

/** Parses a row as a job. Its content is the row as it is now, so that a row altered by hand is detected. */
export function readJob(row: JobRow): ActionJob {
  const kind = parseActionKind(row.kind);
  if (kind === null) throw new Error(`no kind of desk action: ${row.kind}`);
  return {
    gameId: row.game_id,
    actionId: row.action_id,
    version: row.version,
    state: stateOf(row.state),
    stateSince: Date.parse(row.state_since),
    content: { ...row, kind, facts: parseStoredFacts(row.facts) },
    requestBytes: row.request_bytes,
    approvedDigest: row.approved_digest?.toString('hex') ?? null,
    requestedBy: row.requested_by,
    attempt_count: row.attempt_count,
    unanswered_count: row.unanswered_count,
    firstSentAt: timeOf(row.first_sent_at),
    lastSentAt: timeOf(row.last_sent_at),
    approvedAt: timeOf(row.approved_at),
    settleUntil: timeOf(row.settle_until),
    waitsUntil: timeOf(row.waits_until),
    waitsFor: parseEnumOrNull(WAITS_FOR, row.waits_for),
    retryAt: timeOf(row.retry_at),
    parentId: row.parent_id,
    result: parseStoredResult(row.result),
    lastClass: parseAnswerClass(row.last_class),
  };
}

function timeOf(instant: string | null): number | null {
  return instant === null ? null : Date.parse(instant);
}

const COLUMNS = ['state', 'unanswered_count', 'attention_reason', 'outcome_source', 'last_error_code', 'last_error_id'] as const;

/** Writes one step of an action on the version it was decided for; false: the action has moved on. Joins the transaction of the handle. */
export async function applyChange(
  db: Db,
  { gameId, actionId, version }: Pick<ActionJob, 'gameId' | 'actionId' | 'version'>,
  change: ActionChange,
): Promise<boolean> {
  const sets: RawBuilder<unknown>[] = [sql`game_id = game_id`];
  const set = (column: string, value: unknown): void => void sets.push(sql`${sql.ref(column)} = ${value}`);
  for (const column of COLUMNS) if (change[column] !== undefined) set(column, change[column]);
  if (change.checkAt !== undefined) set('next_look_at', toTimestamp(change.checkAt));
  if (change.settleUntil !== undefined) set('settle_until', toTimestamp(change.settleUntil));
  if (change.waits !== undefined) {
    set('waits_for', change.waits.for);
    set('waits_until', toTimestamp(change.waits.until));
  }
  if (change.result !== undefined) set('result', JSON.stringify(change.result));
  const changed = await countChanges(
    db,
    sql`update desk_action set ${sql.join(sets)} where game_id = ${gameId} and action_id = ${actionId} and version = ${version}`,
  );
  if (changed === 1 && change.checkAt)
    await wakeWorker(db, { queue: 'actions', gameId, id: actionId, dueAt: sql`to_timestamp(${change.checkAt / 1000}::float8)` });
  return changed === 1;
}

function toTimestamp(time: number | null): RawBuilder<unknown> | null {
  return time === null ? null : sql`to_timestamp(${time / 1000}::double precision)`;
}

/** Records who did what with an action, in the same transaction. `actor` is an email, or "worker". */
export async function recordActionAudit(
  tx: Db,
  { gameId, actionId }: ActionRef,
  actor: string,
  act: ActionAct,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await recordAudit(tx, { actor, gameId, act, subject: auditSubjectOf(actionId), detail });
}

/** What an attempt stores of its answer. */
export type StoredAnswer = Pick<
  Selectable<DeskActionAttemptTable>,
  'class' | 'phase' | 'status' | 'error_code' | 'error_id' | 'answer_facts' | 'sha256'
>;

/** SHA-256 over what an attempt stores of its answer, as hex: the audit records it with the answer. */
export function digestAnswer({ class: meaning, phase, status, error_code, error_id, answer_facts, sha256 }: StoredAnswer): string {
  const bytes = sha256?.toString('hex') ?? null;
  return digestOf({ class: meaning, phase, status, error_code, error_id, answer_facts, sha256: bytes }).toString('hex');
}
