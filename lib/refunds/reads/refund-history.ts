import { type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import { compareInstants, parseInstant } from '#lib/core/instant.ts';
import { maskEmail } from '#lib/core/mask-email.ts';
import { parseEnum, parseEnumOrNull } from '#lib/core/strings.ts';
import { maskEmailsIn } from '#lib/core/typed-input.ts';
import { ATTEMPT_CLASSES, type AttemptClass } from '../rules/attempt.ts';
import { auditSubjectOf, isAboutCall } from '../rules/audit-actions.ts';
import { READ_PURPOSES, type ReadPurpose } from '../rules/ports.ts';
import { type PeriodFacts, parseStoredAnswer, parseStoredDetail, parseStoredPeriod } from '../rules/stored.ts';

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

/** The part of a refund's timeline that a page shows. */
export interface Timeline {
  /** Newest first. */
  entries: TimelineEntry[];
  /** Where the older ones begin, as text for an address; null: these are the oldest. */
  before: string | null;
  /** The period as the newest reading of all has it; null: never read. */
  newestPeriod: PeriodFacts | null;
  /** The fields Invo returned beside the last error code of the refund. */
  lastErrorFacts: Record<string, string>;
}

/** Entries of a page. A refund has about ninety; one that people look at again and again has more. */
const PAGE_ENTRIES = 100;

/** A position in a timeline. Entries of one instant are in the order of these kinds, and of their numbers. */
interface Position {
  at: string;
  rank: number;
  no: number;
}
const RANKS = { act: 3, attempt: 2, reading: 1 } as const;

/** One page of the timeline of a refund. `before`: where an earlier page ended; anything else begins with the newest. */
export async function listRefundTimeline(
  db: Db,
  gameId: number,
  refundId: number,
  { canSeeEmails, before = null }: { canSeeEmails: boolean; before?: string | null },
): Promise<Timeline> {
  const position = parsePosition(before);
  const found = await db
    .selectNoFrom([
      jsonArrayFrom(actsOf(db, gameId, refundId, position)).as('acts'),
      jsonArrayFrom(attemptsOf(db, gameId, refundId, position)).as('attempts'),
      jsonArrayFrom(readingsOf(db, gameId, refundId, position)).as('readings'),
      jsonObjectFrom(newestReadingOf(db, gameId, refundId)).as('newest'),
      jsonObjectFrom(lastErrorOf(db, gameId, refundId)).as('error'),
    ])
    .executeTakeFirstOrThrow();
  const placed: [Position, TimelineEntry][] = [
    ...found.acts.map((row): [Position, TimelineEntry] => [positionOf('act', row), reshapeAct(row, canSeeEmails)]),
    ...found.attempts.map((row): [Position, TimelineEntry] => [positionOf('attempt', row), reshapeAttempt(row)]),
    ...found.readings.map((row): [Position, TimelineEntry] => [positionOf('reading', row), reshapeReading(row)]),
  ];
  placed.sort(([a], [b]) => compareInstants(b.at, a.at) || b.rank - a.rank || b.no - a.no);
  const last = placed.length > PAGE_ENTRIES ? placed[PAGE_ENTRIES - 1] : undefined;
  return {
    entries: placed
      .slice(0, PAGE_ENTRIES)
      .map(([, entry]) => entry)
      .filter((entry) => entry.kind !== 'act' || !isAboutCall(entry.act)),
    before: last === undefined ? null : formatPosition(last[0]),
    newestPeriod: found.newest === null ? null : parseStoredPeriod(found.newest.facts),
    lastErrorFacts: found.error === null ? {} : parseStoredAnswer(found.error.answer_facts),
  };
}

function positionOf(kind: keyof typeof RANKS, { at, no }: { at: string; no: number }): Position {
  return { at, rank: RANKS[kind], no };
}

function formatPosition({ at, rank, no }: Position): string {
  return `${at} ${rank} ${no}`;
}

function parsePosition(text: string | null): Position | null {
  const match = /^(\S+) ([123]) (\d{1,15})$/.exec(text ?? '');
  const instant = match === null ? null : parseInstant(match[1]);
  return match === null || instant === null ? null : { at: instant, rank: Number(match[2]), no: Number(match[3]) };
}

/** Whether a row is older than a position; true for each row without one. */
function isOlder(kind: keyof typeof RANKS, instant: string, no: string, position: Position | null): RawBuilder<boolean> {
  if (position === null) return sql<boolean>`true`;
  return sql<boolean>`(${sql.ref(instant)}, ${sql.lit(RANKS[kind])}, ${sql.ref(no)}) < (${position.at}::timestamptz, ${position.rank}::int, ${position.no}::bigint)`;
}

type RowOf<Query extends (...args: never[]) => { executeTakeFirstOrThrow(): unknown }> = Awaited<
  ReturnType<ReturnType<Query>['executeTakeFirstOrThrow']>
>;

function actsOf(db: Db, gameId: number, refundId: number, position: Position | null) {
  return db
    .selectFrom('audit')
    .leftJoin('person', 'person.email', 'audit.actor')
    .where('audit.game_id', '=', gameId)
    .where('audit.subject', '=', auditSubjectOf(refundId))
    .where(isOlder('act', 'audit.at', 'audit.audit_id', position))
    .orderBy('audit.at', 'desc')
    .orderBy('audit.audit_id', 'desc')
    .limit(PAGE_ENTRIES + 1)
    .select([nestedInstant('audit.at').as('at'), 'audit.audit_id as no', 'audit.actor', 'audit.act', 'audit.detail', 'person.name']);
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

function attemptsOf(db: Db, gameId: number, refundId: number, position: Position | null) {
  return db
    .selectFrom('refund_attempt')
    .where('game_id', '=', gameId)
    .where('refund_id', '=', refundId)
    .where(isOlder('attempt', 'refund_attempt.committed_at', 'attempt_no', position))
    .orderBy('refund_attempt.committed_at', 'desc')
    .orderBy('attempt_no', 'desc')
    .limit(PAGE_ENTRIES + 1)
    .select(['attempt_no as no', 'class', 'status', 'error_code as errorCode', 'error_id as errorId', 'answer_facts'])
    .select(nestedInstant('refund_attempt.committed_at').as('at'))
    .select(nestedInstant<string | null>('refund_attempt.finished_at').as('finishedAt'));
}

function reshapeAttempt({ no: attempt_no, answer_facts, ...attempt }: RowOf<typeof attemptsOf>): TimelineAttempt {
  const facts = parseStoredAnswer(answer_facts);
  return { kind: 'attempt', ...attempt, attempt_no, class: parseEnumOrNull(ATTEMPT_CLASSES, attempt.class), facts };
}

/** The newest attempt that ended with the last error of its refund. */
function lastErrorOf(db: Db, gameId: number, refundId: number) {
  return db
    .selectFrom('refund')
    .innerJoin('refund_attempt', (join) =>
      join.on('refund_attempt.game_id', '=', gameId).onRef('refund_attempt.refund_id', '=', 'refund.refund_id'),
    )
    .where('refund.game_id', '=', gameId)
    .where('refund.refund_id', '=', refundId)
    .where(sql<boolean>`(error_code, error_id) is not distinct from (last_error_code, last_error_id)`)
    .orderBy('attempt_no', 'desc')
    .limit(1)
    .select('answer_facts');
}

function newestReadingOf(db: Db, gameId: number, refundId: number) {
  return db
    .selectFrom('refund_read')
    .where('game_id', '=', gameId)
    .where('refund_id', '=', refundId)
    .orderBy('refund_read.read_at', 'desc')
    .orderBy('read_no', 'desc')
    .limit(1)
    .select('facts');
}

function readingsOf(db: Db, gameId: number, refundId: number, position: Position | null) {
  return db
    .selectFrom('refund_read')
    .where('game_id', '=', gameId)
    .where('refund_id', '=', refundId)
    .where(isOlder('reading', 'refund_read.read_at', 'read_no', position))
    .orderBy('refund_read.read_at', 'desc')
    .orderBy('read_no', 'desc')
    .limit(PAGE_ENTRIES + 1)
    .select(['read_no as no', nestedInstant('refund_read.read_at').as('at'), 'purpose', 'facts']);
}

function reshapeReading({ at, no: read_no, purpose, facts }: RowOf<typeof readingsOf>): TimelineReading {
  return { kind: 'reading', at, read_no, purpose: parseEnum(READ_PURPOSES, purpose), period: parseStoredPeriod(facts) };
}
