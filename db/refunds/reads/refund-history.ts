import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import { compareInstants } from '#lib/core/instant.ts';
import { parseEnum, parseEnumOrNull } from '#lib/core/parse-enum.ts';
import { maskEmail } from '#lib/core/roles.ts';
import { maskEmailsIn } from '#lib/core/typed-input.ts';
import { ATTEMPT_CLASSES, type AttemptClass } from '#lib/refunds/rules/attempt.ts';
import { auditSubjectOf, isAboutCall } from '#lib/refunds/rules/audit-actions.ts';
import { type PeriodFacts } from '#lib/refunds/rules/period.ts';
import { READ_PURPOSES, type ReadPurpose } from '#lib/refunds/rules/ports.ts';
import { parseStoredAnswer, parseStoredDetail, parseStoredPeriod } from '#lib/refunds/rules/stored.ts';

/** One call to Invo; `class` is null while it has no answer. */
export interface TimelineAttempt {
  kind: 'attempt';
  at: string;
  attempt_no: number;
  finishedAt: string | null;
  class: AttemptClass | null;
  status: number | null;
  errorCode: string | null;
  errorId: string | null;
  /** The fields Invo returned beside its code. */
  facts: Record<string, string>;
}

/** One reading of the period. */
export interface TimelineReading {
  kind: 'reading';
  at: string;
  read_no: number;
  purpose: ReadPurpose;
  period: PeriodFacts;
}

/** An action of a person or the worker, in the text it was recorded with; `formatRefundAction` gives the current one. */
export interface TimelineAct {
  kind: 'act';
  at: string;
  /** The name of a colleague, or "worker"; any other email is masked for readers without the right to see emails. */
  actor: string;
  act: string;
  detail: Record<string, unknown>;
}

export type TimelineEntry = TimelineAttempt | TimelineReading | TimelineAct;

/** A refund has about thirty calls and sixty readings at most; more is a bug that must show. */
const ENTRIES_MAX = 1_000;

/** The timeline of a refund, newest first. Throws when it has more entries than any refund can have. */
export async function listRefundTimeline(
  db: Db,
  gameId: number,
  refundId: number,
  { canSeeEmails }: { canSeeEmails: boolean },
): Promise<TimelineEntry[]> {
  const found = await db
    .selectNoFrom([
      jsonArrayFrom(actsOf(db, gameId, refundId)).as('acts'),
      jsonArrayFrom(attemptsOf(db, gameId, refundId)).as('attempts'),
      jsonArrayFrom(readingsOf(db, gameId, refundId)).as('readings'),
    ])
    .executeTakeFirstOrThrow();
  const entries: TimelineEntry[] = [
    ...found.acts.filter(({ act }) => !isAboutCall(act)).map((row) => reshapeAct(row, canSeeEmails)),
    ...found.attempts.map(reshapeAttempt),
    ...found.readings.map(reshapeReading),
  ];
  if (entries.length > ENTRIES_MAX) throw new Error(`refund ${refundId} has ${entries.length} entries`);
  return entries.toSorted((a, b) => compareInstants(b.at, a.at));
}

type RowOf<Query extends (...args: never[]) => { executeTakeFirstOrThrow(): unknown }> = Awaited<
  ReturnType<ReturnType<Query>['executeTakeFirstOrThrow']>
>;

function actsOf(db: Db, gameId: number, refundId: number) {
  return db
    .selectFrom('audit')
    .leftJoin('person', 'person.email', 'audit.actor')
    .where('audit.game_id', '=', gameId)
    .where('audit.subject', '=', auditSubjectOf(refundId))
    .orderBy('audit.audit_id')
    .limit(ENTRIES_MAX + 1)
    .select([nestedInstant('audit.at').as('at'), 'audit.actor', 'audit.act', 'audit.detail', 'person.name']);
}

function reshapeAct({ at, actor, act, detail, name }: RowOf<typeof actsOf>, canSeeEmails: boolean): TimelineAct {
  return {
    kind: 'act',
    at,
    actor: name ?? (actor.includes('@') && !canSeeEmails ? maskEmail(actor) : actor),
    act,
    detail: canSeeEmails ? parseStoredDetail(detail) : maskWords(parseStoredDetail(detail)),
  };
}

// Text that people typed may contain a player's email.
function maskWords(detail: Record<string, unknown>): Record<string, unknown> {
  const masked = Object.entries(detail).map(([name, value]) => [name, typeof value === 'string' ? maskEmailsIn(value) : value]);
  return Object.fromEntries(masked);
}

function attemptsOf(db: Db, gameId: number, refundId: number) {
  return db
    .selectFrom('refund_attempt')
    .where('game_id', '=', gameId)
    .where('refund_id', '=', refundId)
    .orderBy('attempt_no')
    .limit(ENTRIES_MAX + 1)
    .select(['attempt_no', 'class', 'status', 'error_code', 'error_id', 'answer_facts'])
    .select([
      nestedInstant('refund_attempt.committed_at').as('committed_at'),
      nestedInstant<string | null>('refund_attempt.finished_at').as('finished_at'),
    ]);
}

function reshapeAttempt(row: RowOf<typeof attemptsOf>): TimelineAttempt {
  return {
    kind: 'attempt',
    at: row.committed_at,
    attempt_no: row.attempt_no,
    finishedAt: row.finished_at,
    class: parseEnumOrNull(ATTEMPT_CLASSES, row.class),
    status: row.status,
    errorCode: row.error_code,
    errorId: row.error_id,
    facts: parseStoredAnswer(row.answer_facts),
  };
}

function readingsOf(db: Db, gameId: number, refundId: number) {
  return db
    .selectFrom('refund_read')
    .where('game_id', '=', gameId)
    .where('refund_id', '=', refundId)
    .orderBy('read_no')
    .limit(ENTRIES_MAX + 1)
    .select(['read_no', nestedInstant('refund_read.read_at').as('read_at'), 'purpose', 'facts']);
}

function reshapeReading(row: RowOf<typeof readingsOf>): TimelineReading {
  return {
    kind: 'reading',
    at: row.read_at,
    read_no: row.read_no,
    purpose: parseEnum(READ_PURPOSES, row.purpose),
    period: parseStoredPeriod(row.facts),
  };
}

/** A refund with everything a verification checks. Facts, estimate and receipt are the JSON as stored. */
export interface RefundToVerify {
  refund_id: number;
  environment: string;
  client_request_id: string;
  request_bytes: Buffer;
  request_digest: Buffer;
  subscription_id: string;
  period_id: number;
  period_seq: number;
  amount_usd: string;
  reason_code: string;
  reason_text: string | null;
  facts: unknown;
  estimate: unknown;
  baseline_digest: Buffer;
  content_digest: Buffer;
  approved_digest: Buffer | null;
  state: string;
  attempt_count: number;
  receipt: unknown;
  /** The number of attempt rows and of outcomes that two people confirmed. */
  attempts: number;
  confirmed_decisions: number;
  /** A stored slice reports a refund like it, which is not matched. */
  is_reported: boolean;
}

/** Every refund of a game, oldest first, with what a verification recomputes. */
export async function listRefundsToVerify(db: Db, gameId: number): Promise<RefundToVerify[]> {
  const { rows } = await sql<RefundToVerify>`
    select refund.*, game.environment,
      (select count(*)::int from refund_attempt a where a.game_id = refund.game_id and a.refund_id = refund.refund_id) as attempts,
      (select count(*)::int from refund_decision d where d.game_id = refund.game_id and d.refund_id = refund.refund_id and d.confirmed_by is not null) as confirmed_decisions,
      exists (select from refund_reported r where r.game_id = refund.game_id and r.refund_id = refund.refund_id) as is_reported
    from refund join game using (game_id) where game_id = ${gameId} order by refund_id`.execute(db);
  return rows;
}

/** The attempts of a refund in order, with their stored answers. */
export async function listAttemptsOf(
  db: Db,
  gameId: number,
  refundId: number,
): Promise<{ attempt_no: number; request_digest: Buffer; body: Buffer | null; sha256: Buffer | null }[]> {
  return db
    .selectFrom('refund_attempt')
    .select(['attempt_no', 'request_digest', 'body', 'sha256'])
    .where('game_id', '=', gameId)
    .where('refund_id', '=', refundId)
    .orderBy('attempt_no')
    .execute();
}
