import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { type Db, nestedMoney } from '#db/kit/open.ts';
import type { GameRef } from '#lib/core/game.ts';

export interface StoredDetail {
  /** By the database clock. */
  readAt: string;
  /** Gzip. */
  body: Buffer;
  /** Over the inflated body. */
  sha256: Buffer;
  /** Players of the game who were erased. */
  erasedIds: string[];
}

/** A stored answer with its age, by the clock that dated it. */
interface AgedDetail extends StoredDetail {
  age_s: number;
}

/** Finds the newest stored answer of a detail route about a subject; null when there is none. */
export async function findDetail(db: Db, gameId: number, kind: DetailKind, subject: string): Promise<AgedDetail | null> {
  if (!isReportKind(kind)) {
    const row = await db
      .selectFrom('detail_read')
      .select(['read_at as readAt', 'body', 'sha256', erasedIds(gameId).as('erasedIds'), secondsSince('read_at').as('age_s')])
      .where('game_id', '=', gameId)
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return row ?? null;
  }
  const { rows } = await sql<AgedDetail>`
    select newest.read_at as "readAt", newest.sha256, ${erasedIds(gameId)} as "erasedIds", ${secondsSince('newest.read_at')} as age_s, (
      select body from report_read stored
      where stored.game_id = ${gameId} and stored.kind = ${kind} and stored.subject = ${subject} and stored.body is not null
      order by stored.read_no desc limit 1
    ) as body
    from report_read newest
    where newest.game_id = ${gameId} and newest.kind = ${kind} and newest.subject = ${subject}
    order by newest.read_no desc limit 1`.execute(db);
  return rows[0] ?? null;
}

function secondsSince(column: string): RawBuilder<number> {
  return sql<number>`greatest(0, extract(epoch from clock_now() - ${sql.ref(column)}))::float8`;
}

/** The players of a game who were erased, as a column. */
export function erasedIds(gameId: number): RawBuilder<string[]> {
  return sql<string[]>`array(select erased.recipient_player_id::text from recipient_erasure erased where erased.game_id = ${gameId})`;
}

// Lines shown for one subscription: more than eight years of monthly renewals.
const EVIDENCE_LINES_MAX = 100;

/** A renewal as a month's report contains it, with Invo's field names. */
interface RenewalEvidence {
  /** The month it settled in, cut in the game's time zone. */
  month: string;
  periodId: number;
  periodSeq: number | null;
  recipientPlayerId: number;
  /** As Invo reported it. */
  paidAt: string;
  amount_usd: string;
  attributed_amount_usd: string;
}

/** A reversal as a month's report contains it. */
interface ReversalEvidence {
  /** The month of the refund. */
  month: string;
  periodId: number;
  recipientPlayerId: number;
  reversed_attributed_usd: string;
}

export interface LineEvidence {
  /** Newest first; each period once, from its newest pull. */
  renewals: RenewalEvidence[];
  /** Newest first; each period once per month. */
  reversals: ReversalEvidence[];
}

/** Lists the lines of one period or one subscription in the pulled months: the newest pull of each, whatever Invo reports today. */
export async function listLineEvidence(
  db: Db,
  game: GameRef,
  about: { periodId: number } | { subscriptionId: string },
): Promise<LineEvidence> {
  return await db
    .selectNoFrom([jsonArrayFrom(renewalsOf(db, game, about)).as('renewals'), jsonArrayFrom(reversalsOf(db, game, about)).as('reversals')])
    .executeTakeFirstOrThrow();
}

type About = Parameters<typeof listLineEvidence>[2];

function renewalsOf(db: Db, game: GameRef, about: About) {
  const newest = db
    .selectFrom('renewal_line as line')
    .innerJoin('slice', (join) => join.on('slice.game_id', '=', game.gameId).onRef('slice.slice_id', '=', 'line.slice_id'))
    .where('line.game_id', '=', game.gameId)
    .where(conditionOf(about))
    .distinctOn('line.period_id')
    .orderBy('line.period_id')
    .orderBy('slice.is_consistent', 'desc')
    .orderBy('line.slice_id', 'desc')
    .select([
      monthOf(game).as('month'),
      'line.period_id as periodId',
      'line.period_seq as periodSeq',
      'line.recipient_player_id as recipientPlayerId',
      'line.paid_at_reported as paidAt',
      'line.paid_at as order',
      'line.amount_usd',
      'line.attributed_amount_usd',
    ]);
  return db
    .selectFrom(newest.as('n'))
    .orderBy('n.order', 'desc')
    .limit(EVIDENCE_LINES_MAX)
    .select(['month', 'periodId', 'periodSeq', 'recipientPlayerId', 'paidAt'])
    .select([nestedMoney('n.amount_usd').as('amount_usd'), nestedMoney('n.attributed_amount_usd').as('attributed_amount_usd')]);
}

function reversalsOf(db: Db, game: GameRef, about: About) {
  const newest = db
    .selectFrom('reversal_line as line')
    .innerJoin('slice', (join) => join.on('slice.game_id', '=', game.gameId).onRef('slice.slice_id', '=', 'line.slice_id'))
    .where('line.game_id', '=', game.gameId)
    .where(conditionOf(about))
    // A window may be split differently in a later pull; the newest pull of each start counts.
    .distinctOn(['line.period_id', 'slice.window_start'])
    .orderBy('line.period_id')
    .orderBy('slice.window_start')
    .orderBy('slice.is_consistent', 'desc')
    .orderBy('line.slice_id', 'desc')
    .select([
      monthOf(game).as('month'),
      'slice.window_start as order',
      'line.period_id as periodId',
      'line.recipient_player_id as recipientPlayerId',
      'line.reversed_attributed_usd',
    ]);
  return db
    .selectFrom(newest.as('n'))
    .orderBy('n.order', 'desc')
    .limit(EVIDENCE_LINES_MAX)
    .select(['month', 'periodId', 'recipientPlayerId', nestedMoney('n.reversed_attributed_usd').as('reversed_attributed_usd')]);
}

function conditionOf(about: About): RawBuilder<SqlBool> {
  return 'periodId' in about ? sql`line.period_id = ${about.periodId}` : sql`line.subscription_id = ${about.subscriptionId}`;
}

// Slices never cross the end of a month, so the start of a slice gives the month of its lines.
function monthOf(game: GameRef) {
  return sql<string>`to_char(slice.window_start at time zone ${sql.lit(game.timeZone)}, 'YYYY-MM')`;
}

/** Detail routes of which only the newest answer is stored; the SQL check of `detail_read.kind` repeats the list. */
export const DETAIL_KINDS = [
  'subscription',
  'subscriptions',
  'balances',
  'cards',
  'order',
  'item_order',
  'item_history',
  'transfer',
  'approval',
] as const;

/** Reports of which every reading is evidence and stays; the SQL check of `report_read.kind` repeats the list. */
export const REPORT_KINDS = ['period', 'cycles', 'totals'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];
export type DetailKind = (typeof DETAIL_KINDS)[number] | ReportKind;

/** Whether every reading of a kind stays. */
export function isReportKind(kind: DetailKind): kind is ReportKind {
  return REPORT_KINDS.some((each) => each === kind);
}

/** Kinds that are requested by the email of a player and stored under their ID. */
export const PLAYER_KINDS: ReadonlySet<DetailKind> = new Set<DetailKind>(['balances', 'cards', 'subscriptions', 'item_history']);
