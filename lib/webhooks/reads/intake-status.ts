import { sql } from 'kysely';
import { type Db, nestedInstant } from '#db/kit/open.ts';
import { parseEnum } from '#lib/core/strings.ts';
import {
  ATTENTION_STATES,
  DELIVERY_STATES,
  type DeliveryState,
  REFUSAL_REASONS,
  RETRIES_END_SECONDS,
  type RefusalReason,
  SECRET_SLOTS,
  type SecretSlot,
} from '../rules/delivery.ts';

/** How the intake of a game is doing. Instants by the database clock. */
export interface IntakeStatus {
  now: string;
  /** The last delivery of Invo whose signature held; null: none yet. */
  last: { receivedAt: string; slot: SecretSlot; version: string | null } | null;
  /** When the previous secret last verified one, alone or beside the current one; null: not in 30 days. */
  previousUsedAt: string | null;
  /** Deliveries of this day, UTC, by state. */
  today: Partial<Record<DeliveryState, number>>;
  attentionCount: number;
  /** Requests refused within the last day, by reason, most first. */
  refused: { reason: RefusalReason; count: number; lastAt: string }[];
  /** Times without a delivery that are longer than Invo retries, newest first. */
  gaps: { from: string; to: string }[];
}

const GAP_DAYS = 30;

/** Finds how the intake of a game is doing, in one statement. */
export async function findIntakeStatus(db: Db, gameId: number): Promise<IntakeStatus> {
  const { rows } = await sql<
    Omit<IntakeStatus, 'last' | 'today' | 'refused'> & {
      last: { receivedAt: string; slot: string; version: string | null } | null;
      today: Record<string, number>;
      refused: { reason: string; count: number; lastAt: string }[];
    }
  >`
    select clock_now() as now,
      (select json_build_object('receivedAt', ${nestedInstant('at')}, 'slot', secret_slot, 'version', secret_version) from (
         select received_at as at, secret_slot, secret_version from delivery where game_id = ${gameId} and not is_test
         union all select repeated_at, repeated_slot, repeated_version from delivery where game_id = ${gameId} and repeated_at is not null and not is_test
         order by at desc limit 1) newest) as last,
      (select max(at) from (
         select max(received_at) as at from delivery where game_id = ${gameId} and secret_slot <> 'current' and received_at > clock_now() - interval '30 days'
         union all select max(received_at) from delivery_repeat where game_id = ${gameId} and secret_slot <> 'current' and not is_stale and received_at > clock_now() - interval '30 days'
         union all select max(repeated_at) from delivery where game_id = ${gameId} and repeated_slot <> 'current' and repeated_at > clock_now() - interval '30 days'
       ) used) as "previousUsedAt",
      (select coalesce(json_object_agg(state, count), '{}') from (
         select state, count(*) from delivery where game_id = ${gameId} and received_at >= date_trunc('day', clock_now()) group by state) counted) as today,
      (select count(*) from delivery where game_id = ${gameId} and settled_at is null and state in (${sql.join([...ATTENTION_STATES])})) as "attentionCount",
      (select coalesce(json_agg(json_build_object('reason', reason, 'count', count, 'lastAt', ${nestedInstant('last_at')}) order by count desc), '[]') from (
         select reason, sum(refusal_count) as count, max(last_at) as last_at from delivery_refusal
         where game_id = ${gameId} and hour > clock_now() - interval '1 day' group by reason) counted) as refused,
      ${gapsOf(gameId)} as gaps`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database returned no status');
  return {
    ...row,
    last: row.last && { ...row.last, slot: parseEnum(SECRET_SLOTS, row.last.slot) },
    today: Object.fromEntries(Object.entries(row.today).map(([state, count]) => [parseEnum(DELIVERY_STATES, state), count])),
    refused: row.refused.map((each) => ({ ...each, reason: parseEnum(REFUSAL_REASONS, each.reason) })),
  };
}

/**
 * The gaps that ended within a month or are open, counted from the last delivery before it. A gap extends to the last delivery within the time that Invo retries; where there is none, the next one ends it.
 * So a month is some thirty look-ups, however many deliveries it has.
 */
function gapsOf(gameId: number) {
  const received = sql`(select received_at from delivery where game_id = ${gameId} and not is_test
    union all select received_at from delivery_repeat where game_id = ${gameId} and not is_stale
    union all select repeated_at from delivery where game_id = ${gameId} and repeated_at is not null and not is_test)`;
  const since = sql`clock_now() - make_interval(days => ${GAP_DAYS})`;
  const reach = sql`make_interval(secs => ${RETRIES_END_SECONDS})`;
  return sql<{ from: string; to: string }[]>`(
    with recursive step as (
      select coalesce((select max(received_at) from ${received} r where received_at < ${since}),
        (select min(received_at) from ${received} r where received_at >= ${since})) as at, null::timestamptz as gap_from
      union all
      select coalesce(within_reach.at, later.at), case when within_reach.at is null then step.at end
      from step
        cross join lateral (select max(received_at) as at from ${received} r where received_at > step.at and received_at <= step.at + ${reach}) within_reach
        cross join lateral (select min(received_at) as at from ${received} r where within_reach.at is null and received_at > step.at) later
      where step.at is not null
    ), ended as (
      select gap_from, at from step where gap_from is not null and at is not null
      union all select max(at), clock_now() from step having max(at) < clock_now() - ${reach}
    )
    select coalesce(json_agg(json_build_object('from', ${nestedInstant('gap_from')}, 'to', ${nestedInstant('at')}) order by gap_from desc), '[]') from ended)`;
}

/** What monitoring reads about the intake of one game. */
export interface IntakeFigures {
  game: string;
  environment: string;
  /** Seconds since the last delivery whose signature held; null: none yet. */
  lastAge_seconds: number | null;
  /** Readings that are due. */
  backlog: number;
  conflicts: number;
  refused: Record<string, number>;
}

/** Reads the monitoring figures of every game: no id, no name of a person. */
export async function readIntakeFigures(db: Db): Promise<IntakeFigures[]> {
  const games = await db.selectFrom('game').select(['game_id', 'slug as game', 'environment']).orderBy('slug').execute();
  const figures: IntakeFigures[] = [];
  // One statement per game: on one server each is a few look-ups, and a distributed database sends it to the server of the game.
  for (const { game_id: gameId, ...game } of games) {
    const { rows } = await sql<Omit<IntakeFigures, 'game' | 'environment'>>`
      select extract(epoch from clock_now() - greatest(
          (select max(received_at) from delivery where game_id = ${gameId} and not is_test),
          (select max(repeated_at) from delivery where game_id = ${gameId} and repeated_at is not null and not is_test)))::int as "lastAge_seconds",
        (select count(*) from delivery_read where game_id = ${gameId} and due_at <= clock_now()) as backlog,
        (select count(*) from delivery where game_id = ${gameId} and state = 'conflict' and settled_at is null) as conflicts,
        (select coalesce(json_object_agg(reason, count), '{}') from (
           select reason, sum(refusal_count) as count from delivery_refusal where game_id = ${gameId} group by reason) counted) as refused`.execute(
      db,
    );
    figures.push(...rows.map((row) => ({ ...game, ...row })));
  }
  return figures;
}
