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
