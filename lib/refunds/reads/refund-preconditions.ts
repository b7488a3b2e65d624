import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import { type Db, nestedInstant, nestedMoney } from '#db/kit/open.ts';
import { limitsOf, PAUSE_VERSION } from '#lib/approvals/reads.ts';
import type { PersonLimits, SetLimits } from '#lib/approvals/rules/approval.ts';
import type { Refund } from '../rules/refund.ts';
import { ENDED_STATES, NOT_CARRIED_OUT_STATES, OPEN_STATES, stateOf } from '../rules/state.ts';

/** An open refund. It blocks its period: no second refund of it can be requested. */
interface OpenRefund extends Pick<Refund, 'refundId' | 'state' | 'isProcessed' | 'amount_usd' | 'requestedAt'> {
  requestedByName: string;
}

/** The open refund of a period; null when there is none. */
export async function findOpenRefund(db: Db, gameId: number, periodId: number): Promise<OpenRefund | null> {
  return reshapeOpen(await openRefundOf(db, gameId, periodId).executeTakeFirst());
}

function openRefundOf(db: Db, gameId: number, periodId: number) {
  return db
    .selectFrom('refund')
    .innerJoin('person', 'person.id', 'refund.requested_by')
    .where('refund.game_id', '=', gameId)
    .where('refund.period_id', '=', periodId)
    .where('refund.state', 'not in', [...ENDED_STATES])
    .orderBy('refund.refund_id', 'desc')
    .limit(1)
    .select(['refund.refund_id as refundId', 'refund.state', isProcessed(gameId).as('isProcessed'), 'person.name as requestedByName'])
    .select([nestedMoney('refund.amount_usd').as('amount_usd'), nestedInstant('refund.requested_at').as('requestedAt')]);
}

function reshapeOpen(row: Awaited<ReturnType<ReturnType<typeof openRefundOf>['executeTakeFirst']>> | null): OpenRefund | null {
  return row === undefined || row === null ? null : { ...row, state: stateOf(row.state) };
}

/** The id of the refund a submitted form created; null when it was not submitted yet. */
export async function findDraft(
  db: Db,
  gameId: number,
  { draftId, periodId }: { draftId: string; periodId: number },
): Promise<number | null> {
  const found = await db
    .selectFrom('refund')
    .select('refund_id')
    .where('game_id', '=', gameId)
    .where('draft_id', '=', draftId)
    .where('period_id', '=', periodId)
    .executeTakeFirst();
  return found?.refund_id ?? null;
}

/** How many refunds another page lists. */
export const SUMMARIES_MAX = 50;

/** A refund requested in this Sharebook, as other pages show it. */
export type RefundSummary = Pick<
  Refund,
  'refundId' | 'subscription_id' | 'period_id' | 'period_seq' | 'amount_usd' | 'state' | 'isProcessed' | 'requestedAt'
>;

/** The refunds requested in this Sharebook for one period or subscription; newest first. At most `SUMMARIES_MAX`, and one more when there are more. */
export async function listRefundsOf(
  db: Db,
  gameId: number,
  about: { periodId: number } | { subscriptionId: string },
): Promise<RefundSummary[]> {
  const condition =
    'periodId' in about
      ? sql<boolean>`refund.period_id = ${about.periodId}`
      : sql<boolean>`refund.subscription_id = ${about.subscriptionId}`;
  return reshapeSummaries(await summariesOf(db, gameId, condition).execute());
}

/** Selects refunds by a condition on `refund`, for a statement of their own or as nested rows; `reshapeSummaries` reads them. */
export function summariesOf(db: Db, gameId: number, condition: RawBuilder<boolean>) {
  return db
    .selectFrom('refund')
    .where('refund.game_id', '=', gameId)
    .where(condition)
    .orderBy('refund.refund_id', 'desc')
    .limit(SUMMARIES_MAX + 1)
    .select([
      'refund.refund_id as refundId',
      'refund.subscription_id',
      'refund.period_id',
      'refund.period_seq',
      nestedMoney('refund.amount_usd').as('amount_usd'),
      'refund.state',
      isProcessed(gameId).as('isProcessed'),
      nestedInstant('refund.requested_at').as('requestedAt'),
    ]);
}

/** Reshapes the rows of `summariesOf`. */
export function reshapeSummaries(rows: (Omit<RefundSummary, 'state'> & { state: string })[]): RefundSummary[] {
  return rows.map((row) => ({ ...row, state: stateOf(row.state) }));
}

/** What is stored about a refund that may be requested. */
export interface Preconditions {
  /** null: refunds are sent. */
  pause: RefundPause | null;
  /** It blocks the period; null: none. */
  open: OpenRefund | null;
  limits: PersonLimits;
  /** Refunds of the period, newest first, as `listRefundsOf` has them. */
  earlier: RefundSummary[];
}

/** Finds what is stored about a refund that may be requested of a period, in one statement. */
export async function findRefundPreconditions(db: Db, gameId: number, periodId: number, personId: string): Promise<Preconditions> {
  const { pause, open, limits, dayBefore, earlier } = await db
    .selectNoFrom([
      jsonObjectFrom(pauseOf(db, gameId)).as('pause'),
      jsonObjectFrom(openRefundOf(db, gameId, periodId)).as('open'),
      ...personLimits(gameId, personId, null),
      jsonArrayFrom(summariesOf(db, gameId, sql<boolean>`refund.period_id = ${periodId}`)).as('earlier'),
    ])
    .executeTakeFirstOrThrow();
  return {
    pause: reshapePause(pause),
    open: reshapeOpen(open),
    limits: { limits, dayBefore },
    earlier: reshapeSummaries(earlier),
  };
}

/** Finds what the limits of a person are held against; `refundId`: a refund of theirs that is not counted. */
export async function findPersonLimits(
  db: Db,
  { gameId, personId, refundId = null }: { gameId: number; personId: string; refundId?: number | null },
): Promise<PersonLimits> {
  return await db.selectNoFrom(personLimits(gameId, personId, refundId)).executeTakeFirstOrThrow();
}

/** The USD that policy approved for a person within 24 hours, without one of their refunds; refunds that never happened are left out. */
export function approvedWithin24Hours(gameId: number, personId: RawBuilder<unknown>, exceptId: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`(select coalesce(sum(greatest(counted.amount_usd, (counted.estimate ->> 'card_refunded_usd')::numeric)), 0) from refund counted
    where counted.game_id = ${gameId} and counted.requested_by = ${personId} and counted.requested_at > clock_now() - interval '24 hours'
      and not counted.needs_second_approver and counted.state <> all(${NOT_CARRIED_OUT_STATES}) and counted.refund_id is distinct from ${exceptId}::bigint)`;
}

/** The limits of a person and the USD approved automatically for them within 24 hours, without one of their refunds, as columns of a statement. */
export function personLimits(
  gameId: number,
  personId: string,
  refundId: number | null,
): [AliasedRawBuilder<SetLimits, 'limits'>, AliasedRawBuilder<string, 'dayBefore'>] {
  return [
    limitsOf('refunds', gameId).as('limits'),
    sql<string>`${approvedWithin24Hours(gameId, sql`${personId}`, sql`${refundId}`)}::text`.as('dayBefore'),
  ];
}

/** A pause of all refunds of a game. */
export interface RefundPause {
  /** What resuming is bound to: this pause and who requested to resume it. */
  version: string;
  why: string;
  /** null: Sharebook, because the database was restored. */
  pausedByName: string | null;
  pausedAt: string;
  /** The first person who requested the resumption; null: nobody yet. */
  resumeRequestedBy: { id: string; name: string } | null;
  /** The refunds that were open at the backup and still are, by id; null: no restore is the reason. */
  openAtRestore: { refundId: number; amount_usd: string }[] | null;
}

// A pause that follows from a restore lists what was requested before it and isn't over.
const openAtRestore = (gameId: number | null) => sql<RefundPause['openAtRestore']>`(
  select coalesce(json_agg(json_build_object('refundId', refund_id, 'amount_usd', amount_usd::text) order by refund_id), '[]')
  from refund, database_restore found
  where found.restore_no = refund_pause.restore_no and refund.game_id = ${gameId ?? sql.ref('refund_pause.game_id')}
    and refund.requested_at < found.found_at and refund.ended_at is null)`;

/** The pause in force in a game; null when refunds are sent. */
export async function findRefundPause(db: Db, gameId: number): Promise<RefundPause | null> {
  return reshapePause(await pauseOf(db, gameId).executeTakeFirst());
}

/** Selects the pause in force, for a statement of its own or as a nested row; `reshapePause` reads it. */
export function pauseOf(db: Db, gameId: number) {
  return db
    .selectFrom('refund_pause')
    .leftJoin('person as pauser', 'pauser.id', 'refund_pause.paused_by')
    .leftJoin('person as requester', 'requester.id', 'refund_pause.resume_requested_by')
    .where('refund_pause.game_id', '=', gameId)
    .where('refund_pause.resumed_at', 'is', null)
    .select(['why', 'restore_no', 'resume_requested_by', 'pauser.name as pausedByName', 'requester.name as requester_name'])
    .select([
      nestedInstant('refund_pause.paused_at').as('pausedAt'),
      openAtRestore(gameId).as('open_at_restore'),
      PAUSE_VERSION.as('version'),
    ]);
}

type PauseRow = Awaited<ReturnType<ReturnType<typeof pauseOf>['executeTakeFirst']>>;

/** Reshapes the row of `pauseOf`; null without one. */
export function reshapePause(row: PauseRow | null): RefundPause | null {
  if (row === undefined || row === null) return null;
  const { resume_requested_by: id, requester_name: name, restore_no, open_at_restore, ...pause } = row;
  return {
    ...pause,
    resumeRequestedBy: id === null ? null : { id, name: name ?? id },
    openAtRestore: restore_no === null ? null : open_at_restore,
  };
}

/** A game whose refunds are paused because the database was restored. */
interface RestorePause {
  slug: string;
  environment: string;
  restoreNo: number;
  /** Requested before the restore was found, and not over. */
  open: { refundId: number; amount_usd: string }[];
}

/** Lists the games whose refunds are paused because of a restore, by slug. */
export async function listRestorePauses(db: Db): Promise<RestorePause[]> {
  const rows = await db
    .selectFrom('refund_pause')
    .innerJoin('game', 'game.game_id', 'refund_pause.game_id')
    .where('refund_pause.resumed_at', 'is', null)
    .where('refund_pause.restore_no', 'is not', null)
    .select(['game.slug', 'game.environment', 'refund_pause.restore_no', openAtRestore(null).as('open')])
    .orderBy('game.slug')
    .orderBy('game.environment')
    .execute();
  return rows.map(({ restore_no, open, ...game }) => ({ ...game, restoreNo: restore_no ?? 0, open: open ?? [] }));
}

/** What to look at of every game that was ever configured. */
interface CheckedGame {
  slug: string;
  environment: string;
  openRefunds: number;
  /** Slugs of the other games that are the same game of Invo. */
  twins: string[];
}

/** Lists every game that was ever configured with its open refunds and the games that are the same one at Invo, by slug. */
export async function listGamesToCheck(db: Db): Promise<CheckedGame[]> {
  const { rows: games } = await sql<Omit<CheckedGame, 'openRefunds'> & { gameId: number }>`
    select game_id as "gameId", slug, environment,
      array(select other.slug from game other where other.game_id <> game.game_id and other.environment = game.environment
        and other.invo_game_id = game.invo_game_id order by other.slug) as twins
    from game order by slug, environment`.execute(db);
  const { rows: counts } = await sql<{ gameId: number; count: number }>`
    select game_id as "gameId", count(*) from refund where state in (${sql.join([...OPEN_STATES])}) group by game_id`.execute(db);
  const openRefunds = new Map(counts.map(({ gameId, count }) => [gameId, count]));
  return games.map(({ gameId, ...game }) => ({ ...game, openRefunds: openRefunds.get(gameId) ?? 0 }));
}

/** Whether Invo answered the last call of a refund that Sharebook still checks as already processed, with its transaction; in a statement over `refund` of one game. */
export function isProcessed(gameId: number): RawBuilder<boolean> {
  return sql<boolean>`(refund.state = 'verifying' and refund.transaction_id is not null and exists (
  select from refund_attempt last where last.game_id = ${gameId} and last.refund_id = refund.refund_id and last.attempt_no = refund.attempt_count
    and last.class = 'reduced'))`;
}
